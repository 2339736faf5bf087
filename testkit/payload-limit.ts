/** The size that a host lets variables from outside have. */
import type { Variables } from '../engine/json.js';
import { LARGEST_VARIABLES_BYTES } from '../engine/size.js';

/** Variables that the REST API would answer 413 for. */
export class PayloadTooLarge extends Error {
  override name = 'PayloadTooLarge';
}

/** @throws PayloadTooLarge when the variables alone are more than an instance may hold */
export function expectAllowedSize(variables: Variables | undefined): void {
  if (variables === undefined) return;
  const bytes = Buffer.byteLength(JSON.stringify(variables));
  if (bytes > LARGEST_VARIABLES_BYTES) throw new PayloadTooLarge(`The variables take ${bytes} bytes; an instance may hold ${LARGEST_VARIABLES_BYTES}. Pass less, or a reference to the data.`);
}
