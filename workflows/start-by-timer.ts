/** One tick of a timer that starts processes: a Temporal schedule starts one of these per tick. */
import { defineSearchAttributeKey } from '@temporalio/common';
import { ApplicationFailure, makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { call, RunIsFull } from './activities.js';
import { TaskLoad } from './instance/task-load.js';

/** Identifies the timer of a definition; the schedule passes it to every tick. */
type StartTimerAddress = Omit<Parameters<Activities['startByTimer']>[0], 'tick'>;

/** The scheduled time; the tick may come later, and more than once. */
const SCHEDULED = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/**
 * Asks the store to start the instance of this tick, which is another workflow.
 * @throws if no schedule has started the workflow: which tick it is would be unknown
 */
export async function startByTimer(timer: StartTimerAddress, tick = scheduledTime()): Promise<void> {
  try {
    await call(new TaskLoad(), 'startByTimer', { ...timer, tick }, 'the timer ticks');
  } catch (error) {
    if (!(error instanceof RunIsFull)) throw error;
    await makeContinueAsNewFunc<typeof startByTimer>()(timer, tick);
  }
}

/** Epoch milliseconds. */
function scheduledTime(): number {
  const scheduled = workflowInfo().typedSearchAttributes.get(SCHEDULED);
  if (scheduled) return scheduled.getTime();
  throw ApplicationFailure.nonRetryable(
    `Workflow ${workflowInfo().workflowId} was not started by a schedule. Trigger the schedule instead.`,
  );
}
