/** The size limit for variables in a request, which is the limit of an instance over all its scopes. */
import type { Variables } from '@perdure/engine/contract/json.js';
import { problem } from '../contract/problem.js';
import type { Problem } from '../contract/problem.js';
import { excessOf } from '../contract/variables.js';

/** 413 when the variables alone exceed the limit of an instance. */
export function tooManyVariables(
  variables: Readonly<Record<string, unknown>> | undefined,
): Problem<'PAYLOAD_TOO_LARGE'> | undefined {
  const excess = excessOf(variables);
  return excess === undefined ? undefined : problem('PAYLOAD_TOO_LARGE', excess);
}

/** Variables that the request pipeline has read as storable JSON, as the engine's type. */
export function asVariables<Given extends Readonly<Record<string, unknown>> | undefined>(
  variables: Given,
): Given extends undefined ? undefined : Variables;
export function asVariables(variables: Readonly<Record<string, unknown>> | undefined): Variables | undefined {
  return variables as Variables | undefined;
}
