/**
 * A modeled failure: caused by the definition, a variable or a client. It is a value that propagates to the nearest
 * handler (error boundary event, error event sub-process) and becomes an incident if none exists.
 */
import type { Variables } from './contract/json.js';
import type { ErrorType } from './state/state.js';

export interface Failure {
  errorType: ErrorType;
  /** The code that error events match: the BPMN error's code, otherwise a specific reason (`DIVISION_BY_ZERO`). */
  errorCode?: string;
  message: string;
  /** Given to the catching event's scope. */
  variables?: Variables;
}

export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export function failed(failure: Failure): { ok: false; failure: Failure } {
  return { ok: false, failure };
}
