/**
 * A modelled failure: something the definition, a variable or a caller caused. It is a value that travels to the
 * nearest handler (error boundary event, error event sub-process) and becomes an incident where there is none.
 */
import type { Variables } from './json.js';
import type { ErrorType } from './state.js';

export interface Failure {
  errorType: ErrorType;
  /** What error events match on: the BPMN error's code, else the finer reason (`DIVISION_BY_ZERO`). */
  errorCode?: string;
  message: string;
  /** Given to the catching event's scope. */
  variables?: Variables;
}

export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export function failed(failure: Failure): { ok: false; failure: Failure } {
  return { ok: false, failure };
}
