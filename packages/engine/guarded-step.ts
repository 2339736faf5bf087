/**
 * The error boundary around the interpreter. Temporal retries a throwing workflow without limit, and in the meantime it
 * takes no command, not even a cancellation. Therefore an exception becomes an incident of the instance, the command
 * that caused it is rejected, and everything before it is kept. A step that the store refuses for its content is treated
 * alike: repeated unchanged, it would be refused without limit.
 */
import { cancelWait } from './behaviors/waiting/waits.js';
import { haltInstance } from './behaviors/lifecycle/halt.js';
import { recordStart } from './behaviors/lifecycle/instance.js';
import type { Command, CommandOutcome } from './contract/commands.js';
import { defectOf, type Defect } from './defect.js';
import { heldOutcomes } from './handlers/held-outcomes.js';
import type { Model } from './model/model.js';
import { newRun } from './new-run.js';
import { record, type Run } from './run.js';
import { ROOT, copyState, type State } from './state/state.js';
import type { StepInput, StepResult } from './step.js';

export interface GuardedStep extends StepResult {
  /** The state after the step. */
  state: State;
  /** The defect, for the host to log. */
  defect?: Defect;
}

/** Error code of the incident of an instance whose step cannot be stored. */
const UNSTORABLE = 'UNSTORABLE';

type Given = Pick<StepInput, 'start' | 'commands' | 'now' | 'targets'>;

/**
 * Takes a step on a copy of `before`, which is not changed.
 * @param take runs the step on a state that it may change in place, with the commands to handle
 * @param known how the step failed when it was committed: a build without the defect must compute the same facts
 */
export function guardedStep(
  model: Model,
  before: State,
  given: Given,
  take: (state: State, commands: readonly Command[]) => StepResult,
  known?: Defect,
): GuardedStep {
  if (known) return failWith(model, before, given, take, known);
  const state = copyState(before);
  try {
    return { ...take(state, given.commands), state };
  } catch (thrown) {
    return failWith(model, before, given, take, defectOf(thrown));
  }
}

function failWith(
  model: Model,
  before: State,
  given: Given,
  take: (state: State, commands: readonly Command[]) => StepResult,
  defect: Defect,
): GuardedStep {
  const index = given.commands.findIndex(({ number }) => number === defect.command);
  if (defect.unstorable && index >= 0) return refuseUnstorable(model, before, given, given.commands[index]!, defect);
  return index < 0
    ? stepWithoutMoving(model, before, given, defect)
    : stepUpTo(model, before, given, take, index, defect);
}

/** The incident is the only result of the step. Its commands are handled in later steps. */
function stepWithoutMoving(model: Model, before: State, { start, now }: Given, defect: Defect): GuardedStep {
  const state = copyState(before);
  const run = newRun(model, state, now);
  if (start) {
    recordStart(run, start);
    if (start.payload) record(run, { kind: 'ELEMENT_DATA_SET', element: ROOT, data: { payload: start.payload } });
  }
  return conclude(run, [], defect);
}

/** Handles the commands before the one at `index` as if it were not there, then rejects that one. */
function stepUpTo(
  model: Model,
  before: State,
  given: Given,
  take: (state: State, commands: readonly Command[]) => StepResult,
  index: number,
  defect: Defect,
): GuardedStep {
  const earlier = { ...given, commands: given.commands.slice(0, index) };
  const kept = guardedStep(model, before, earlier, take);
  const command = given.commands[index]!;
  // The step may have ended before it reached this command's predecessor.
  if (kept.defect || earlier.commands.some(({ number }) => !isHandled(kept.state, number))) return kept;
  const run = newRun(kept.model, kept.state, given.now);
  const outcome =
    kept.state.status === 'RUNNING' && command.kind === 'CANCEL_INSTANCE' ? endByForce(run, command) : reject(command);
  record(run, { kind: 'COMMAND_HANDLED', number: command.number });
  const concluded = conclude(run, [outcome], defect);
  return {
    ...concluded,
    facts: [...kept.facts, ...concluded.facts],
    outcomes: [...kept.outcomes, ...concluded.outcomes],
  };
}

/** Handles the command without its effects, and moves nothing. The instance continues. */
function refuseUnstorable(model: Model, before: State, { now }: Given, command: Command, defect: Defect): GuardedStep {
  const state = copyState(before);
  const run = newRun(model, state, now);
  const outcome: CommandOutcome =
    state.status === 'RUNNING' && command.kind === 'CANCEL_INSTANCE'
      ? endByForce(run, command)
      : {
          number: command.number,
          status: 'REJECTED',
          code: 'CONFLICT',
          message: `The database cannot store what this command leads to: ${defect.message}. Nothing was changed. Correct the values that it uses.`,
        };
  record(run, { kind: 'COMMAND_HANDLED', number: command.number });
  return { facts: run.facts, outcomes: [outcome, ...heldOutcomes(run.facts)], model, yielded: false, state, defect };
}

function isHandled({ lastCommand, deferred = [] }: State, number: number): boolean {
  return number <= lastCommand && deferred.every((waiting) => waiting.number !== number);
}

function reject({ number }: Command): CommandOutcome {
  return {
    number,
    status: 'REJECTED',
    code: 'CONFLICT',
    message: 'The engine failed while it handled this command; see the EngineError incident of the instance',
  };
}

/** Closes everything without calling any behavior. */
function endByForce(run: Run, { number, reason = 'the instance was canceled' }: Command): CommandOutcome {
  const { state } = run;
  for (const wait of Object.values(state.waits)) cancelWait(run, wait, reason);
  for (const { id } of Object.values(state.incidents)) record(run, { kind: 'INCIDENT_WITHDRAWN', incident: id });
  for (const { id } of Object.values(state.elements).reverse()) record(run, { kind: 'ELEMENT_CANCELED', element: id });
  record(run, { kind: 'INSTANCE_CANCELED', reason });
  return { number, status: 'APPLIED' };
}

function conclude(run: Run, outcomes: CommandOutcome[], defect: Defect): GuardedStep {
  const { facts, state, model } = run;
  if (state.status === 'RUNNING' && state.elements[ROOT]?.incident === undefined) {
    haltInstance(run, {
      errorType: 'EngineError',
      ...(defect.unstorable && { errorCode: UNSTORABLE }),
      message: defect.unstorable
        ? describeUnstorable(defect)
        : `A bug in the engine stopped this instance: ${defect.message}. No data was lost. Resolve the incident to try again, for instance after an upgrade, or modify, migrate or cancel the instance.`,
    });
  }
  if (state.status === 'RUNNING' && state.unbroken) record(run, { kind: 'STEP_SETTLED' });
  return { facts, outcomes: [...outcomes, ...heldOutcomes(facts)], model, yielded: false, state, defect };
}

function describeUnstorable({ message }: Defect): string {
  return `The database cannot store the result of a step of this instance: ${message}. The step was not taken, and no data was lost. Correct the variables or move the token, then resolve the incident; or migrate or cancel the instance.`;
}
