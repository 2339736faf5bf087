/**
 * The step to take instead of one that the store refuses for its content. It finds the input that is to blame, and then
 * leaves out what that leads to.
 */
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import type { Command, CommandKind } from '@perdure/engine/contract/commands.js';
import type { StepInputs } from '@perdure/engine/contract/step-commit.js';
import type { Instance } from '../instance.js';

export interface UnstorableStep {
  inputs: StepInputs;
  commands: readonly Command[];
  /** The reason of the store. */
  message: string;
  /** Only the messages of the step are refused, as long as there is no room for them. */
  unkept?: true;
}

/**
 * Commands whose sender can correct them: one that cannot be stored is rejected, and the instance continues as it was. The
 * others report what has happened. A halted instance takes them without moving a token, so they are kept.
 */
const correctable: ReadonlySet<CommandKind> = new Set<CommandKind>([
  'CANCEL_INSTANCE',
  'CHANGE_USER_TASK',
  'FIRE_TIMER',
  'FIRE_TIMERS',
  'MIGRATE',
  'MODIFY',
  'RESOLVE_INCIDENT',
  'SET_AD_HOC_VARIABLES',
  'SET_VARIABLES',
  'TRIGGER_AD_HOC',
  'UPDATE_TIMER',
]);

/** Instead of a reason that quotes what cannot be stored. */
const UNQUOTED = 'the reason cannot be stored either, but the log of the worker has it';

/**
 * Several inputs are taken one by one. One alone is rejected, or halts the instance with an incident. If only messages are
 * refused, the nodes that publish them fail, and the rest of the step is taken.
 * @returns the inputs of the other step, or undefined if none exists: not even an incident can be stored
 */
export function insteadOf(
  { state, start }: Pick<Instance, 'state' | 'start'>,
  { inputs, commands, message, unkept }: UnstorableStep,
): StepInputs | undefined {
  if (unkept && inputs.unkept === undefined) return { ...inputs, unkept: message };
  const { evaluations, deferred, defect, ...common } = inputs;
  if (defect?.unstorable)
    return defect.message === UNQUOTED ? undefined : { ...inputs, defect: { ...defect, message: UNQUOTED } };
  const { lastCommand } = state;
  // Without commands, so that what caused it can be taken next.
  const halting = { ...common, lastCommand, defect: { message, unstorable: true as const } };
  const others = (start ? 1 : 0) + (evaluations ? 1 : 0);
  if (others > 0 && commands.length > 0) return { ...common, ...(evaluations && { evaluations }), lastCommand };
  const [command, ...more] = commands;
  if (!command) return isHalted(state) ? undefined : halting;
  const alone = deferred ? { ...common, lastCommand, deferred: 1 } : { ...common, lastCommand: lastCommand + 1 };
  if (more.length > 0) return alone;
  if (!isHalted(state) && !correctable.has(command.kind)) return halting;
  return { ...alone, defect: { message, unstorable: true, command: command.number } };
}
