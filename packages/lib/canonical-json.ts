/**
 * Canonical JSON: one text per value, without white space, with the members of objects sorted by name (UTF-16 order).
 * Members without a value are omitted. Content addresses of graphs, digests of facts, and fingerprints of requests are
 * computed from it, so recorded digests depend on every byte.
 * @param deepest members nested deeper keep their order: this recursion uses more stack than `JSON.stringify` does
 */
export function canonicalJson(value: unknown, deepest = Infinity): string {
  if (typeof value !== 'object' || value === null || deepest < 0) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${canonicalJson(item, deepest - 1)}`;
    return `[${text}]`;
  }
  const members = value as { readonly [name: string]: unknown };
  for (const name of Object.keys(members).sort()) {
    if (members[name] !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(members[name], deepest - 1)}`;
  }
  return `{${text}}`;
}
