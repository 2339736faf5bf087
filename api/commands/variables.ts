/** Variables of requests, as the engine's type. */
import type { Variables } from '@perdure/engine/contract/json.js';

/** Variables that the request pipeline has read as storable JSON, as the engine's type. */
export function asVariables<Given extends Readonly<Record<string, unknown>> | undefined>(
  variables: Given,
): Given extends undefined ? undefined : Variables;
export function asVariables(variables: Readonly<Record<string, unknown>> | undefined): Variables | undefined {
  return variables as Variables | undefined;
}
