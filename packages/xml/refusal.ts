/** Why reading a file stopped. */
export interface Refusal {
  reason: 'TOO_LARGE' | 'MALFORMED';
  message: string;
}

export function tooLarge(message: string): Refusal {
  return { reason: 'TOO_LARGE', message };
}

export function malformed(message: string): Refusal {
  return { reason: 'MALFORMED', message };
}

/** @param place both from 0 */
export function malformedAt({ line, column }: { line: number; column: number }, reason: string): Refusal {
  return malformed(`The file is not well-formed XML at line ${line + 1}, column ${column + 1}: ${reason}`);
}

export function isRefusal(result: object): result is Refusal {
  return 'reason' in result;
}

/** Thrown to leave code that would otherwise continue to the end of the file. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The result of `read`, or the refusal that it throws. */
export function orRefusal<T>(read: () => T): T | Refusal {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}
