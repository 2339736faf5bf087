/** Whether the commit of a step may wait for the next command, and for what. */
import { isHeld } from '../engine/behaviors/hold.js';
import type { Fact } from '../engine/facts.js';
import type { LingerRequest, StepInputs } from '../engine/park.js';
import type { State } from '../engine/state.js';
import { nextDue } from '../engine/step.js';
import { hasTokensLeft, type Instance } from './instance.js';

/** Who has jobs of more types is not a hot instance. */
const MOST_TASK_TYPES = 8;

interface TakenStep {
  inputs: StepInputs;
  facts: readonly Fact[];
  state: State;
}

/** Undefined when the instance has something to do after this step that does not come as a job result or a timer. */
export function lingerRequest({ input, inbox, load, cancellation, taskTypes }: Instance, { inputs, facts, state }: TakenStep): LingerRequest | undefined {
  const { paused, rotate } = inputs;
  const isBusy = paused || rotate || hasTokensLeft(state) || isHeld(state) || state.deferred !== undefined || cancellation.isRequested;
  if (state.status !== 'RUNNING' || isBusy || inbox.lastReceived > state.lastCommand || !load.hasRoom) return undefined;
  const open = openTaskTypes(taskTypes, facts, state);
  if (open === undefined) return undefined;
  const until = nextDue(state);
  return { projectID: input.projectID, taskTypes: open, ...(until !== undefined && { until }) };
}

/** Types of open jobs that were created in this run. Undefined when a decision is to be evaluated first. */
function openTaskTypes(known: ReadonlyMap<number, string>, facts: readonly Fact[], { waits }: State): string[] | undefined {
  const created = new Map<number, string>();
  noteTaskTypes(created, facts);
  const types = new Set<string>();
  for (const { id, kind } of Object.values(waits)) {
    if (kind === 'decision') return undefined;
    const type = created.get(id) ?? known.get(id);
    if (type !== undefined && types.size < MOST_TASK_TYPES) types.add(type);
  }
  return [...types];
}

/** Keeps the types of open jobs, by their waits, up to date. */
export function noteTaskTypes(taskTypes: Map<number, string>, facts: readonly Fact[]): void {
  for (const fact of facts) {
    if (fact.kind === 'JOB_CREATED') taskTypes.set(fact.job, fact.taskType);
    else if (fact.kind === 'JOB_COMPLETED' || fact.kind === 'JOB_FAILED' || fact.kind === 'JOB_CANCELED') taskTypes.delete(fact.job);
  }
}
