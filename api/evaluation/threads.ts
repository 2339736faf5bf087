/** The threads that evaluate expressions and conditions. Projects and callers take turns at each. */
import type { Turns } from '@perdure/lib/fair-turns.js';
import { inThreads } from '@perdure/lib/in-threads.js';
import { conditionsMet, type ConditionsWork, type EntryMet } from './conditions.js';
import { evaluateExpression, type EvaluatedExpression, type ExpressionWork } from './expression.js';

const SHORT = { size: 1, isShort: true, timeoutMs: 1_000, heapMB: 128 };

const EXPRESSIONS = {
  ...SHORT,
  name: 'evaluate expressions',
  bytesOf: ({ expression, variables }: ExpressionWork) => 2 * (expression.length + variables.length),
};

const CONDITIONS = {
  ...SHORT,
  name: 'evaluate conditions',
  bytesOf: ({ graph, variables }: ConditionsWork) => 2 * (graph.length + variables.length),
};

const expressionInThread = inThreads(
  new URL('./expression-thread.js', import.meta.url),
  EXPRESSIONS,
  evaluateExpression,
);

/**
 * The conditional start events of a definition whose conditions are true; undefined if they exceed a limit.
 * @throws TurnRefused, TurnCanceled
 */
export const conditionsInThread: (work: ConditionsWork, turns: Turns) => Promise<EntryMet[] | undefined> = inThreads(
  new URL('./conditions-thread.js', import.meta.url),
  CONDITIONS,
  conditionsMet,
);

/** @throws TurnRefused, TurnCanceled */
export async function evaluateInThread(work: ExpressionWork, turns: Turns): Promise<EvaluatedExpression> {
  const message = `Evaluating the expression exceeded its limit (${SHORT.timeoutMs / 1000} s, ${SHORT.heapMB} MB)`;
  return (await expressionInThread(work, turns)) ?? { value: null, problem: { message } };
}
