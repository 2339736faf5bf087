/** The size that variables may have at a door: one instance holds at most this much over all its scopes. */
import { LARGEST_VARIABLES_BYTES } from '../engine/size.js';
import type { Variables } from '../engine/json.js';
import { problem } from './problem.js';
import type { Problem } from './problem.js';

/** 413 when the variables alone are more than an instance may hold. */
export function tooManyVariables(variables: Readonly<Record<string, unknown>> | undefined): Problem<'PAYLOAD_TOO_LARGE'> | undefined {
  if (variables === undefined) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(variables));
  if (bytes <= LARGEST_VARIABLES_BYTES) return undefined;
  return problem('PAYLOAD_TOO_LARGE', `The variables take ${bytes} bytes; an instance may hold ${LARGEST_VARIABLES_BYTES}.`);
}

/** Variables that the door has read as storable JSON, as the engine's type. */
export function asVariables<Given extends Readonly<Record<string, unknown>> | undefined>(variables: Given): Given extends undefined ? undefined : Variables;
export function asVariables(variables: Readonly<Record<string, unknown>> | undefined): Variables | undefined {
  return variables as Variables | undefined;
}
