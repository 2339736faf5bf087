/** A decision as a business rule task calls it. */
import { toJson, type Json } from '../feel/json.js';
import type { LoadedModel } from './evaluate/index.js';
import { InputError, readContext } from './inputs.js';

export type Called = { ok: true; value: Json } | { ok: false; code: string; message: string };

/**
 * Evaluates one decision strictly: what goes wrong is a failure of the call rather than a null that the process goes on with.
 * @param variables all that are visible at the task
 * @param now epoch milliseconds: what `now()` is in the decision
 */
export function callDecision(model: LoadedModel, decisionID: string, variables: { [name: string]: Json }, now: number): Called {
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
