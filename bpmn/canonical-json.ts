/** One text for one value, whatever the order of its members: what a content address is computed from. */
import { createHash } from 'node:crypto';

/** The content address of a graph by its canonical JSON: SHA-256 in lower-case hexadecimal. */
export function sha256(json: string): string {
  return createHash('sha256').update(json).digest('hex');
}

/** JSON without white space, members sorted by name (UTF-16 order) and those without a value left out. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${canonicalJson(item)}`;
    return `[${text}]`;
  }
  const members = value as { readonly [name: string]: unknown };
  for (const name of Object.keys(members).sort()) {
    if (members[name] !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(members[name])}`;
  }
  return `{${text}}`;
}
