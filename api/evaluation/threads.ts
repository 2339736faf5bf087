/** The thread that evaluates expressions over the variables of instances. Projects and callers take turns at it. */
import type { Turns } from '@perdure/lib/fair-turns.js';
import { inThreads } from '@perdure/lib/in-threads.js';
import { evaluateExpression, type EvaluatedExpression, type ExpressionWork } from './expression.js';

const THREADS = {
  name: 'evaluate expressions',
  size: 1,
  isShort: true,
  timeoutMs: 1_000,
  heapMB: 128,
  bytesOf: ({ expression, variables }: ExpressionWork) => 2 * (expression.length + variables.length),
};

const inThread = inThreads(new URL('./expression-thread.js', import.meta.url), THREADS, evaluateExpression);

/** @throws TurnRefused, TurnCanceled */
export async function evaluateInThread(work: ExpressionWork, turns: Turns): Promise<EvaluatedExpression> {
  const message = `Evaluating the expression exceeded its limit (${THREADS.timeoutMs / 1000} s, ${THREADS.heapMB} MB)`;
  return (await inThread(work, turns)) ?? { value: null, problem: { message } };
}
