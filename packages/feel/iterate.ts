/** Sources of `for`, `some` and `every`: lists, and ranges of integers or dates. */
import { isInteger, isNumber, toDouble } from './values/decimal.js';
import type { Span } from './errors.js';
import { FeelRange } from './values/range.js';
import type { Run } from './run.js';
import { FeelDate } from './temporal/values.js';
import { describeType, type FeelValue } from './values/values.js';

/** The items of a list or range, or of `from..to` in either direction; null after a failure. */
export function iterate(run: Run, at: Span, from: FeelValue, to?: FeelValue): Iterable<FeelValue> | null {
  if (to !== undefined) return span(run, at, from, to, true, true);
  if (Array.isArray(from)) return from;
  if (from instanceof FeelRange) return span(run, at, from.start, from.end, from.startIncluded, from.endIncluded);
  return run.fail(at, 'TYPE_MISMATCH', `Only lists and ranges can be iterated, but this is ${describeType(from)}.`);
}

function span(
  run: Run,
  at: Span,
  start: FeelValue,
  end: FeelValue,
  startIncluded: boolean,
  endIncluded: boolean,
): Iterable<FeelValue> | null {
  if (start instanceof FeelDate && end instanceof FeelDate) {
    return count(
      run,
      at,
      start.epochDay,
      end.epochDay,
      startIncluded,
      endIncluded,
      (day) => FeelDate.ofEpochDay(day) as FeelDate,
    );
  }
  if (isNumber(start) && isNumber(end)) {
    const isSmall = (value: typeof start): boolean => isInteger(value) && Number.isSafeInteger(toDouble(value));
    if (isSmall(start) && isSmall(end))
      return count(run, at, toDouble(start), toDouble(end), startIncluded, endIncluded, (value) => value);
    return run.fail(at, 'INVALID_ARGUMENT', 'Only a range with integer endpoints can be iterated.');
  }
  return run.fail(
    at,
    'TYPE_MISMATCH',
    `An iterated range needs two integers or two dates, but this goes from ${describeType(start)} to ${describeType(end)}.`,
  );
}

function count(
  run: Run,
  at: Span,
  start: number,
  end: number,
  startIncluded: boolean,
  endIncluded: boolean,
  item: (position: number) => FeelValue,
): Iterable<FeelValue> {
  const step = start <= end ? 1 : -1;
  const first = startIncluded ? start : start + step;
  const last = endIncluded ? end : end - step;
  const length = (last - first) * step + 1;
  run.chargeList(Math.max(0, length), at);
  return {
    *[Symbol.iterator]() {
      for (let index = 0; index < length; index++) yield item(first + index * step);
    },
  };
}
