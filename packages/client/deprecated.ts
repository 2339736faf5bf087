/** Former names, exported until 1.0. */
import { ApiError } from './api-error.js';
import { unwrap } from './client.js';

/** @deprecated Use `unwrap`. */
export const answerOf = unwrap;

/** @deprecated Use `ApiError`. */
export const RefusedCall = ApiError;
/** @deprecated Use `ApiError`. */
export type RefusedCall = ApiError;
