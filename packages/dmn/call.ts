/** A decision as called by a business rule task. */
import { toJson, type Json } from '@perdure/feel/json.js';
import type { LoadedModel } from './evaluate/index.js';
import { InputError, readContext } from './inputs.js';

export type Called = { ok: true; value: Json } | { ok: false; code: string; message: string };

/**
 * Evaluates one decision strictly: an error fails the call instead of continuing the process with null.
 * @param variables all variables visible at the task
 * @param now epoch milliseconds: the value of `now()` in the decision
 */
export function callDecision(
  model: LoadedModel,
  decisionID: string,
  variables: { [name: string]: Json },
  now: number,
): Called {
  try {
    const result = model.evaluateOne(decisionID, readContext(variables), { now, mode: 'strict' });
    if (result === undefined) return { ok: false, code: 'INVALID_ARGUMENT', message: 'the file has no such decision' };
    if (result.error !== undefined) return { ok: false, code: result.error.code, message: withElement(result.error) };
    return { ok: true, value: toJson(result.value ?? null) };
  } catch (error) {
    if (error instanceof InputError) return { ok: false, code: 'INVALID_ARGUMENT', message: error.message };
    throw error;
  }
}

function withElement({ message, elementID }: { message: string; elementID?: string }): string {
  return elementID === undefined ? message : `${message} (at ${elementID})`;
}
