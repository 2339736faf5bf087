/** Threads for the expressions of hooks. A project uses at most one at a time, and the hooks take turns. */
import type { Turns } from '@perdure/lib/fair-turns.js';
import { inThreads } from '@perdure/lib/in-threads.js';
import { textOf } from '@perdure/lib/storable-json.js';
import { performHookWork, type DeliveryWork, type HookWork, type HookWorkDone } from './delivery-work.js';
import type { ExpressionProblem, ExpressionTexts } from './expressions.js';
import type { EvaluatedHook } from './message.js';

const THREADS = {
  name: 'hooks',
  size: 2,
  timeoutMs: 1_000,
  heapMB: 128,
  bytesOf: (work: HookWork) => (work.kind === 'evaluate' ? (work.bytes?.byteLength ?? 0) : 0),
};

const inThread = inThreads<HookWork, HookWorkDone>(
  new URL('./hook-thread.js', import.meta.url),
  THREADS,
  performHookWork,
);

/** @throws TurnRefused, TurnCanceled */
export async function evaluateInThread(work: Omit<DeliveryWork, 'kind'>, turns: Turns): Promise<EvaluatedHook> {
  const done = await inThread({ kind: 'evaluate', ...work }, turns);
  if (done !== undefined) return JSON.parse(textOf(done.json)) as EvaluatedHook;
  return { kind: 'failed', problem: tooLarge('Evaluating the expressions') };
}

/** @throws TurnRefused, TurnCanceled */
export async function checkInThread(texts: ExpressionTexts, turns: Turns): Promise<ExpressionProblem[]> {
  const done = await inThread({ kind: 'check', texts }, turns);
  if (done !== undefined) return JSON.parse(textOf(done.json)) as ExpressionProblem[];
  return [{ member: 'messageName', line: 1, column: 1, message: tooLarge('Reading the expressions') }];
}

function tooLarge(what: string): string {
  return `${what} exceeded its limit (${THREADS.timeoutMs / 1000} s, ${THREADS.heapMB} MB)`;
}
