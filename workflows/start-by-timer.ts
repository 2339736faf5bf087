/** One tick of a timer that starts processes: a schedule of Temporal starts one of these for each. */
import { defineSearchAttributeKey } from '@temporalio/common';
import { makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { call, RunIsFull } from './activities.js';
import { TaskLoad } from './task-load.js';

/** Which timer of which definition; the schedule gives it to every tick. */
type StartTimerAddress = Omit<Parameters<Activities['startByTimer']>[0], 'tick'>;

/** The time for which the schedule meant it; it may come later, and more than once. */
const SCHEDULED = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/** Asks the store to start the instance of this tick; what it starts is another workflow. */
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
  const { typedSearchAttributes, startTime } = workflowInfo();
  return (typedSearchAttributes.get(SCHEDULED) ?? startTime).getTime();
}
