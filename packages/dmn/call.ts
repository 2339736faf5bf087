/** A decision as called by a business rule task. */
import { toJson, type Json } from '@perdure/feel/json.js';
import type { ElementResult, LoadedModel } from './evaluate/index.js';
import { InputError, readContext } from './inputs.js';

/** `hitRules`: ids of the rules that matched, in the decision and in what it requires. */
export type Called = { hitRules: string[] } & (
  { ok: true; value: Json } | { ok: false; code: string; message: string }
);

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
    if (result === undefined) return refused('the file has no such decision');
    const hitRules = hitRulesOf(result);
    if (result.error !== undefined)
      return { ok: false, code: result.error.code, message: withElement(result.error), hitRules };
    return { ok: true, value: toJson(result.value ?? null), hitRules };
  } catch (error) {
    if (error instanceof InputError) return refused(error.message);
    throw error;
  }
}

function refused(message: string): Called {
  return { ok: false, code: 'INVALID_ARGUMENT', message, hitRules: [] };
}

/** Required results can be shared. */
function hitRulesOf(result: ElementResult, seen = new Set<ElementResult>()): string[] {
  if (seen.has(result)) return [];
  seen.add(result);
  return [
    ...result.hits.flatMap(({ ruleID }) => ruleID ?? []),
    ...result.requires.flatMap((required) => hitRulesOf(required, seen)),
  ];
}

function withElement({ message, elementID }: { message: string; elementID?: string }): string {
  return elementID === undefined ? message : `${message} (at ${elementID})`;
}
