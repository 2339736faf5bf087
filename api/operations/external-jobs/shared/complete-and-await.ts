/**
 * Completing a job and waiting for its instance. If a step commit of this process waits for the result, the next commit
 * writes both. Otherwise the result is written first, and the instance is notified.
 */
import { MAX_INLINE_COMMAND_BYTES } from '../../../../store/instances/commands.js';
import { claimingResult, completeJob, type JobCompletion } from '../../../../store/work/job-ends.js';
import { answerOf, submitAndAwait } from '../../../commands/commands.js';
import { refusalProblem } from '../../../commands/refusal.js';
import type { ApiContext } from '../../../context.js';
import { measureEnd } from './measure-end.js';

/** A caller who wants a response sooner gets it from the row of the command. */
const MIN_WAIT_MS = 2_000;

export async function completeAndAwait(context: ApiContext, completion: JobCompletion, waitMilliseconds: number) {
  const applied = waitMilliseconds < MIN_WAIT_MS ? undefined : await handOver(context, completion);
  if (applied) {
    measureEnd(context, applied, 'completed');
    return answerOf(applied.commandID, applied.outcome);
  }
  // Also after a hand-over whose end is unknown: the first of the two writers wins, and the same result is recognized.
  const submitted = await completeJob(context.store, completion);
  if (submitted.kind === 'refused') return refusalProblem(submitted);
  measureEnd(context, submitted, 'completed');
  return submitAndAwait(context, completion.workflowID, submitted, waitMilliseconds);
}

/** Only results of lease holders: those of operators are audited. Large ones travel by reference to their row. */
async function handOver(context: ApiContext, completion: JobCompletion) {
  const { clientID, variables = {} } = completion;
  if (clientID === undefined || JSON.stringify(variables).length > MAX_INLINE_COMMAND_BYTES) return undefined;
  return context.handOver(completion, () => claimingResult({ ...completion, clientID }));
}
