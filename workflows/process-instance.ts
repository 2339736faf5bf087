/**
 * One process instance as one workflow: it feeds the interpreter with commands and time, and writes what happened.
 *
 * Vocabulary
 * - step: the interpreter runs until nothing moves
 * - park: everything that happened in one step, written in one transaction
 * - rotation: the instance goes on in a new run with an empty history
 */
import { CancellationScope, condition, defineSignal, makeContinueAsNewFunc, setHandler, workflowInfo } from '@temporalio/workflow';
import { isHeld } from '../engine/behaviors/hold.js';
import type { StepInputs } from '../engine/park.js';
import type { State } from '../engine/state.js';
import { nextDue } from '../engine/step.js';
import { call } from './activities.js';
import { Inbox } from './inbox.js';
import { hasSomethingToDo, hasTokensLeft, openInstance, type Instance } from './instance.js';
import { COMMAND_SIGNAL, WAKE_SIGNAL, type CommandMessage, type ProcessInstanceInput } from './messages.js';
import { Pause } from './pause.js';
import { rotationNeed, type RotationNeed, type RotationReason } from './rotation.js';
import { takeStep } from './take-step.js';

const commandSignal = defineSignal<[CommandMessage]>(COMMAND_SIGNAL);
const wakeSignal = defineSignal(WAKE_SIGNAL);

/** One step stays far below the five seconds of computing that a workflow task has. */
const MOST_COMMANDS_PER_STEP = 200;
/** The input of a run may have 2 MiB; an instance that has outgrown that stays in its run. */
const LARGEST_CARRIED_BYTES = 1_900_000;
const encoder = new TextEncoder();

/**
 * Runs a process instance from its start, or from where the run before left it, until it has ended.
 *
 * Nothing that a definition, a variable or a caller contains may throw here: an exception in a workflow is retried
 * for ever. What throws is a defect of ours, and a corrected build heals it.
 */
export async function processInstance(input: ProcessInstanceInput): Promise<void> {
  const inbox = new Inbox(input.carried?.state.lastCommand ?? 0, input.carried?.inbox);
  const pause = new Pause(input.carried?.paused === true);
  setHandler(commandSignal, (message) => inbox.receive(message));
  setHandler(wakeSignal, () => pause.wake());
  const { cancelRequested } = CancellationScope.current();
  // A park is written to its end, so a cancellation asked for in Temporal becomes a command like any other.
  await CancellationScope.nonCancellable(async () => {
    cancelRequested.catch(() => call('requestCancellation', { projectID: input.projectID, workflowID: workflowInfo().workflowId }, 'canceled in Temporal'));
    await run(await openInstance(input, inbox, pause));
  });
}

async function run(instance: Instance): Promise<void> {
  while (instance.state.status === 'RUNNING' && !instance.endedElsewhere) {
    const rotationReason = dueRotation(instance);
    if (rotationReason) {
      await takeStep(instance, { now: Date.now(), lastCommand: instance.state.lastCommand, rotate: true }, rotationReason);
    } else {
      await untilSomethingToDo(instance);
      await takeStep(instance, nextInputs(instance));
    }
    if (instance.rotated) await continueInNewRun(instance);
  }
}

function nextInputs({ inbox, decisions, pause, state }: Instance): StepInputs {
  const now = Date.now();
  if (pause.stands) return { now, lastCommand: inbox.lastReady(MOST_COMMANDS_PER_STEP), paused: true };
  const answers = decisions.answers();
  return { now, ...nextCommands(state, inbox), ...(answers.length > 0 && { answers }), ...(pause.isOver && { resumed: true }) };
}

/** What a pause has deferred comes before everything newer. */
function nextCommands({ deferred = [], lastCommand }: State, inbox: Inbox): Pick<StepInputs, 'lastCommand' | 'deferred'> {
  if (deferred.length > MOST_COMMANDS_PER_STEP) return { lastCommand, deferred: MOST_COMMANDS_PER_STEP };
  return { lastCommand: inbox.lastReady(MOST_COMMANDS_PER_STEP), ...(deferred.length > 0 && { deferred: deferred.length }) };
}

async function untilSomethingToDo(instance: Instance): Promise<void> {
  const { alarm } = instance;
  while (!hasSomethingToDo(instance)) {
    alarm.set(instance.pause.stands ? undefined : nextDue(instance.state));
    await condition(() => hasSomethingToDo(instance) || alarm.rang);
  }
}

/** Every run takes a step first, so that an instance makes progress however low a limit of the server is set. */
function dueRotation(instance: Instance): RotationReason | undefined {
  // Answers belong to the run that asked.
  if (instance.stepsInThisRun === 0 || !instance.decisions.isIdle) return undefined;
  const need = needOfRotation(instance);
  if (need.when === 'never') return undefined;
  if (need.when === 'whenQuiet' && (!instance.inbox.isEmpty || isHeld(instance.state))) return undefined;
  return encoder.encode(JSON.stringify(instance.state)).length <= LARGEST_CARRIED_BYTES ? need.reason : undefined;
}

function needOfRotation({ state, commandsInThisRun, bytesAtStart, pause }: Instance): RotationNeed {
  // The server lets a second pass between two runs, so a loop without a wait never spins a worker.
  if (hasTokensLeft(state) && !pause.wasSeen) return { when: 'now', reason: 'loop' };
  const { historyLength, historySize, continueAsNewSuggested } = workflowInfo();
  return rotationNeed({ historyEvents: historyLength, historyBytes: historySize - bytesAtStart, commands: commandsInThisRun, suggested: continueAsNewSuggested });
}

/** Search attributes go along by themselves. */
async function continueInNewRun({ input, state, parkNumber, inbox, pause, traceContext }: Instance): Promise<never> {
  const { start: _begun, ...unchanged } = input;
  return await makeContinueAsNewFunc<typeof processInstance>()({
    ...unchanged,
    carried: { state, parkNumber, inbox: inbox.references(), ...(traceContext && { traceContext }), ...(pause.wasSeen && { paused: true }) },
  });
}
