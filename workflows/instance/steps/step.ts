/** Steps of an instance before they are committed. */
import type { Command, UnwrittenResult } from '@perdure/engine/contract/commands.js';
import type { ReadRequest, StepInputs } from '@perdure/engine/contract/step-commit.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import type { Defect } from '@perdure/engine/defect.js';
import type { GuardedStep } from '@perdure/engine/guarded-step.js';
import { numbersOf, stepOf } from '@perdure/engine/recorded-step.js';
import { hostLog } from '../../host-log.js';
import { isKept, isReference, isUnwritten } from '../inbox.js';
import type { Instance } from '../instance.js';

export interface Step extends GuardedStep {
  inputs: StepInputs;
  /** The commands that it handled. */
  commands: readonly Command[];
  /** Trace context of the cause of the step. */
  traceContext: TraceContext | undefined;
  /** The job result that its commit must write. */
  result: UnwrittenResult | undefined;
}

/**
 * Leaves the instance unchanged: the step has not happened before it is committed.
 * @param given commands by number (default: those that have arrived)
 */
export function compute(instance: Instance, inputs: StepInputs, given?: ReadonlyMap<number, Command>): Step {
  const commands = numbersOf(instance.state, inputs).map(
    (number) => given?.get(number) ?? arrived(instance, number, inputs.paused === true),
  );
  const traceContext = commands.findLast((command) => command.traceContext)?.traceContext ?? instance.traceContext;
  const { model, state, start, input, targets } = instance;
  const taken = stepOf(model, state, inputs, { start, commands, targets, maxRotations: input.maxRotations });
  if (taken.defect && !inputs.defect) hostLog.defect(taken.defect);
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

/**
 * Must be read before the step can be taken: large commands, ones that only an earlier run received, and the versions
 * that instances are migrated to.
 */
export function missingFor(instance: Instance, inputs: StepInputs): ReadRequest | undefined {
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

export function missingTargets({ targets }: Instance, commands: Iterable<Command>): string[] {
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
