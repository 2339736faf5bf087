/** The open timer that a request names. */
import type { State } from '@perdure/engine/state/state.js';
import { findInstance } from '../../../../store/instances/instances.js';
import { everHadTimer } from '../../../../store/steps/timers.js';
import { parseExecutionKey } from '../../../../store/sql/ids.js';
import { stateAt } from '../../../../store/steps/replay.js';
import { atOneMoment } from '../../../../store/steps/recorded-steps.js';
import type { ApiContext } from '../../../context.js';
import { notFound, problem, type Problem } from '../../../contract/problem.js';
import { waitOfTimer, type TimerOfInstance } from '../../instances/shared/wait.js';

interface TimerPath {
  projectID: string;
  workflowID: string;
  timerID: string;
}

/** 404 for an id that the instance never had, 409 for a timer that has fired or was canceled. */
export async function findTimer(
  { store }: ApiContext,
  { projectID, workflowID, timerID }: TimerPath,
): Promise<TimerOfInstance | Problem<'NOT_FOUND' | 'CONFLICT'>> {
  return atOneMoment(store, async (moment) => {
    const instance = await findInstance(moment, projectID, workflowID);
    if (instance === undefined) return notFound(`no instance ${workflowID} in project ${projectID}`);
    const key = parseExecutionKey(timerID);
    const timer = key?.workflowID === workflowID ? key.number : undefined;
    const { state } = await stateAt(moment, workflowID);
    if (timer !== undefined && isOpenTimer(state, timer)) return waitOfTimer(moment, instance, state, timer);
    // Only numbers that were given can have been timers, and only for them all facts are read.
    if (timer !== undefined && timer <= state.lastID && (await everHadTimer(moment, workflowID, timer)))
      return problem('CONFLICT', `Timer ${timerID} has fired or was canceled`);
    return notFound(`no timer ${timerID} in instance ${workflowID}`);
  });
}

function isOpenTimer({ waits, status }: State, timer: number): boolean {
  return status === 'RUNNING' && waits[timer]?.kind === 'timer';
}
