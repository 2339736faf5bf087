/** Whether the commit of a step may wait for the next command, and for what. */
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { LingerRequest, StepInputs } from '@perdure/engine/contract/step-commit.js';
import type { State, Wait } from '@perdure/engine/state/state.js';
import { nextDue } from '@perdure/engine/step.js';
import { hasTokensLeft, type Instance } from '../instance.js';

/** Maximum number of waits of an instance whose commits linger. */
const MAX_WAITS = 8;

interface TakenStep {
  inputs: StepInputs;
  facts: readonly Fact[];
  state: State;
}

/** Undefined if the instance has work after this step that is neither a command nor a timer. */
export function lingerRequest(
  { input, inbox, load, clock, cancellation, taskTypes }: Instance,
  { inputs, facts, state }: TakenStep,
): LingerRequest | undefined {
  const { paused, rotate } = inputs;
  const isBusy =
    paused ||
    rotate ||
    hasTokensLeft(state) ||
    isHalted(state) ||
    state.deferred !== undefined ||
    cancellation.isRequested;
  if (state.status !== 'RUNNING' || isBusy || inbox.lastReceived > state.lastCommand || !load.hasRoom) return undefined;
  const waits = Object.values(state.waits);
  if (waits.some(({ kind }) => kind === 'decision')) return undefined;
  const due = nextDue(state);
  return {
    projectID: input.projectID,
    taskTypes: openTaskTypes(taskTypes, facts, waits),
    calls: waits
      .filter(({ kind }) => kind === 'child')
      .slice(0, MAX_WAITS)
      .map(({ node }) => `${input.definitionID} ${node}`),
    ...(due !== undefined && { timerMs: due - clock.now() }),
  };
}

/** Types of open jobs that were created in this run. */
function openTaskTypes(known: ReadonlyMap<number, string>, facts: readonly Fact[], waits: readonly Wait[]): string[] {
  const created = new Map<number, string>();
  noteTaskTypes(created, facts);
  const types = new Set<string>();
  for (const { id } of waits) {
    const type = created.get(id) ?? known.get(id);
    if (type !== undefined && types.size < MAX_WAITS) types.add(type);
  }
  return [...types];
}

/** Updates the types of open jobs, by their waits. */
export function noteTaskTypes(taskTypes: Map<number, string>, facts: readonly Fact[]): void {
  for (const fact of facts) {
    if (fact.kind === 'JOB_CREATED') taskTypes.set(fact.job, fact.taskType);
    else if (fact.kind === 'JOB_COMPLETED' || fact.kind === 'JOB_FAILED' || fact.kind === 'JOB_CANCELED')
      taskTypes.delete(fact.job);
  }
}
