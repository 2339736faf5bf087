/** One step of an instance and its commit. */
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import { activeNodes } from '@perdure/engine/state/active-nodes.js';
import type { Command, StartInput, UnwrittenResult } from '@perdure/engine/contract/commands.js';
import type { Fact, FactOf } from '@perdure/engine/contract/facts.js';
import type { Defect } from '@perdure/engine/defect.js';
import { differenceOf } from '@perdure/engine/state/facts-digest.js';
import { guardedStep, type GuardedStep } from '@perdure/engine/guarded-step.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { Model } from '@perdure/engine/model/model.js';
import type { CommitContext, StepCommit, RecordedInputs, StepInputs } from '@perdure/engine/contract/step-commit.js';
import { ROOT, type DefinitionReference, type State } from '@perdure/engine/state/state.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import { nextDue, step, stepPaused, stepRotation } from '@perdure/engine/step.js';
import { call, Retries, RunIsFull } from '../activities.js';
import { describeState, inWords, summarizeState } from './ui-details.js';
import { hostLog } from '../host-log.js';
import { isKept, isReference, isUnwritten } from './inbox.js';
import type { Instance } from './instance.js';
import { lingerRequest, noteTaskTypes } from './linger.js';
import { LARGEST_INLINE_GRAPH_BYTES, SEARCH_ATTRIBUTES } from '../messages.js';
import { modelFor } from '../models.js';
import type { RotationReason } from './rotation.js';
import type { TaskLoad } from './task-load.js';
import { insteadOf, type UnstorableStep } from './unstorable.js';

/** Distance of snapshots: reading an instance folds its facts from the last snapshot on. */
const STEPS_PER_SNAPSHOT = 32;
const CLOCK_DIFFERENCE_MS = 60 * 60 * 1000;
const encoder = new TextEncoder();

interface Step extends GuardedStep {
  inputs: StepInputs;
  commands: readonly Command[];
  /** Trace context of the cause of the step. */
  traceContext: TraceContext | undefined;
  /** The job result that its commit must write. */
  result: UnwrittenResult | undefined;
}

/**
 * Takes and commits a step. If the store already has a commit of this number, from an attempt whose workflow task was
 * lost, the step is repeated with exactly the inputs of that attempt. If the store cannot store it, another step is taken
 * instead.
 */
export async function takeStep(instance: Instance, inputs: StepInputs, rotationReason?: RotationReason): Promise<void> {
  const retries = new Retries(instance.load, 'park');
  for (let asked = inputs; ;) {
    const refused = await tryStep(instance, asked, rotationReason);
    if (!refused) return;
    if (inputs.rotate && isHalted(instance.state)) throw new RunIsFull('The rotation cannot be stored');
    const smaller = insteadOf(instance, refused);
    if (smaller) asked = smaller;
    else await retries.wait();
  }
}

/** @returns the step and the message of the store if it cannot be stored */
async function tryStep(
  instance: Instance,
  inputs: StepInputs,
  rotationReason: RotationReason | undefined,
): Promise<UnstorableStep | undefined> {
  const refusable = instance.pause.attempt();
  const attempt = await compute(instance, inputs);
  const calledAt = instance.clock.now();
  const answer = await call(
    instance.load,
    'park',
    commitOf(instance, attempt, rotationReason),
    inWords(() => summarizeState(attempt.model, attempt.state)),
    contextOf(instance, attempt),
  );
  const { lingeredMs } = answer;
  if (lingeredMs !== undefined) instance.clock.advanceTo(calledAt + lingeredMs);
  instance.isBehind = 'behind' in answer;
  for (const command of answer.commands ?? []) instance.inbox.add(command);
  switch (answer.kind) {
    case 'accepted': {
      const written = await asWritten(instance, attempt, answer.inputs);
      // A step that was computed and committed in one attempt has the same facts.
      if (answer.repeated || workflowInfo().unsafe.isReplaying) check(instance, written, answer.digest);
      await applyCommitted(instance, written, lingeredMs !== undefined);
      return undefined;
    }
    case 'adopt': {
      // The store has the command that the committed step handled.
      if (attempt.result) instance.inbox.withdraw(attempt.result.number);
      const adopted = await compute(instance, answer.inputs);
      check(instance, adopted, answer.digest);
      await applyCommitted(instance, adopted, false);
      return undefined;
    }
    case 'paused':
      instance.pause.refuse(refusable);
      return undefined;
    case 'withdrawn':
      instance.inbox.withdraw(attempt.result!.number);
      return undefined;
    case 'unstorable':
      return { inputs: attempt.inputs, commands: attempt.commands, message: answer.message };
    case 'ended':
      instance.endedElsewhere = true;
      return undefined;
  }
}

function contextOf(instance: Instance, attempt: Step): CommitContext {
  const { input, inbox, stepsInThisRun } = instance;
  const linger = lingerRequest(instance, attempt);
  return {
    received: Math.max(inbox.lastReceived, attempt.inputs.lastCommand),
    ...(linger && { linger }),
    // The first step of a later run cleans up after earlier runs; their clocks and Postgres's may differ.
    ...(input.carried &&
      stepsInThisRun === 0 && { endedBefore: workflowInfo().runStartTime.getTime() - CLOCK_DIFFERENCE_MS }),
  };
}

/**
 * State and rows must not diverge silently.
 * @throws if the step has different facts than were committed: the workflow task fails until a build computes the same
 *   facts
 */
function check({ state, parkNumber }: Instance, { facts }: Step, digest: string | undefined): void {
  const difference = digest === undefined ? undefined : differenceOf(digest, facts);
  if (difference === undefined) return;
  hostLog.factsDiffer(parkNumber + 1, difference);
  throw new Error(
    `This build cannot repeat step ${parkNumber + 1} of instance ${state.workflowID}: ${difference}. Go back to the build that committed it, or put the change behind a flag.`,
  );
}

/**
 * The committed step, which need not be the one just taken: if a workflow task outlives its timeout during the commit,
 * SDK 1.24 replays the preceding part with the time of the following task.
 */
async function asWritten(instance: Instance, attempt: Step, written: RecordedInputs | undefined): Promise<Step> {
  const { answers, ...taken } = attempt.inputs;
  if (!written || sameInputs(written, taken)) return attempt;
  return compute(instance, { ...written, ...(answers && { answers }) });
}

function sameInputs(one: RecordedInputs, other: RecordedInputs): boolean {
  const names = Object.keys({ ...one, ...other }) as (keyof RecordedInputs)[];
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

/** Leaves the instance unchanged: the step has not happened before it is committed. */
async function compute(instance: Instance, inputs: StepInputs): Promise<Step> {
  const commands = await commandsFor(instance, inputs);
  const targets = await loadTargets(instance.load, commands);
  const traceContext = commands.findLast((command) => command.traceContext)?.traceContext ?? instance.traceContext;
  const taken = stepGuarded(instance, inputs, commands, targets);
  return {
    ...taken,
    inputs: { ...inputs, ...(taken.defect && { defect: recorded(taken.defect) }) },
    commands,
    traceContext,
    result: commands.find(isUnwritten),
  };
}

/** Without the stack, which differs between builds. */
function recorded({ stack: _stack, ...defect }: Defect): StepInputs['defect'] {
  return defect;
}

function stepGuarded(
  { model, state: before, start: asked, input }: Instance,
  inputs: StepInputs,
  given: readonly Command[],
  targets: Map<string, Model>,
): GuardedStep {
  const { now, rotate, answers, flags, paused, resumed } = inputs;
  const start = asked && { ...asked, ...(flags && { flags }) };
  const common = { now, targets, ...(start && { start }) };
  const take = (state: State, commands: readonly Command[]) => {
    if (rotate) return stepRotation(model, state, now, input.maxRotations);
    if (paused) return stepPaused(model, state, { ...common, commands });
    return step(model, state, { ...common, commands, ...(answers && { answers }), ...(resumed && { resumed }) });
  };
  const taken = guardedStep(model, before, { ...common, commands: given }, take, inputs.defect);
  if (taken.defect && !inputs.defect) hostLog.defect(taken.defect);
  return taken;
}

/** The target versions of migrations; a replay finds their graphs in the history. */
async function loadTargets(load: TaskLoad, commands: readonly Command[]): Promise<Map<string, Model>> {
  const targets = new Map<string, Model>();
  for (const command of commands) {
    if (command.kind !== 'MIGRATE') continue;
    const { graphSha256, version } = command.target;
    targets.set(
      graphSha256,
      modelFor(graphSha256, await call(load, 'loadGraph', { graphSha256 }, `version ${version}`)),
    );
  }
  return targets;
}

/**
 * Deferred commands, then those after the last one handled. Large ones, and ones that only a lost attempt or an earlier
 * run received, are in the store.
 */
async function commandsFor(
  { inbox, state, load }: Instance,
  { lastCommand, paused, deferred = 0 }: StepInputs,
): Promise<Command[]> {
  const numbers = (state.deferred ?? []).slice(0, deferred).map(({ number }) => number);
  for (let number = state.lastCommand + 1; number <= lastCommand; number += 1) numbers.push(number);
  const commands: Command[] = [];
  for (const number of numbers) {
    const message = inbox.get(number);
    if (message && !isReference(message)) {
      commands.push(message);
    } else if (message && paused && isKept(message)) {
      // A deferred command is recorded now and read on resume, or never.
      commands.push({ number, kind: message.kind } as Command);
    } else {
      const command = await call(load, 'loadCommand', { workflowID: state.workflowID, number }, `command ${number}`);
      inbox.fill(command);
      commands.push(command);
    }
  }
  return commands;
}

function commitOf(
  instance: Instance,
  { inputs, facts, outcomes, traceContext, result, state, model }: Step,
  rotationReason?: RotationReason,
): StepCommit {
  const number = instance.parkNumber + 1;
  const variables = changedVariables(facts, state, instance.start);
  const timerLatenessMs = latenessOf(instance, inputs.now);
  const incidentScopes = scopesOfIncidents(facts, state);
  return {
    workflowID: state.workflowID,
    number,
    inputs,
    facts,
    outcomes,
    ...(variables && { variables }),
    ...(state.status === 'RUNNING' && { activeNodes: activeNodes(model, state) }),
    ...(incidentScopes && { incidentScopes }),
    ...(number % STEPS_PER_SNAPSHOT === 0 && { snapshot: state }),
    ...(traceContext && { traceContext }),
    ...(result && { result: { ...result, projectID: instance.input.projectID } }),
    ...((rotationReason || timerLatenessMs !== undefined) && {
      measured: {
        ...(rotationReason && { rotationReason }),
        ...(timerLatenessMs !== undefined && { timerLatenessMs }),
      },
    }),
  };
}

/** The process's own incidents are in its own scope. */
function scopesOfIncidents(facts: readonly Fact[], state: State): Record<number, number> | undefined {
  const raised = facts.filter((fact): fact is FactOf<'INCIDENT_RAISED'> => fact.kind === 'INCIDENT_RAISED');
  const open = raised.filter(({ incident }) => state.incidents[incident] !== undefined);
  if (open.length === 0) return undefined;
  const scopeOf = (element: number) => (element === ROOT ? ROOT : state.elements[element]!.scope);
  return Object.fromEntries(open.map(({ incident, element }) => [incident, scopeOf(element)]));
}

function latenessOf({ state, pause }: Instance, now: number): number | undefined {
  const due = !pause.wasSeen && state.status === 'RUNNING' ? nextDue(state) : undefined;
  return due !== undefined && due <= now ? now - due : undefined;
}

/** The process's own variables if they changed in the step; the initial ones are already in the instance's row. */
function changedVariables(facts: readonly Fact[], state: State, start: StartInput | undefined): Variables | undefined {
  const changes = facts.filter(
    (fact) => (fact.kind === 'VARIABLES_SET' || fact.kind === 'VARIABLES_CLEARED') && fact.scope === ROOT,
  );
  const given = start && Object.keys(start.variables).length > 0 ? 1 : 0;
  return changes.length > given ? (state.elements[ROOT]!.variables ?? {}) : undefined;
}

/**
 * Applies the committed step to the state of the run.
 * @param hasLingered a timer may have become due since the step; the next step handles it
 */
async function applyCommitted(
  instance: Instance,
  { inputs, facts, state, model }: Step,
  hasLingered: boolean,
): Promise<void> {
  const { input, inbox, wakeTimer, clock, decisions, taskTypes, state: before } = instance;
  instance.state = state;
  noteTaskTypes(taskTypes, facts);
  if (state.definition && state.definition !== before.definition) goOnWith(instance, state.definition, model);
  instance.parkNumber += 1;
  instance.start = undefined;
  instance.stepsInThisRun += 1;
  instance.commandsInThisRun += state.lastCommand - before.lastCommand;
  instance.rotated = inputs.rotate === true && facts.some((fact) => fact.kind === 'INSTANCE_ROTATED');
  // A substitute for another step does not begin or end a pause.
  if (!inputs.rotate && !inputs.defect?.unstorable) instance.pause.stepTaken(inputs.paused === true);
  inbox.markHandled(state.lastCommand, state.deferred ?? []);
  decisions.forgetTaken(state);
  if (input.searchAttributes) showIncidents(before, state);
  setCurrentDetails(inWords(() => describeState(model, state)));
  const due = instance.pause.stands ? undefined : nextDue(state);
  const isDue = hasLingered && due !== undefined && due <= clock.now();
  if (state.status === 'RUNNING' && !instance.rotated && !isDue) wakeTimer.set(due, clock.now());
  if (!instance.rotated) await decisions.evaluate(state);
}

/** Another version of the process, with which the next run starts. */
function goOnWith(instance: Instance, { definitionID, graphSha256 }: DefinitionReference, model: Model): void {
  const { graph: _before, ...input } = instance.input;
  const isSmall = encoder.encode(JSON.stringify(model.graph)).length < LARGEST_INLINE_GRAPH_BYTES;
  instance.model = model;
  instance.input = { ...input, definitionID, graphSha256, ...(isSmall && { graph: model.graph }) };
}

/** An upsert is an event in the history, so it happens only when the first incident opens or the last one closes. */
function showIncidents(before: State, after: State): void {
  const has = hasIncident(after);
  if (has === hasIncident(before)) return;
  upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.incident, value: has }]);
}

function hasIncident(state: State): boolean {
  return Object.keys(state.incidents).length > 0;
}
