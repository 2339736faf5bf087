/**
 * One process instance as one workflow: it feeds the interpreter with commands and time, and commits the resulting
 * facts.
 *
 * Vocabulary
 * - step: one run of the interpreter until nothing moves
 * - step commit: all facts of one step, written in one transaction
 * - rotation: the instance continues in a new run with an empty history (Temporal: continue-as-new)
 */
import {
  CancellationScope,
  condition,
  defineSignal,
  makeContinueAsNewFunc,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import type { CommandMessage } from '@perdure/engine/contract/commands.js';
import { currentFlags, isEnabled } from '@perdure/engine/state/flags.js';
import type { StepInputs } from '@perdure/engine/contract/step-commit.js';
import { newState, type State } from '@perdure/engine/state/state.js';
import { nextDue } from '@perdure/engine/step.js';
import { RunIsFull } from './activities.js';
import { Cancellation } from './instance/cancellation.js';
import { Inbox } from './instance/inbox.js';
import { hasSomethingToDo, openInstance, type Ears, type Instance } from './instance/instance.js';
import { COMMAND_SIGNAL, WAKE_SIGNAL, type CarriedInstance, type ProcessInstanceInput } from './messages.js';
import { Pause } from './instance/pause.js';
import { Room } from './instance/room.js';
import { rotationNeed, type RotationNeed, type RotationReason } from './instance/rotation.js';
import { readCommands, takeStep, writeCancellation } from './instance/steps/take-step.js';

const commandSignal = defineSignal<[CommandMessage]>(COMMAND_SIGNAL);
const wakeSignal = defineSignal<[string]>(WAKE_SIGNAL);

/** A large value or a long list takes a few steps; anything that takes more is slow or endless. */
const STEPS_BETWEEN_RESTS = 10;
const REST_MS = 1_000;
/** Commands that a lost workflow task has read, and that are read again. */
const MAX_READ_AT_ONCE = 200;

/**
 * Runs a process instance from its start, or from the end of the previous run, until it has ended.
 *
 * No content of a definition, a variable or a request may cause an exception here, because Temporal retries a throwing
 * workflow indefinitely. An exception is a bug in Perdure, and a corrected build recovers from it.
 */
export async function processInstance(input: ProcessInstanceInput): Promise<void> {
  const { carried, start } = input;
  const ears: Ears = {
    inbox: new Inbox(carried?.state.lastCommand || start?.lastCommand || 0, carried?.inbox),
    pause: new Pause(carried?.paused === true),
    cancellation: new Cancellation(carried?.cancelRequested === true),
  };
  setHandler(commandSignal, (message) => ears.inbox.receive(message));
  setHandler(wakeSignal, (refusal) => ears.pause.wake(refusal));
  CancellationScope.current().cancelRequested.catch(() => ears.cancellation.request());
  await CancellationScope.nonCancellable(() => runToItsEnd(input, ears));
}

/** If the store is unavailable until the run is full, the next run commits the step. */
async function runToItsEnd(input: ProcessInstanceInput, ears: Ears): Promise<void> {
  let instance: Instance | undefined;
  try {
    instance = await openInstance(input, ears);
    if (instance) await run(instance);
  } catch (error) {
    if (!(error instanceof RunIsFull)) throw error;
    await continueInNewRun(instance ?? unopened(input, ears));
  }
}

/**
 * Decisions are evaluated right after the step that requested them: which calls are made, and when, must not depend on
 * signals that arrive in the meantime.
 */
async function run(instance: Instance): Promise<void> {
  const { cancellation, decisions, inbox } = instance;
  await decisions.evaluate(instance.state);
  while (instance.state.status === 'RUNNING' && !instance.endedElsewhere) {
    const rotationReason = dueRotation(instance);
    if (rotationReason) {
      if (reportsItsStepsFirst(instance)) await endTask(instance, () => sleep(1));
      await takeStep(
        instance,
        { now: instance.clock.now(), lastCommand: instance.state.lastCommand, rotate: true },
        rotationReason,
      );
    } else {
      await rest(instance);
      await untilSomethingToDo(instance);
      const gap = inbox.gap(MAX_READ_AT_ONCE);
      if (cancellation.isRequested) await writeCancellation(instance);
      else if (gap.length > 0) await readCommands(instance, gap);
      else if (decisions.retryIsDue) await decisions.evaluate(instance.state);
      else await takeStep(instance, nextInputs(instance));
    }
    if (instance.rotated) await continueInNewRun(instance);
  }
}

function nextInputs({ inbox, decisions, pause, state, start, clock }: Instance): StepInputs {
  const flags = start ? currentFlags() : [];
  const common = { now: clock.now(), ...(flags.length > 0 && { flags }) };
  if (pause.stands) return { ...common, lastCommand: inbox.lastReady(new Room(), true), paused: true };
  // A halted instance handles no results, because it would handle the same one again and again.
  const evaluations = isHalted(state) ? [] : decisions.evaluations();
  return {
    ...common,
    ...nextCommands(state, inbox),
    ...(evaluations.length > 0 && { evaluations }),
    ...(pause.isOver && { resumed: true }),
  };
}

/** Deferred commands come before everything newer, except that the step may let operators' commands pass. */
function nextCommands(state: State, inbox: Inbox): Pick<StepInputs, 'lastCommand' | 'deferred'> {
  const { deferred = [], lastCommand } = state;
  const room = new Room();
  const ready = inbox.deferredReady(deferred, room);
  if (ready === deferred.length) return { lastCommand: inbox.lastReady(room), ...(ready > 0 && { deferred: ready }) };
  const maySkip = isEnabled(state, 'operatorsPassDeferredCommands');
  return { lastCommand: maySkip ? inbox.lastReady(new Room()) : lastCommand, deferred: ready };
}

/** An instance that keeps working without waiting yields to others now and then. A command ends the wait. */
async function rest(instance: Instance): Promise<void> {
  const { state, inbox, cancellation } = instance;
  const { unbroken } = state;
  if (!unbroken || unbroken.deciding || unbroken.steps % STEPS_BETWEEN_RESTS !== 0) return;
  const hasNews = () => inbox.lastReady(new Room()) > state.lastCommand || cancellation.isRequested;
  if (!hasNews()) await endTask(instance, () => condition(hasNews, REST_MS));
}

async function untilSomethingToDo(instance: Instance): Promise<void> {
  const { wakeTimer, cancellation, decisions } = instance;
  const isAwake = () => hasSomethingToDo(instance) || cancellation.isRequested || decisions.retryIsDue;
  while (!isAwake()) {
    wakeTimer.set(instance.pause.stands ? undefined : nextDue(instance.state), instance.clock.now());
    await endTask(instance, () => condition(() => isAwake() || wakeTimer.fired));
  }
}

async function endTask({ load, clock }: Instance, wait: () => Promise<unknown>): Promise<void> {
  await load.endTask(wait);
  clock.advanceTo(Date.now());
}

/**
 * Every run takes a step first, so that an instance makes progress however low a server limit is set. Decision results
 * are handled in the run that requested them, unless nothing moves: the next run requests them again.
 */
function dueRotation(instance: Instance): RotationReason | undefined {
  const { decisions, pause, inbox, state } = instance;
  if (instance.stepsInThisRun === 0 || !(decisions.isIdle || pause.stands || isHalted(state))) return undefined;
  const need = needOfRotation(instance);
  if (need.when === 'never') return undefined;
  return need.when === 'whenQuiet' && (!inbox.isEmpty || isHalted(state)) ? undefined : need.reason;
}

/**
 * The server fails a workflow task that continues in a new run if a signal has arrived during it, and the report of the
 * task is lost. The steps of the task are reported first, so that only the rotation is repeated.
 */
function reportsItsStepsFirst({ load, state }: Instance): boolean {
  return load.markers > 0 && isEnabled(state, 'rotationsHaveTheirTask');
}

/** The history of a workflow task that is not completed is not in the length that Temporal has reported. */
function needOfRotation({ commandsInThisRun, bytesAtStart, load }: Instance): RotationNeed {
  const { historyLength, historySize, continueAsNewSuggested } = workflowInfo();
  return rotationNeed({
    historyEvents: historyLength + load.markers,
    historyBytes: historySize + load.bytes - bytesAtStart,
    commands: commandsInThisRun,
    suggested: continueAsNewSuggested,
  });
}

type Continued = Pick<
  Instance,
  'input' | 'state' | 'stepNumber' | 'inbox' | 'pause' | 'cancellation' | 'start' | 'traceContext'
>;

/** An instance whose graph could not be read yet. */
function unopened(input: ProcessInstanceInput, ears: Ears): Continued {
  const { carried, start } = input;
  return {
    input,
    ...ears,
    state: carried?.state ?? newState(workflowInfo().workflowId),
    stepNumber: carried?.stepNumber ?? 0,
    start,
    traceContext: carried?.traceContext,
  };
}

/** Far more than have values: what a run could not remove in its time, the runs after it do. */
const MAX_RUNS_BEFORE = 16;

/** Search attributes carry over automatically. */
async function continueInNewRun({
  input,
  state,
  stepNumber,
  inbox,
  pause,
  cancellation,
  start,
  traceContext,
}: Continued): Promise<never> {
  const { start: _given, ...unchanged } = input;
  const { originalExecutionRunId, runId } = workflowInfo();
  const carried: CarriedInstance = {
    state,
    stepNumber,
    runsBefore: [...(input.carried?.runsBefore ?? []), originalExecutionRunId || runId].slice(-MAX_RUNS_BEFORE),
    inbox: inbox.references(),
    ...(traceContext && { traceContext }),
    ...(pause.wasSeen && { paused: true }),
    ...(cancellation.isRequested && { cancelRequested: true }),
  };
  return await makeContinueAsNewFunc<typeof processInstance>()({ ...unchanged, ...(start && { start }), carried });
}
