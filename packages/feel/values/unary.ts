/** Membership: whether a value passes a unary test (DMN 1.5 sections 7.3 and 10.3.2.8). */
import { equalValues } from './equality.js';
import type { Span } from '../errors.js';
import { compareValues } from './order.js';
import { FeelRange } from './range.js';
import type { Run } from '../run.js';
import { typeOf, type FeelValue } from './values.js';

/** Whether a range contains a value; null after a failure. */
export function includes(run: Run, at: Span, range: FeelRange, value: FeelValue): boolean | null {
  if (range.operator === '=' || range.operator === '!=') {
    const equal = equalValues(run, at, value, range.start);
    return equal === null ? null : equal === (range.operator === '=');
  }
  if (range.operator === undefined && (range.start === null || range.end === null)) {
    return run.fail(at, 'TYPE_MISMATCH', 'Membership in a range is unknown while an endpoint of the range is null.');
  }
  const fromStart = range.start === null ? 1 : compareValues(run, at, value, range.start);
  const toEnd = range.end === null ? -1 : compareValues(run, at, value, range.end);
  if (fromStart === null || toEnd === null) return null;
  return (range.startIncluded ? fromStart >= 0 : fromStart > 0) && (range.endIncluded ? toEnd <= 0 : toEnd < 0);
}

/**
 * Whether a value passes a test given by a value: it is in the range, in the list, or equal. A test value of `true`
 * passes everything except booleans.
 */
export function matches(run: Run, at: Span, input: FeelValue, test: FeelValue): boolean | null {
  if (test instanceof FeelRange)
    return input instanceof FeelRange ? equalValues(run, at, input, test) : includes(run, at, test, input);
  if (Array.isArray(test)) return matchesList(run, at, input, test);
  if (typeof test === 'boolean' && typeof input !== 'boolean') return test;
  return equalValues(run, at, input, test);
}

function matchesList(run: Run, at: Span, input: FeelValue, tests: FeelValue[]): boolean | null {
  run.charge(tests.length, at);
  if (Array.isArray(input) && equalValues(run, at, input, tests) === true) return true;
  return matchesAny(tests, (test) => {
    if (test instanceof FeelRange && !(input instanceof FeelRange)) return includes(run, at, test, input);
    return typeOf(test) === typeOf(input) || test === null || input === null
      ? equalValues(run, at, input, test)
      : false;
  });
}

/** Three-valued `or`: true if one test passes, otherwise null if one gave no answer. */
function matchesAny<T>(tests: readonly T[], passes: (test: T) => boolean | null): boolean | null {
  let unknown = false;
  for (const test of tests) {
    const answer = passes(test);
    if (answer === true) return true;
    if (answer === null) unknown = true;
  }
  return unknown ? null : false;
}
