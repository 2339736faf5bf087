/** One thing as lines, a member on each. */
import { printable } from '@perdure/lib/trust/printable.js';

type Value = string | number | boolean | undefined;

/** Labels as wide as the widest. Members without a value are left out. */
export function fieldLines(fields: { readonly [label: string]: Value }): string[] {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...given.map(([label]) => label.length));
  return given.map(([label, value]) => printable(`${label.padEnd(width)}  ${value}`));
}
