/** One step of an instance and its commit. */
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { activeNodes } from '@perdure/engine/state/active-nodes.js';
import type { Command, StartInput, UnwrittenResult } from '@perdure/engine/contract/commands.js';
import type { Fact, FactOf } from '@perdure/engine/contract/facts.js';
import { differenceOf } from '@perdure/engine/state/facts-digest.js';
import { guardedStep, type GuardedStep } from '@perdure/engine/guarded-step.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { Model } from '@perdure/engine/model/model.js';
import type {
  CommitAnswer,
  CommitContext,
  Exchange,
  ExchangeAnswer,
  ReadAnswer,
  ReadRequest,
  RecordedInputs,
  StepCommit,
  StepInputs,
} from '@perdure/engine/contract/step-commit.js';
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import { ROOT, type DefinitionReference, type State } from '@perdure/engine/state/state.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import { deferredKinds } from '@perdure/engine/handlers/index.js';
import { nextDue, step, stepPaused, stepRotation } from '@perdure/engine/step.js';
import { call } from '../activities.js';
import { describeState, inWords, summarizeState } from './ui-details.js';
import { hostLog } from '../host-log.js';
import { isKept, isReference, isUnwritten } from './inbox.js';
import type { Instance } from './instance.js';
import { lingerRequest, noteTaskTypes } from './linger.js';
import { LARGEST_INLINE_GRAPH_BYTES, SEARCH_ATTRIBUTES } from '../messages.js';
import { modelFor } from '../models.js';
import type { RotationReason } from './rotation.js';

/** Distance of snapshots: reading an instance folds its facts from the last snapshot on. */
const STEPS_PER_SNAPSHOT = 32;
const encoder = new TextEncoder();

interface Step extends GuardedStep {
  inputs: StepInputs;
  /** Trace context of the cause of the step. */
  traceContext: TraceContext | undefined;
  /** The job result that its commit must write. */
  result: UnwrittenResult | undefined;
}

/**
 * Takes and commits a step, or first reads what the step needs. If the store already has a commit of this number, from an
 * attempt whose workflow task was lost, the step is repeated with exactly the inputs of that attempt.
 */
export async function takeStep(instance: Instance, inputs: StepInputs, rotationReason?: RotationReason): Promise<void> {
  const missing = missingFor(instance, inputs);
  if (missing) return follow(instance, await read(instance, missing));
  const attempt = compute(instance, inputs);
  const commit = commitOf(instance, attempt, rotationReason);
  const summary = inWords(() => summarizeState(attempt.model, attempt.state));
  const answer = await exchange(instance, { kind: 'commit', commit, context: contextOf(instance, attempt) }, summary);
  return follow(instance, answer, attempt);
}

/** Reads commands that have not arrived. */
export async function readCommands(instance: Instance, numbers: number[]): Promise<void> {
  await follow(instance, await read(instance, { commands: numbers, kindsOnly: [], graphs: [] }));
}

/** Writes a command for the cancellation that was requested in Temporal. */
export async function writeCancellation(instance: Instance): Promise<void> {
  const { projectID } = instance.input;
  const { workflowID } = instance.state;
  await follow(instance, await exchange(instance, { kind: 'cancel', projectID, workflowID }, 'canceled in Temporal'));
}

function read(instance: Instance, request: ReadRequest): Promise<ExchangeAnswer> {
  const [first] = request.commands;
  const summary = first === undefined ? 'another version' : `command ${first}`;
  return exchange(instance, { kind: 'read', workflowID: instance.state.workflowID, ...request }, summary);
}

async function exchange({ load }: Instance, asked: Exchange, summary: string): Promise<ExchangeAnswer> {
  return call(load, 'park', asked, summary);
}

/**
 * Does what the store answered, whatever was asked (see `Exchange`).
 * @param attempt the step whose commit was requested, if it was a commit
 */
async function follow(instance: Instance, answer: ExchangeAnswer, attempt?: Step): Promise<void> {
  const { cancellation, inbox, pause } = instance;
  switch (answer.kind) {
    case 'read':
      return receive(instance, answer);
    case 'cancelWritten':
      return cancellation.written();
    case 'accepted': {
      takeNews(instance, answer);
      const written = asWritten(instance, attempt, answer.inputs);
      // A step that was computed and committed in one attempt has the same facts.
      if (answer.repeated || workflowInfo().unsafe.isReplaying) check(instance, written, answer.digest);
      return applyCommitted(instance, written, answer.lingeredMs);
    }
    case 'adopt': {
      takeNews(instance, answer);
      // The store has the command that the committed step handled.
      inbox.withdrawResult();
      const adopted = await computeAdopted(instance, answer.inputs);
      check(instance, adopted, answer.digest);
      return applyCommitted(instance, adopted);
    }
    case 'paused':
      takeNews(instance, answer);
      return pause.refuse(answer.refusal);
    case 'withdrawn':
      takeNews(instance, answer);
      return inbox.withdrawResult();
    case 'ended':
      instance.endedElsewhere = true;
  }
}

function takeNews(instance: Instance, answer: CommitAnswer): void {
  const { inbox, load } = instance;
  instance.isBehind = 'behind' in answer;
  const { commands = [] } = answer;
  for (const command of commands) inbox.add(command);
  if (commands.some((command) => !isUnwritten(command))) load.addSignal();
}

function receive({ inbox, targets }: Instance, { commands, graphs }: ReadAnswer): void {
  for (const command of commands) inbox.fill(command);
  for (const { sha256, graph } of graphs) targets.set(sha256, modelFor(sha256, graph));
  if (commands.length === 0 && graphs.length === 0) inbox.dropUnreadable();
}

function contextOf(instance: Instance, attempt: Step): CommitContext {
  const { input, inbox, stepsInThisRun } = instance;
  const linger = lingerRequest(instance, attempt);
  const runsEnded = stepsInThisRun === 0 ? input.carried?.runsBefore?.slice(0, -1) : undefined;
  return {
    received: Math.max(inbox.lastReceived, attempt.inputs.lastCommand),
    ...(linger && { linger }),
    ...(runsEnded && runsEnded.length > 0 && { runsEnded }),
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
 * The committed step, which need not be the one just taken: a replay may see a later time and later commands than the
 * original did.
 */
function asWritten(instance: Instance, attempt: Step | undefined, written: RecordedInputs | undefined): Step {
  const { answers: _inHistory, ...taken } = attempt?.inputs ?? {};
  if (attempt && (!written || sameInputs(written, taken as RecordedInputs))) return attempt;
  const answers = written!.paused || written!.rotate || isHalted(instance.state) ? [] : instance.decisions.answers();
  return compute(instance, { ...written!, ...(answers.length > 0 && { answers }) });
}

/**
 * The step of an earlier attempt. What it handled is always read from the store: which of it has arrived here depends on
 * when Temporal delivered signals.
 */
async function computeAdopted(instance: Instance, inputs: StepInputs): Promise<Step> {
  const commands = new Map<number, Command>();
  const numbers = numbersOf(instance.state, inputs);
  const kindsOnly = inputs.paused ? deferredKinds : [];
  while (commands.size < numbers.length) {
    const missing = numbers.filter((number) => !commands.has(number));
    const answer = await read(instance, { commands: missing, kindsOnly, graphs: [] });
    const found = answer.kind === 'read' ? answer.commands : [];
    if (found.length === 0)
      throw new Error(
        `Instance ${instance.state.workflowID} has no command ${missing[0]} in the store, which its step ${instance.parkNumber + 1} handled`,
      );
    for (const command of found) commands.set(command.number, command);
  }
  const graphs = missingTargets(instance, commands.values());
  const answer = graphs.length > 0 ? await read(instance, { commands: [], kindsOnly: [], graphs }) : undefined;
  if (answer?.kind === 'read') receive(instance, answer);
  return compute(instance, inputs, commands);
}

function sameInputs(one: RecordedInputs, other: RecordedInputs): boolean {
  const names = Object.keys({ ...one, ...other }) as (keyof RecordedInputs)[];
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

/**
 * Leaves the instance unchanged: the step has not happened before it is committed.
 * @param given commands by number (default: those that have arrived)
 */
function compute(instance: Instance, inputs: StepInputs, given?: ReadonlyMap<number, Command>): Step {
  const commands = numbersOf(instance.state, inputs).map(
    (number) => given?.get(number) ?? arrived(instance, number, inputs.paused === true),
  );
  const traceContext = commands.findLast((command) => command.traceContext)?.traceContext ?? instance.traceContext;
  const taken = stepGuarded(instance, inputs, commands);
  const { message, command } = taken.defect ?? {};
  return {
    ...taken,
    inputs: {
      ...inputs,
      ...(message !== undefined && { defect: { message, ...(command !== undefined && { command }) } }),
    },
    traceContext,
    result: commands.find(isUnwritten),
  };
}

function stepGuarded(
  { model, state: before, start: asked, input, targets }: Instance,
  inputs: StepInputs,
  given: readonly Command[],
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

/** Numbers of the commands that the step handles: deferred ones, then those after the last one handled. */
function numbersOf(state: State, { lastCommand, deferred = 0 }: StepInputs): number[] {
  const numbers = (state.deferred ?? []).slice(0, deferred).map(({ number }) => number);
  for (let number = state.lastCommand + 1; number <= lastCommand; number += 1) numbers.push(number);
  return numbers;
}

/**
 * Must be read before the step can be taken: large commands, ones that only an earlier run received, and the versions
 * that instances are migrated to.
 */
function missingFor(instance: Instance, inputs: StepInputs): ReadRequest | undefined {
  const paused = inputs.paused === true;
  const numbers = numbersOf(instance.state, inputs);
  const commands = numbers.filter((number) => !hasArrived(instance, number, paused));
  if (commands.length > 0) return { commands, kindsOnly: [], graphs: [] };
  const graphs = missingTargets(
    instance,
    numbers.map((number) => arrived(instance, number, paused)),
  );
  return graphs.length > 0 ? { commands: [], kindsOnly: [], graphs } : undefined;
}

function missingTargets({ targets }: Instance, commands: Iterable<Command>): string[] {
  const missing = new Set<string>();
  for (const command of commands)
    if (command.kind === 'MIGRATE' && 'target' in command && !targets.has(command.target.graphSha256))
      missing.add(command.target.graphSha256);
  return [...missing];
}

/** A deferred command is recorded now and read on resume, or never. */
function hasArrived({ inbox }: Instance, number: number, paused: boolean): boolean {
  const message = inbox.get(number);
  return message !== undefined && (!isReference(message) || (paused && isKept(message)));
}

/** @throws if the command has not arrived: a replay follows another history than this build's */
function arrived({ inbox, state }: Instance, number: number, paused: boolean): Command {
  const message = inbox.get(number);
  if (message && paused && isKept(message)) return { number, kind: message.kind } as Command;
  if (message && !isReference(message)) return message;
  throw new Error(`Instance ${state.workflowID} has not read command ${number}, which its next step handles`);
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
 * @param lingeredMs how long its commit took if it lingered, in milliseconds: a timer may have become due since the step
 */
async function applyCommitted(
  instance: Instance,
  { inputs, facts, state, model }: Step,
  lingeredMs?: number,
): Promise<void> {
  const { input, inbox, wakeTimer, clock, decisions, targets, taskTypes, state: before } = instance;
  instance.state = state;
  clock.advanceTo(inputs.now + (lingeredMs ?? 0));
  targets.clear();
  noteTaskTypes(taskTypes, facts);
  if (state.definition && state.definition !== before.definition) goOnWith(instance, state.definition, model);
  instance.parkNumber += 1;
  instance.start = undefined;
  instance.stepsInThisRun += 1;
  instance.commandsInThisRun += state.lastCommand - before.lastCommand;
  instance.rotated = inputs.rotate === true && facts.some((fact) => fact.kind === 'INSTANCE_ROTATED');
  if (!inputs.rotate) instance.pause.stepTaken(inputs.paused === true);
  inbox.markHandled(state.lastCommand, state.deferred ?? []);
  decisions.forgetTaken(state);
  if (input.searchAttributes) showIncidents(before, state);
  setCurrentDetails(inWords(() => describeState(model, state)));
  const due = instance.pause.stands ? undefined : nextDue(state);
  // The next step handles it.
  const isDue = lingeredMs !== undefined && due !== undefined && due <= clock.reached;
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
