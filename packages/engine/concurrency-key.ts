/** The concurrency key of a process: evaluated once, over the variables that an instance is started with. */
import { compile, evaluate, toJson } from '@perdure/feel/evaluate.js';
import type { StoredTree } from '@perdure/feel/tree.js';
import type { Variables } from './contract/json.js';

export type KeyTree = StoredTree;

/** A few milliseconds on any machine: starts are written on the event loop of the API and of the outbox relay. */
const STEPS = 30_000;

/** `typed`: the same for equal keys of one type only. Null: no key. */
export type ConcurrencyKey = { ok: true; typed: string | null } | { ok: false; message: string };

/**
 * The key of an instance that starts with these variables: a text, a number, or a boolean. Dates, times, and durations are
 * their ISO texts.
 * @param now epoch milliseconds
 */
export function concurrencyKeyOf(tree: KeyTree, variables: Variables, now: number): ConcurrencyKey {
  const outcome = evaluate(compile(tree), variables, { now, mode: 'strict', budget: { steps: STEPS } });
  if (!outcome.ok) return { ok: false, message: `The concurrency key cannot be evaluated: ${outcome.error.message}` };
  if (outcome.value === null) return { ok: true, typed: null };
  const value = toJson(outcome.value);
  if (value === null || typeof value === 'object')
    return { ok: false, message: 'The concurrency key must be a text, a number, a boolean, or null' };
  return { ok: true, typed: `${typeof value} ${value}` };
}
