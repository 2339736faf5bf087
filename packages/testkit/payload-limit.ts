/** The host's size limit for variables from outside. */
import type { Variables } from '@perdure/engine/contract/json.js';
import { byteLength, MAX_VARIABLES_BYTES } from '@perdure/engine/behaviors/lifecycle/size.js';

/** Variables for which the REST API would return 413. */
export class PayloadTooLarge extends Error {
  override name = 'PayloadTooLarge';
}

/** @throws PayloadTooLarge if the variables alone exceed the limit of an instance */
export function expectAllowedSize(variables: Variables | undefined): void {
  if (variables === undefined) return;
  const bytes = byteLength(variables);
  if (bytes > MAX_VARIABLES_BYTES)
    throw new PayloadTooLarge(
      `The variables take ${bytes} bytes, but the limit of an instance is ${MAX_VARIABLES_BYTES}`,
    );
}
