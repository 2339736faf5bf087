/** Combines the outputs of all matching rules into the result of a table (DMN 1.5 section 8.2.8). */
import { builtinOf } from '@perdure/feel/builtins/index.js';
import type { Builtin } from '@perdure/feel/builtins/define.js';
import { invokeBuiltin } from '@perdure/feel/builtins/invoke.js';
import { areEqual } from '@perdure/feel/values/equality.js';
import { FeelRange } from '@perdure/feel/values/range.js';
import type { Run } from '@perdure/feel/run.js';
import { includes } from '@perdure/feel/values/unary.js';
import type { FeelValue } from '@perdure/feel/values/values.js';
import type { Aggregator, HitPolicy, TableLogic } from '../model.js';
import type { Code } from './expressions.js';
import { fail, NOWHERE } from './failures.js';
import type { LoadedType } from './types.js';

export interface LoadedOutput {
  name: string | undefined;
  type: LoadedType | undefined;
  /** Returns the list of output values, highest priority first. */
  priorities: Code | undefined;
  fallback: Code | undefined;
}

/** A matching rule: its outputs by column, and as one value. */
export interface Match {
  values: FeelValue[];
  output: FeelValue;
}

type Policy = (run: Run, matches: readonly Match[], outputs: readonly LoadedOutput[]) => FeelValue;

const first: Policy = (_run, matches) => (matches[0] as Match).output;
const all: Policy = (_run, matches) => matches.map(({ output }) => output);

const POLICIES: Readonly<Record<HitPolicy, Policy>> = {
  UNIQUE: (run, matches, outputs) => {
    if (matches.length === 1) return first(run, matches, outputs);
    return fail(run, 'HIT_POLICY', `${matches.length} rules match, but the hit policy UNIQUE allows only one.`);
  },
  ANY: (run, matches, outputs) => {
    const [{ output }] = matches as [Match];
    if (matches.every((match) => areEqual(run, NOWHERE, match.output, output))) return first(run, matches, outputs);
    return fail(
      run,
      'HIT_POLICY',
      'Rules with different outputs match, but the hit policy ANY requires equal outputs.',
    );
  },
  FIRST: first,
  PRIORITY: (run, matches, outputs) => first(run, byPriority(run, matches, outputs), outputs),
  'OUTPUT ORDER': (run, matches, outputs) => all(run, byPriority(run, matches, outputs), outputs),
  'RULE ORDER': all,
  COLLECT: all,
};

/** The result of a table. Without a matching rule it is the default output, otherwise null. */
export function applyHitPolicy(
  run: Run,
  { hitPolicy, aggregator }: TableLogic,
  outputs: readonly LoadedOutput[],
  matches: readonly Match[],
  defaultOutput: () => FeelValue,
): FeelValue {
  if (matches.length === 0) return defaultOutput();
  const result = POLICIES[hitPolicy](run, matches, outputs);
  return hitPolicy === 'COLLECT' && aggregator !== undefined
    ? aggregate(run, aggregator, result as FeelValue[])
    : result;
}

const FUNCTIONS: Readonly<Record<Aggregator, string>> = { SUM: 'sum', COUNT: 'count', MIN: 'min', MAX: 'max' };

function aggregate(run: Run, aggregator: Aggregator, outputs: FeelValue[]): FeelValue {
  const name = FUNCTIONS[aggregator];
  return invokeBuiltin(name, builtinOf(name) as Builtin, run, NOWHERE, [outputs]);
}

/**
 * Sorted by the position of each output among its output values. Earlier columns take precedence; rule order breaks
 * ties.
 */
function byPriority(run: Run, matches: readonly Match[], outputs: readonly LoadedOutput[]): Match[] {
  const scales = outputs.map(({ priorities }) => priorities?.(run, null) ?? null);
  const ranked = matches.map((match) => ({
    match,
    ranks: scales.map((scale, column) => rank(run, scale, match.values[column] ?? null)),
  }));
  ranked.sort((a, b) => {
    const column = a.ranks.findIndex((value, index) => value !== b.ranks[index]);
    return column < 0 ? 0 : (a.ranks[column] as number) - (b.ranks[column] as number);
  });
  return ranked.map(({ match }) => match);
}

/** An output that is not among the output values comes last. */
function rank(run: Run, scale: FeelValue, value: FeelValue): number {
  if (!Array.isArray(scale)) return 0;
  run.charge(scale.length, NOWHERE);
  const place = scale.findIndex((candidate) => isOutputValue(run, candidate, value));
  return place < 0 ? scale.length : place;
}

/** Whether an output is one of the output values; null, and any output of a table without output values, is valid. */
export function isAmongOutputValues(run: Run, { priorities }: LoadedOutput, value: FeelValue): boolean {
  const scale = priorities?.(run, null) ?? null;
  if (!Array.isArray(scale) || value === null) return true;
  const values = Array.isArray(value) ? value : [value];
  run.charge(scale.length * values.length, NOWHERE);
  return values.every((each) => scale.some((candidate) => isOutputValue(run, candidate, each)));
}

function isOutputValue(run: Run, candidate: FeelValue, value: FeelValue): boolean {
  return candidate instanceof FeelRange
    ? run.quietly(() => includes(run, NOWHERE, candidate, value)) === true
    : areEqual(run, NOWHERE, candidate, value);
}
