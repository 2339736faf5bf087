/** How long a typical search predicate takes over many instances, and the same with the evaluation that feelin ships. */
import { performance } from 'node:perf_hooks';
import { evaluate as evaluateWithFeelin } from 'feelin';
import { compile, evaluate, type Environment } from '@perdure/feel/evaluate.js';
import { parseFeel } from '@perdure/feel/parse.js';
import { median } from '../statistics.js';

export interface ExpressionFigures {
  expression: string;
  contexts: number;
  matches: number;
  /** Microseconds of one evaluation over all contexts: median of the rounds. */
  microseconds: number;
  /** Of one evaluation with feelin, over some of the contexts. */
  feelinMicroseconds: number;
  /** How many times as fast. */
  ratio: number;
}

const EXPRESSION = 'amount > 1000 and status = "open" and customer.country = "DE"';
const CONTEXTS = 200_000;
const FEELIN_CONTEXTS = 2000;
const ROUNDS = 5;
const ENVIRONMENT: Environment = { now: 0, mode: 'strict' };

/** Twenty variables, as an instance has them: read from JSON. */
function contextOf(index: number): Record<string, unknown> {
  return JSON.parse(JSON.stringify(variablesOf(index))) as Record<string, unknown>;
}

function variablesOf(index: number): Record<string, unknown> {
  const more = Object.fromEntries(
    Array.from({ length: 17 }, (_, each) => [`variable${each}`, `value ${index % 7} ${each}`]),
  );
  return {
    ...more,
    amount: index % 4000,
    status: index % 3 === 0 ? 'open' : 'closed',
    customer: { country: index % 2 === 0 ? 'DE' : 'FR', name: 'somebody' },
  };
}

export async function measureExpressions(): Promise<ExpressionFigures> {
  const parsed = parseFeel(EXPRESSION);
  if (!parsed.ok) throw new Error(`${EXPRESSION} does not parse: ${parsed.errors[0]?.message}`);
  const expression = compile(parsed.tree);
  const contexts = Array.from({ length: CONTEXTS }, (_, index) => contextOf(index));
  let matches = 0;
  const rounds = Array.from({ length: ROUNDS }, () => {
    matches = 0;
    const begin = performance.now();
    for (const context of contexts) {
      const result = evaluate(expression, context, ENVIRONMENT);
      if (result.ok && result.value === true) matches += 1;
    }
    return ((performance.now() - begin) * 1000) / CONTEXTS;
  });
  const begin = performance.now();
  for (const context of contexts.slice(0, FEELIN_CONTEXTS)) evaluateWithFeelin(EXPRESSION, context);
  const feelinMicroseconds = ((performance.now() - begin) * 1000) / FEELIN_CONTEXTS;
  const microseconds = median(rounds);
  return {
    expression: EXPRESSION,
    contexts: CONTEXTS,
    matches,
    microseconds,
    feelinMicroseconds,
    ratio: feelinMicroseconds / microseconds,
  };
}
