/**
 * Inputs of local activities never reach Temporal: they go from the workflow's thread to the activity in the same
 * process. A marker on the payload prevents a codec from storing them, step commits above all.
 */
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { RawValue } from '@temporalio/common';

const MARK = 'perdure-stays-in-worker';
const MARKED = new Uint8Array([1]);

/** `value` as the argument of a local activity. */
export function localInput<T>(value: T): T {
  const payload = defaultPayloadConverter.toPayload(value);
  return RawValue.fromPayload({ ...payload, metadata: { ...payload.metadata, [MARK]: MARKED } }) as T;
}

export function staysInWorker({ metadata }: Payload): boolean {
  return metadata?.[MARK] !== undefined;
}

/** The marker of `payload`, for the payload that a codec creates from it. */
export function markOf(payload: Payload): Payload['metadata'] {
  return staysInWorker(payload) ? { [MARK]: MARKED } : {};
}
