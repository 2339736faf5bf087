/**
 * Evaluates a predicate over a batch of instances, in an evaluation thread. Evaluation is strict: a result that is
 * neither true nor false is an error of that instance.
 */
import { evaluate, typeOf } from '@perdure/feel/evaluate.js';
import type { InstanceDetails } from '../../store/search/search.js';
import { readPredicate, type Predicate } from './predicate.js';

export interface EvaluationWork {
  readonly predicate: string;
  /** The result of `now()`, in epoch milliseconds. */
  readonly now: number;
  /** `[[number, {name: value}, details], ...]` */
  readonly candidates: string;
  /** Stops after this many matches. */
  readonly maxMatches: number;
  /** Stops after the instance during which the time limit is reached. */
  readonly milliseconds: number;
}

export interface FoundMatch {
  readonly number: number;
  readonly details: InstanceDetails;
  /** The variables that the predicate names. */
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface EvaluationResult {
  readonly matches: readonly FoundMatch[];
  /** Size of the variables of all matches as JSON text. */
  readonly characters: number;
  /** Instances for which the predicate was true or false. */
  readonly evaluated: number;
  readonly predicateErrors: number;
  readonly firstPredicateError?: string;
  /** Number of the last instance that was evaluated. */
  readonly last: number;
}

type Candidate = readonly [number: number, variables: Record<string, unknown>, details: InstanceDetails];

export function evaluateBatch(work: EvaluationWork): EvaluationResult {
  const predicate = predicateOf(work.predicate);
  const until = performance.now() + work.milliseconds;
  const matches: FoundMatch[] = [];
  let characters = 0;
  let evaluated = 0;
  let predicateErrors = 0;
  let firstPredicateError: string | undefined;
  let last = 0;
  for (const [number, variables, details] of JSON.parse(work.candidates) as Candidate[]) {
    const outcome = test(predicate, variables, work.now);
    last = number;
    if (typeof outcome === 'string') {
      predicateErrors += 1;
      firstPredicateError ??= outcome;
    } else {
      evaluated += 1;
    }
    if (outcome === true) {
      const named = Object.fromEntries(
        predicate.names.filter((name) => Object.hasOwn(variables, name)).map((name) => [name, variables[name]]),
      );
      characters += JSON.stringify(named).length;
      if (matches.push({ number, details, variables: named }) === work.maxMatches) break;
    }
    if (performance.now() > until) break;
  }
  return {
    matches,
    characters,
    evaluated,
    predicateErrors,
    ...(firstPredicateError !== undefined && { firstPredicateError }),
    last,
  };
}

/** True or false, or an error. */
function test(predicate: Predicate, variables: Record<string, unknown>, now: number): boolean | string {
  for (const name of predicate.required) {
    if (!Object.hasOwn(variables, name)) return `The instance has no variable ${name}`;
  }
  const result = evaluate(predicate.expression, variables, { now, mode: 'strict' });
  if (!result.ok) return result.error.message;
  if (typeof result.value === 'boolean') return result.value;
  return `The predicate must be true or false, but is of type ${typeOf(result.value)}`;
}

let latest: { text: string; predicate: Predicate } | undefined;

/** A search sends its predicate with every batch, and parsing it costs as much as evaluating hundreds of instances. */
function predicateOf(text: string): Predicate {
  if (latest?.text === text) return latest.predicate;
  const predicate = readPredicate(text);
  if (!predicate.ok) throw new Error('A predicate must pass the static check before it is evaluated');
  latest = { text, predicate };
  return predicate;
}
