/**
 * Defects: bugs in Perdure that make a behavior throw, or a step that cannot be stored. No model, variable or client
 * should be able to cause one.
 */

/** Description of a defect for the log. */
export interface Defect {
  /** Name and message of the thrown value. */
  message: string;
  stack?: string;
  /** Number of the command that caused it. */
  command?: number;
  /** The engine is sound, but the store cannot write what the step computed; `command`, if any, was its only input. */
  unstorable?: true;
}

/** Thrown by a step while it handled a command or moved what the command released. */
export class CommandDefect extends Error {
  constructor(
    readonly command: number,
    override readonly cause: unknown,
  ) {
    super(`Command ${command} led to a defect`);
  }
}

const MAX_MESSAGE_LENGTH = 300;

export function defectOf(thrown: unknown): Defect {
  const cause = thrown instanceof CommandDefect ? thrown.cause : thrown;
  return {
    message: String(cause).slice(0, MAX_MESSAGE_LENGTH),
    ...(cause instanceof Error && cause.stack !== undefined && { stack: cause.stack }),
    ...(thrown instanceof CommandDefect && { command: thrown.command }),
  };
}
