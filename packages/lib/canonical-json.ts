/** Canonical JSON: one text per value, regardless of member order. Content addresses are computed from it. */
import { createHash } from 'node:crypto';

/** The content address of a graph from its canonical JSON: SHA-256 in lowercase hexadecimal. */
export function sha256(json: string): string {
  return createHash('sha256').update(json).digest('hex');
}

/** JSON without white space, with members sorted by name (UTF-16 order) and members without a value omitted. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${canonicalJson(item)}`;
    return `[${text}]`;
  }
  const members = value as { readonly [name: string]: unknown };
  for (const name of Object.keys(members).sort()) {
    if (members[name] !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(members[name])}`;
  }
  return `{${text}}`;
}
