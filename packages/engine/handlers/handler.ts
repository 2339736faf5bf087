/**
 * The effect of one kind of command. A command that came too late or does not apply is rejected with a reason, which is
 * a regular outcome, not an error.
 */
import type { Command, CommandKind, CommandOutcome } from '../contract/commands.js';
import type { Run } from '../run.js';

export type Verdict = Omit<CommandOutcome, 'number'>;
export type Handler<K extends CommandKind> = (run: Run, command: Extract<Command, { kind: K }>) => Verdict;
/** Of a command whose outcome can be that of a later step. */
export type HoldingHandler<K extends CommandKind> = (
  run: Run,
  command: Extract<Command, { kind: K }>,
) => Verdict | typeof HELD;

export const APPLIED: Verdict = { status: 'APPLIED' };

/** The outcome of the command is that of the fact which names it, in this step or in a later one. */
export const HELD = 'HELD';

export function rejected(code: NonNullable<Verdict['code']>, message: string): Verdict {
  return { status: 'REJECTED', code, message };
}
