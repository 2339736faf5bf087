/** Errors in a decision, with the element that caused them. */
import { Failure, type FeelErrorCode, type Span } from '@perdure/feel/errors.js';
import type { Run } from '@perdure/feel/run.js';
import type { FeelValue } from '@perdure/feel/values/values.js';

/** FEEL's codes, and those specific to decisions. */
type DecisionErrorCode =
  | FeelErrorCode
  /** An expression that does not parse, or another part of the model that could not be read. */
  | 'SYNTAX'
  /** More rules match than the hit policy allows, or rules that must agree do not. */
  | 'HIT_POLICY'
  /** A required decision or input failed. */
  | 'REQUIREMENT_FAILED';

export interface DecisionError {
  code: DecisionErrorCode;
  message: string;
  /** The nearest element with an id. */
  elementID?: string;
}

export const NOWHERE: Span = [0, 0];

/** Ends a strict evaluation; in a lenient one, records the problem and returns null. */
export function fail(run: Run, code: DecisionErrorCode, message: string): null {
  return run.fail(NOWHERE, code as FeelErrorCode, message);
}

class LocatedFailure extends Failure {
  constructor(
    failure: Failure,
    readonly elementID: string,
  ) {
    super(failure.code, failure.message, failure.span);
  }
}

/** Runs a part of an element, and adds its id to failures and diagnostics that have none yet. */
export function located(run: Run, elementID: string | undefined, part: () => FeelValue): FeelValue {
  if (elementID === undefined) return part();
  try {
    return part();
  } catch (thrown) {
    throw thrown instanceof Failure && !(thrown instanceof LocatedFailure)
      ? new LocatedFailure(thrown, elementID)
      : thrown;
  } finally {
    locateDiagnostics(run, elementID);
  }
}

function locateDiagnostics(run: Run, elementID: string): void {
  const { diagnostics } = run;
  if (diagnostics === undefined) return;
  for (let index = diagnostics.length - 1; index >= 0; index--) {
    const diagnostic = diagnostics[index] as DecisionError;
    if (diagnostic.elementID !== undefined) return;
    diagnostic.elementID = elementID;
  }
}

/**
 * Converts a thrown value to an error of the decision. Anything other than a failure is a stack overflow or a bug in
 * this code.
 */
export function errorOf(thrown: unknown): DecisionError {
  if (thrown instanceof LocatedFailure)
    return { code: thrown.code, message: thrown.message, elementID: thrown.elementID };
  if (thrown instanceof Failure) return { code: thrown.code, message: thrown.message };
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  if (name === 'RangeError') return { code: 'BUDGET', message: 'The decision or its data is nested too deeply.' };
  return { code: 'INTERNAL', message: `The evaluation failed unexpectedly (${name}).` };
}
