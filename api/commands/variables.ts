/** The size limit for variables in a request, which is the limit of an instance over all its scopes. */
import { LARGEST_VARIABLES_BYTES } from '../../packages/engine/behaviors/lifecycle/size.js';
import type { Variables } from '../../packages/engine/contract/json.js';
import { problem } from '../contract/problem.js';
import type { Problem } from '../contract/problem.js';

/** 413 when the variables alone exceed the limit of an instance. */
export function tooManyVariables(
  variables: Readonly<Record<string, unknown>> | undefined,
): Problem<'PAYLOAD_TOO_LARGE'> | undefined {
  if (variables === undefined) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(variables));
  if (bytes <= LARGEST_VARIABLES_BYTES) return undefined;
  return problem(
    'PAYLOAD_TOO_LARGE',
    `The variables take ${bytes} bytes, but the limit of an instance is ${LARGEST_VARIABLES_BYTES}`,
  );
}

/** Variables that the request pipeline has read as storable JSON, as the engine's type. */
export function asVariables<Given extends Readonly<Record<string, unknown>> | undefined>(
  variables: Given,
): Given extends undefined ? undefined : Variables;
export function asVariables(variables: Readonly<Record<string, unknown>> | undefined): Variables | undefined {
  return variables as Variables | undefined;
}
