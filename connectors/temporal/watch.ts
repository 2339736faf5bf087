/**
 * Looks at executions that run: extends the leases of their jobs, notices those that Temporal ended or lost without
 * a report, and cancels those that no job waits for anymore.
 */
import { errorMessage } from '@perdure/lib/error-message.js';
import { settleAll } from '../../background/settle-all.js';
import {
  claimDue,
  claimToCancel,
  forgetExecution,
  jobOfExecution,
  recordCancellation,
  type DueExecution,
} from '../../store/work/executions/executions.js';
import { TaskError } from '../results/task-error.js';
import { gone } from './begin.js';
import { cancelRunner, findRunner, runnerID } from './executions.js';
import type { TemporalTasksContext } from './options.js';
import { reportEnd } from './report.js';

const AT_ONCE = 20;

/**
 * An execution that fails stops no other: it has been claimed, so it is next after those that are due already.
 * @returns whether there may be more to look at. @throws when Postgres or Temporal does not respond, for any execution
 */
export async function watch(context: TemporalTasksContext): Promise<boolean> {
  const ended = await claimToCancel(context.store, AT_ONCE);
  const due = await claimDue(context.store, AT_ONCE);
  await settleAll([
    ...ended.map((one) => end(context, one)),
    ...due.map((one) => (one.isAwaited ? look(context, one) : end(context, one))),
  ]);
  return due.length === AT_ONCE || ended.length === AT_ONCE;
}

/** Cancels the execution of a job that has ended without it. */
async function end(context: TemporalTasksContext, execution: DueExecution): Promise<void> {
  const found = await findRunner(context, execution, execution.token);
  if (found?.isOurs && found.status === 'RUNNING' && (await cancelRunner(context, execution)))
    return recordCancellation(context.store, execution);
  if (!found && execution.isStarting) return;
  await forgetExecution(context.store, execution);
}

/** Ends that Perdure's workflow could not report. */
const unreported: Readonly<Record<string, readonly [code: string, what: string]>> = {
  TERMINATED: ['TEMPORAL_TERMINATED', 'was terminated'],
  TIMED_OUT: ['TEMPORAL_TIMEOUT', 'timed out'],
  CANCELLED: ['TEMPORAL_CANCELED', 'was canceled'],
  FAILED: ['TEMPORAL_FAILED', 'failed'],
};

async function look(context: TemporalTasksContext, execution: DueExecution): Promise<void> {
  // It may be about to start. If not, the job is leased again, and its execution begins then.
  if (execution.runID === null) return;
  const found = await findRunner(context, execution, execution.token);
  if (!found?.isOurs) return fail(context, execution, gone(execution));
  const [code, what] = unreported[found.status] ?? [];
  if (code !== undefined)
    await fail(context, execution, new TaskError(code, `The execution ${runnerID(execution)} ${what}`));
}

async function fail(context: TemporalTasksContext, execution: DueExecution, error: TaskError): Promise<void> {
  const job = await jobOfExecution(context.store, execution);
  if (!job) return;
  await reportEnd(context, execution, job, { kind: 'failed', error }).catch((failure: unknown) => {
    // The lease has expired. The next lease of the job finds this execution again.
    context.logger.warn({ execution: runnerID(execution), error: errorMessage(failure) }, 'task could not be reported');
  });
}
