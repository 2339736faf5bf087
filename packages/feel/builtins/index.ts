/** All built-in functions by name. */
import { FeelFunction } from '../functions.js';
import { CONTEXT_FUNCTIONS } from './contexts.js';
import { CONVERSION_FUNCTIONS } from './conversions.js';
import type { Builtin } from './define.js';
import { invokeBuiltin } from './invoke.js';
import { LIST_FUNCTIONS } from './lists.js';
import { NUMBER_FUNCTIONS } from './numbers.js';
import { RANGE_FUNCTIONS } from './ranges.js';
import { SPECIAL_FUNCTIONS } from './specials.js';
import { STRING_FUNCTIONS } from './strings.js';
import { TEMPORAL_FUNCTIONS } from './temporals.js';

const GROUPS: readonly Record<string, Builtin>[] = [
  LIST_FUNCTIONS,
  STRING_FUNCTIONS,
  NUMBER_FUNCTIONS,
  CONVERSION_FUNCTIONS,
  TEMPORAL_FUNCTIONS,
  CONTEXT_FUNCTIONS,
  RANGE_FUNCTIONS,
  SPECIAL_FUNCTIONS,
];

/** Functions that do not simply evaluate their argument; see `compile/tolerant.ts`. */
export const TOLERANT_FUNCTIONS: readonly string[] = ['is defined', 'get or else'];

/** The forms of a built-in function; `undefined` if none has that name. */
export function builtinOf(name: string): Builtin | undefined {
  for (const group of GROUPS) {
    if (Object.hasOwn(group, name)) return group[name];
  }
  return undefined;
}

export function isBuiltin(name: string): boolean {
  return builtinOf(name) !== undefined || TOLERANT_FUNCTIONS.includes(name);
}

/** All names, for documentation and editors. */
export function builtinNames(): string[] {
  return [...GROUPS.flatMap((group) => Object.keys(group)), ...TOLERANT_FUNCTIONS].sort();
}

/** A built-in function as a value. */
export function builtinValue(name: string): FeelFunction | undefined {
  const builtin = builtinOf(name);
  if (builtin === undefined) return undefined;
  return new FeelFunction(name, undefined, (run, args, at, names) =>
    invokeBuiltin(name, builtin, run, at, args, undefined, names),
  );
}
