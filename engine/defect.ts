/** Mistakes of ours: what a behavior throws. No model, variable or caller should be able to bring one about. */

/** What is known of a mistake of ours, for the log. */
export interface Defect {
  /** Name and message of what was thrown. */
  message: string;
  stack?: string;
  /** Number of the command that led to it. */
  command?: number;
}

/** Thrown by a step while it handled a command or moved what the command set free. */
export class CommandDefect extends Error {
  constructor(
    readonly command: number,
    override readonly cause: unknown,
  ) {
    super(`Command ${command} led to a defect`);
  }
}

const LONGEST_MESSAGE = 300;

export function defectOf(thrown: unknown): Defect {
  const cause = thrown instanceof CommandDefect ? thrown.cause : thrown;
  return {
    message: String(cause).slice(0, LONGEST_MESSAGE),
    ...(cause instanceof Error && cause.stack !== undefined && { stack: cause.stack }),
    ...(thrown instanceof CommandDefect && { command: thrown.command }),
  };
}
