/**
 * Relations between points and ranges (DMN 1.5 table 79), after Allen's interval algebra. A point is treated as a range
 * with a single element.
 */
import { compareValues } from '../values/order.js';
import { equalValues } from '../values/equality.js';
import { FeelRange } from '../values/range.js';
import { includes } from '../values/unary.js';
import type { FeelValue } from '../values/values.js';
import { form, point, range, type Builtin, type Call } from './define.js';

/** -1, 0 or 1, where an unbounded end is beyond everything on its side; null after a failure. */
function compareEnds(call: Call, left: FeelValue, right: FeelValue, open: 1 | -1): number | null {
  if (left === null || right === null) return left === right ? 0 : left === null ? open : -open;
  return compareValues(call.run, call.at, left, right);
}

interface Interval {
  start: FeelValue;
  end: FeelValue;
  startIncluded: boolean;
  endIncluded: boolean;
}

function intervalOf(value: FeelValue): Interval {
  return value instanceof FeelRange ? value : { start: value, end: value, startIncluded: true, endIncluded: true };
}

/** Evaluates conditions in order, up to the first that is not true. */
function conjunction(...conditions: (() => boolean | null)[]): boolean | null {
  for (const condition of conditions) {
    const holds = condition();
    if (holds !== true) return holds;
  }
  return true;
}

/** Whether `left` ends before `right` starts. */
function before(call: Call, left: FeelValue, right: FeelValue): boolean | null {
  const [a, b] = [intervalOf(left), intervalOf(right)];
  if (a.end === null || b.start === null) return false;
  const order = compareValues(call.run, call.at, a.end, b.start);
  return order === null ? null : order < 0 || (order === 0 && !(a.endIncluded && b.startIncluded));
}

function equalEnds(call: Call, left: FeelValue, right: FeelValue): boolean | null {
  return equalValues(call.run, call.at, left, right);
}

function meets(call: Call, left: FeelRange, right: FeelRange): boolean | null {
  return left.endIncluded && right.startIncluded && left.end !== null && right.start !== null
    ? equalEnds(call, left.end, right.start)
    : false;
}

/** Order of two starts: an excluded start is just after an included one. */
function compareStarts(call: Call, a: Interval, b: Interval): number | null {
  const order = compareEnds(call, a.start, b.start, -1);
  return order === 0 ? Number(b.startIncluded) - Number(a.startIncluded) : order;
}

/** Order of two ends: an excluded end is just before an included one. */
function compareStops(call: Call, a: Interval, b: Interval): number | null {
  const order = compareEnds(call, a.end, b.end, 1);
  return order === 0 ? Number(a.endIncluded) - Number(b.endIncluded) : order;
}

function isAt(order: number | null, holds: (order: number) => boolean): boolean | null {
  return order === null ? null : holds(order);
}

function not(value: boolean | null): boolean | null {
  return value === null ? null : !value;
}

function overlaps(call: Call, left: FeelRange, right: FeelRange): boolean | null {
  return conjunction(
    () => not(before(call, left, right)),
    () => not(before(call, right, left)),
  );
}

function overlapsBefore(call: Call, left: FeelRange, right: FeelRange): boolean | null {
  return conjunction(
    () => isAt(compareStarts(call, left, right), (order) => order < 0),
    () => not(before(call, left, right)),
    () => isAt(compareStops(call, left, right), (order) => order <= 0),
  );
}

function includesAll(call: Call, outer: FeelRange, inner: FeelValue): boolean | null {
  if (!(inner instanceof FeelRange)) return includes(call.run, call.at, outer, inner);
  return conjunction(
    () => isAt(compareStarts(call, outer, inner), (order) => order <= 0),
    () => isAt(compareStops(call, outer, inner), (order) => order >= 0),
  );
}

/** Both end at the same point and `inner` does not start earlier. */
function finishes(call: Call, inner: FeelValue, outer: FeelRange): boolean | null {
  const part = intervalOf(inner);
  if (part.endIncluded !== outer.endIncluded) return false;
  return conjunction(
    () => equalEnds(call, part.end, outer.end),
    () => isAt(compareStarts(call, part, outer), (order) => order >= 0),
  );
}

/** Both start at the same point and `inner` does not end later. */
function starts(call: Call, inner: FeelValue, outer: FeelRange): boolean | null {
  const part = intervalOf(inner);
  if (part.startIncluded !== outer.startIncluded) return false;
  return conjunction(
    () => equalEnds(call, part.start, outer.start),
    () => isAt(compareStops(call, part, outer), (order) => order <= 0),
  );
}

function coincides(call: Call, left: FeelValue, right: FeelValue): boolean | null {
  const [a, b] = [intervalOf(left), intervalOf(right)];
  if (a.startIncluded !== b.startIncluded || a.endIncluded !== b.endIncluded) return false;
  return conjunction(
    () => equalEnds(call, a.start, b.start),
    () => equalEnds(call, a.end, b.end),
  );
}

const POINT = 'point';
const RANGE = 'range';

/** A function of two ranges. */
function ofRanges(body: (call: Call, left: FeelRange, right: FeelRange) => FeelValue): Builtin {
  return [form([range('range1'), range('range2')], body)];
}

export const RANGE_FUNCTIONS: Record<string, Builtin> = {
  before: ofAnything(before),
  after: ofAnything((call, left, right) => before(call, right, left)),
  meets: ofRanges(meets),
  'met by': ofRanges((call, left, right) => meets(call, right, left)),
  overlaps: ofRanges(overlaps),
  'overlaps before': ofRanges(overlapsBefore),
  'overlaps after': ofRanges((call, left, right) => overlapsBefore(call, right, left)),
  finishes: [form([point(POINT), range(RANGE)], finishes), form([range('range1'), range('range2')], finishes)],
  'finished by': [
    form([range(RANGE), point(POINT)], (call, outer, inner) => finishes(call, inner, outer)),
    form([range('range1'), range('range2')], (call, outer, inner) => finishes(call, inner, outer)),
  ],
  includes: [form([range(RANGE), point(POINT)], includesAll), form([range('range1'), range('range2')], includesAll)],
  during: [
    form([point(POINT), range(RANGE)], (call, inner, outer) => includesAll(call, outer, inner)),
    form([range('range1'), range('range2')], (call, inner, outer) => includesAll(call, outer, inner)),
  ],
  starts: [form([point(POINT), range(RANGE)], starts), form([range('range1'), range('range2')], starts)],
  'started by': [
    form([range(RANGE), point(POINT)], (call, outer, inner) => starts(call, inner, outer)),
    form([range('range1'), range('range2')], (call, outer, inner) => starts(call, inner, outer)),
  ],
  coincides: ofAnything(coincides),
};

/** A function of points and ranges in every combination, with the parameter names of each combination. */
function ofAnything(body: (call: Call, left: FeelValue, right: FeelValue) => FeelValue): Builtin {
  return [
    form([point('point1'), point('point2')], body),
    form([point(POINT), range(RANGE)], body),
    form([range(RANGE), point(POINT)], body),
    form([range('range1'), range('range2')], body),
  ];
}
