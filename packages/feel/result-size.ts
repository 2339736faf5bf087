/** Cost of serializing a value as JSON. */
import type { Span } from './errors.js';
import { Failure } from './errors.js';
import { formatRange } from './values/format.js';
import { FeelRange } from './values/range.js';
import type { Run } from './run.js';
import { FeelObject, isContext, type FeelValue } from './values/values.js';

/** Maximum nesting of lists and contexts, because values are serialized recursively. */
export const MAX_RESULT_DEPTH = 1000;

const NOWHERE: Span = [0, 0];
/** Steps are charged in batches, because charging costs as much as a value. */
const PORTION = 512;
/** Cost of serialization in characters; 64 of them are one step. */
const VALUE = 8;
/** An entry of a context; or a decimal, date or duration, which becomes a number or text. */
const ENTRY = 88;

/**
 * Charges the cost of serializing a value: one step per entry, eight values, or 64 characters. Rejects a value whose
 * serialized form would be too large, because a small value can refer to the same list many times.
 */
export function chargeResult(run: Run, value: FeelValue): void {
  let left = run.budget.resultSize;
  let uncharged = 0;
  let depth = 0;
  const count = (size: number, cost: number): void => {
    left -= size;
    if (left < 0) throw new Failure('BUDGET', 'The result of the expression exceeds the evaluation limit.', NOWHERE);
    uncharged += cost;
    if (uncharged < PORTION) return;
    run.charge(uncharged >> 6, NOWHERE);
    uncharged &= 63;
  };
  const visit = (part: FeelValue | undefined): void => {
    if (typeof part === 'string') return count(part.length + 1, part.length + VALUE);
    if (part instanceof FeelObject) {
      const characters = part instanceof FeelRange ? formatRange(run, NOWHERE, part).length : 0;
      return count(characters + 1, characters + ENTRY);
    }
    count(1, VALUE);
    if (typeof part !== 'object' || part === null) return;
    depth += 1;
    if (depth > MAX_RESULT_DEPTH)
      throw new Failure('BUDGET', 'The result of the expression is nested too deeply.', NOWHERE);
    if (Array.isArray(part)) part.forEach(visit);
    else if (isContext(part)) {
      for (const key of Object.keys(part)) {
        count(key.length, key.length + ENTRY);
        visit(part[key]);
      }
    }
    depth -= 1;
  };
  visit(value);
}
