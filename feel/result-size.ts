/** What it takes to write a value out as JSON. */
import type { Span } from './errors.js';
import { Failure } from './errors.js';
import { formatRange } from './format.js';
import { FeelRange } from './range.js';
import type { Run } from './run.js';
import { FeelObject, isContext, type FeelValue } from './values.js';

/** Levels of lists and contexts inside of each other: values are written out by recursion. */
export const DEEPEST_RESULT = 1000;

const NOWHERE: Span = [0, 0];
/** Steps are charged in portions, since charging costs as much as a value. */
const PORTION = 512;
const CHARACTERS_PER_VALUE = 8;
/** Decimals, dates and the like are turned into numbers and texts. */
const VALUES_PER_OBJECT = 8;

/**
 * Counts what it takes to write a value out: one step for eight values, and one for 64 characters. Refuses a value that would be too large
 * when written out: a small one can refer to the same list many times.
 */
export function chargeResult(run: Run, value: FeelValue): void {
  let left = run.budget.resultSize;
  let uncharged = 0;
  let depth = 0;
  const count = (values: number, characters: number): void => {
    left -= values + characters;
    if (left < 0) throw new Failure('BUDGET', 'The result of the expression is over the evaluation limit.', NOWHERE);
    uncharged += values * CHARACTERS_PER_VALUE + characters;
    if (uncharged < PORTION) return;
    run.charge(uncharged >> 6, NOWHERE);
    uncharged &= 63;
  };
  const visit = (part: FeelValue | undefined): void => {
    if (typeof part === 'string') return count(1, part.length);
    if (part instanceof FeelObject) return count(VALUES_PER_OBJECT, part instanceof FeelRange ? formatRange(run, NOWHERE, part).length : 0);
    count(1, 0);
    if (typeof part !== 'object' || part === null) return;
    depth += 1;
    if (depth > DEEPEST_RESULT) throw new Failure('BUDGET', 'The result of the expression is nested too deeply.', NOWHERE);
    if (Array.isArray(part)) part.forEach(visit);
    else if (isContext(part)) {
      for (const key of Object.keys(part)) {
        count(0, key.length);
        visit(part[key]);
      }
    }
    depth -= 1;
  };
  visit(value);
}
