/** Refusals of the API as errors of Nexus. */
import { ApplicationFailure } from '@temporalio/common';
import { HandlerError, type HandlerErrorType } from 'nexus-rpc';
import type { Refusal } from './options.js';

/** A repetition can succeed after 429, and 500 and above. The caller gets the code and the details in an application failure. */
export function refusalOf({ status, code, message, details }: Refusal): HandlerError {
  const isRetryable = status === 429 || status >= 500;
  const cause = ApplicationFailure.create({
    type: code,
    message,
    nonRetryable: !isRetryable,
    details: details === undefined ? [] : [details],
  });
  return new HandlerError(typeOf(status), `${code}: ${message}`, { cause, retryableOverride: isRetryable });
}

/** Only types that every supported server knows. */
function typeOf(status: number): HandlerErrorType {
  switch (status) {
    case 404:
      return 'NOT_FOUND';
    case 429:
      return 'RESOURCE_EXHAUSTED';
    case 503:
      return 'UNAVAILABLE';
    default:
      return status >= 500 ? 'INTERNAL' : 'BAD_REQUEST';
  }
}
