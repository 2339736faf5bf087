/**
 * Inputs of local activities never reach Temporal: they go from the workflow's thread to the activity of the same process.
 * A mark on the payload keeps them, parks above all, from being stored as if they did.
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

/** The mark of `payload`, for what a codec puts around it. */
export function markOf(payload: Payload): Payload['metadata'] {
  return staysInWorker(payload) ? { [MARK]: MARKED } : {};
}
