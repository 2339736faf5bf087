/** One tick of a timer that starts processes: a Temporal schedule starts one of these per tick. */
import { defineSearchAttributeKey } from '@temporalio/common';
import { makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { call, RunIsFull } from './activities.js';
import { TaskLoad } from './instance/task-load.js';

/** Identifies the timer of a definition; the schedule passes it to every tick. */
type StartTimerAddress = Omit<Parameters<Activities['startByTimer']>[0], 'tick'>;

/** The scheduled time; the tick may come later, and more than once. */
const SCHEDULED = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/** Asks the store to start the instance of this tick, which is another workflow. */
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
