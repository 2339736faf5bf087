/**
 * Errors of a FEEL expression.
 *
 * In strict mode the first failure ends the evaluation. In lenient mode (DMN cells) the failing part is `null`, as DMN
 * 1.5 section 10.3.1 requires, and the failure is recorded as a diagnostic.
 */

/** Stable codes; their messages may change. */
export type FeelErrorCode =
  | 'UNRESOLVED_VARIABLE'
  | 'UNRESOLVED_ENTRY'
  | 'TYPE_MISMATCH'
  | 'DIVISION_BY_ZERO'
  | 'NUMBER_OVERFLOW'
  | 'INVALID_ARGUMENT'
  | 'INDEX_OUT_OF_RANGE'
  | 'NOT_A_FUNCTION'
  | 'ASSERTION_FAILED'
  | 'UNSUPPORTED'
  | 'BUDGET'
  | 'INTERNAL';

/** A range of the expression text: offsets of its first character and of the character after its last. */
export type Span = readonly [from: number, to: number];

/** A failure with its position. The message names types and variables, never the value of a variable. */
export interface FeelError {
  code: FeelErrorCode;
  message: string;
  from: number;
  to: number;
}

/**
 * Carries a failure to the top of an evaluation. Not an `Error`, because collecting a stack trace costs more than
 * evaluating a typical condition.
 */
export class Failure {
  constructor(
    readonly code: FeelErrorCode,
    readonly message: string,
    readonly span: Span,
  ) {}

  toError(): FeelError {
    return { code: this.code, message: this.message, from: this.span[0], to: this.span[1] };
  }
}
