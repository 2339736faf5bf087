/**
 * Canonical JSON: one text per value, without white space, whatever the order of its members. Members without a value
 * are omitted. Recorded digests depend on every byte of these texts.
 */

/**
 * JSON with members sorted by name (UTF-16 order). Content addresses of graphs and digests of facts are computed from
 * it.
 * @param deepest members nested deeper keep their order: this recursion uses more stack than `JSON.stringify` does
 */
export function canonicalJson(value: unknown, deepest = Infinity): string {
  return write(value, sorted, deepest);
}

/**
 * JSON with members sorted by name, but numbers from 0 first and by value, as JavaScript orders the members of an
 * object. Digests in rows are computed from it.
 */
export function sortedJson(value: unknown): string {
  return write(value, numbersFirst, Infinity);
}

type Order = (names: string[]) => readonly string[];

const sorted: Order = (names) => names.sort();

const NUMBER = /^(?:0|[1-9]\d{0,9})$/;
const MAX_NUMBER = 2 ** 32 - 2;

/** An object lists its numbers first and by value, so only the rest needs sorting. */
const numbersFirst: Order = (names) => {
  const rest = names.findIndex((name) => !NUMBER.test(name) || Number(name) > MAX_NUMBER);
  return rest <= 0 ? (rest === 0 ? names.sort() : names) : [...names.slice(0, rest), ...names.slice(rest).sort()];
};

function write(value: unknown, order: Order, deepest: number): string {
  if (typeof value !== 'object' || value === null || deepest < 0) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${write(item, order, deepest - 1)}`;
    return `[${text}]`;
  }
  const members = value as { readonly [name: string]: unknown };
  for (const name of order(Object.keys(members))) {
    if (members[name] !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${write(members[name], order, deepest - 1)}`;
  }
  return `{${text}}`;
}
