/** One step of an instance and its commit. */
import { workflowInfo } from '@temporalio/workflow';
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import type { Command } from '@perdure/engine/contract/commands.js';
import type {
  CommitAnswer,
  ReadAnswer,
  ReadRequest,
  RecordedInputs,
  StepInputs,
} from '@perdure/engine/contract/step-commit.js';
import { deferredKinds } from '@perdure/engine/handlers/index.js';
import { numbersOf } from '@perdure/engine/recorded-step.js';
import { differenceOf } from '@perdure/engine/state/facts-digest.js';
import { RunIsFull } from '../../activities.js';
import { hostLog } from '../../host-log.js';
import { modelFor } from '../../models.js';
import { applyCommitted } from './apply-committed.js';
import { commitOf, contextOf } from './commit-of.js';
import { Attempts, exchange, type FollowedAnswer } from '../exchange.js';
import { isUnwritten } from '../inbox.js';
import type { Instance } from '../instance.js';
import type { RotationReason } from '../rotation.js';
import { compute, missingFor, missingTargets, type Step } from './step.js';
import { inWords, summarizeState } from '../ui-details.js';
import { insteadOf, type UnstorableStep } from './unstorable.js';

/**
 * Takes and commits a step, or first reads what the step needs. If the store already has a commit of this number, from an
 * attempt whose workflow task was lost, the step is repeated with exactly the inputs of that attempt. If the store cannot
 * store it, or not keep its messages, another step is taken instead.
 */
export async function takeStep(instance: Instance, inputs: StepInputs, rotationReason?: RotationReason): Promise<void> {
  const attempts = new Attempts(instance);
  let asked = inputs;
  for (;;) {
    const refused = await tryStep(instance, asked, attempts, rotationReason);
    if (!refused) return;
    if (inputs.rotate && isHalted(instance.state)) throw new RunIsFull('The rotation cannot be stored');
    const other = insteadOf(instance, refused);
    if (other) asked = other;
    else await attempts.wait();
  }
}

/** @returns the step and the message of the store if it cannot be stored */
async function tryStep(
  instance: Instance,
  inputs: StepInputs,
  attempts: Attempts,
  rotationReason: RotationReason | undefined,
): Promise<UnstorableStep | undefined> {
  const missing = missingFor(instance, inputs);
  if (missing) return follow(instance, await read(instance, missing));
  const attempt = compute(instance, inputs);
  const commit = commitOf(instance, attempt, rotationReason);
  const summary = inWords(() => summarizeState(attempt.model, attempt.state));
  const asked = { kind: 'commit' as const, commit, context: contextOf(instance, attempt) };
  return follow(instance, await exchange(instance, asked, summary, attempts), attempt);
}

/** Reads commands that have not arrived. */
export async function readCommands(instance: Instance, numbers: number[]): Promise<void> {
  await follow(instance, await read(instance, { commands: numbers, kindsOnly: [], graphs: [] }));
}

/** Writes a command for the cancellation that was requested in Temporal. */
export async function writeCancellation(instance: Instance): Promise<void> {
  const { workflowID } = instance.state;
  await follow(instance, await exchange(instance, { kind: 'cancel', workflowID }, 'canceled in Temporal'));
}

function read(instance: Instance, request: ReadRequest): Promise<FollowedAnswer> {
  const [first] = request.commands;
  const summary = first === undefined ? 'another version' : `command ${first}`;
  return exchange(instance, { kind: 'read', workflowID: instance.state.workflowID, ...request }, summary);
}

/**
 * Does what the store answered, whatever was asked (see `Exchange`).
 * @param attempt the step whose commit was requested, if it was a commit
 * @returns the step if it cannot be stored
 */
async function follow(instance: Instance, answer: FollowedAnswer, attempt?: Step): Promise<UnstorableStep | undefined> {
  const { cancellation, inbox, pause } = instance;
  switch (answer.kind) {
    case 'read':
      receive(instance, answer);
      break;
    case 'cancelWritten':
      cancellation.written();
      break;
    case 'accepted':
      takeNews(instance, answer);
      await applyAccepted(instance, answer, attempt);
      break;
    case 'adopt':
      takeNews(instance, answer);
      // The store has the command that the committed step handled.
      inbox.withdrawResult();
      await adopt(instance, answer);
      break;
    case 'paused':
      takeNews(instance, answer);
      pause.refuse(answer.refusal);
      break;
    case 'withdrawn':
      takeNews(instance, answer);
      inbox.withdrawResult();
      break;
    case 'unkept':
    case 'unstorable': {
      takeNews(instance, answer);
      const { inputs, commands } = asWritten(instance, attempt, answer.inputs);
      return { inputs, commands, message: answer.message, ...(answer.kind === 'unkept' && { unkept: true }) };
    }
    case 'ended':
      instance.endedElsewhere = true;
  }
  return undefined;
}

async function applyAccepted(
  instance: Instance,
  { inputs, digest, repeated, lingeredMs }: Extract<CommitAnswer, { kind: 'accepted' }>,
  attempt: Step | undefined,
): Promise<void> {
  const written = asWritten(instance, attempt, inputs);
  // A step that was computed and committed in one attempt has the same facts.
  if (repeated || workflowInfo().unsafe.isReplaying) check(instance, written, digest);
  await applyCommitted(instance, written, lingeredMs);
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

/**
 * State and rows must not diverge silently.
 * @throws if the step has different facts than were committed: the workflow task fails until a build computes the same
 *   facts
 */
function check({ state, stepNumber }: Instance, { facts }: Step, digest: string): void {
  const difference = differenceOf(digest, facts);
  if (difference === undefined) return;
  hostLog.factsDiffer(stepNumber + 1, difference);
  throw new Error(
    `This build cannot repeat step ${stepNumber + 1} of instance ${state.workflowID}: ${difference}. Go back to the build that committed it, or put the change behind a flag.`,
  );
}

/**
 * The committed step, which need not be the one just taken: a replay may see a later time and later commands than the
 * original did.
 */
function asWritten(instance: Instance, attempt: Step | undefined, written: RecordedInputs): Step {
  const { evaluations: _inHistory, ...taken } = attempt?.inputs ?? {};
  if (attempt && sameInputs(written, taken as RecordedInputs)) return attempt;
  const evaluations =
    written.paused || written.rotate || isHalted(instance.state) ? [] : instance.decisions.evaluations();
  return compute(instance, { ...written, ...(evaluations.length > 0 && { evaluations }) });
}

/** Takes the step of an earlier attempt, unless the instance is ended while what it needs cannot be read. */
async function adopt(instance: Instance, { inputs, digest }: Extract<CommitAnswer, { kind: 'adopt' }>): Promise<void> {
  const commands = await readAdopted(instance, inputs);
  const graphs = commands ? missingTargets(instance, commands.values()) : [];
  const answer = graphs.length > 0 ? await read(instance, { commands: [], kindsOnly: [], graphs }) : undefined;
  if (!commands || answer?.kind === 'ended') {
    instance.endedElsewhere = true;
    return;
  }
  if (answer?.kind === 'read') receive(instance, answer);
  const adopted = compute(instance, inputs, commands);
  check(instance, adopted, digest);
  await applyCommitted(instance, adopted);
}

/**
 * The commands of an adopted step, by number. All of them are read from the store: which ones have arrived here depends on
 * when Temporal delivered signals.
 * @returns undefined if the instance was ended
 */
async function readAdopted(instance: Instance, inputs: StepInputs): Promise<Map<number, Command> | undefined> {
  const commands = new Map<number, Command>();
  const numbers = numbersOf(instance.state, inputs);
  const kindsOnly = inputs.paused ? deferredKinds : [];
  while (commands.size < numbers.length) {
    const missing = numbers.filter((number) => !commands.has(number));
    const answer = await read(instance, { commands: missing, kindsOnly, graphs: [] });
    if (answer.kind === 'ended') return undefined;
    const found = answer.kind === 'read' ? answer.commands : [];
    if (found.length === 0)
      throw new Error(
        `Instance ${instance.state.workflowID} has no command ${missing[0]} in the store, which its step ${instance.stepNumber + 1} handled`,
      );
    for (const command of found) commands.set(command.number, command);
  }
  return commands;
}

function sameInputs(one: RecordedInputs, other: RecordedInputs): boolean {
  const names = Object.keys({ ...one, ...other }) as (keyof RecordedInputs)[];
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
