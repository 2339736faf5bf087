/** `is`: identity of value and form, so that two notations of one moment differ (DMN 1.5 section 10.3.4.10). */
import { areEqual } from '../values/equality.js';
import { FeelDateTime, FeelTime } from '../temporal/values.js';
import { sameZone } from '../temporal/zone.js';
import { typeOf, type FeelValue } from '../values/values.js';
import type { Call } from './define.js';

export function areSame(call: Call, left: FeelValue, right: FeelValue): boolean {
  if (left === null || right === null) return left === right;
  if (typeOf(left) !== typeOf(right)) return false;
  if (left instanceof FeelTime) return sameTime(left, right as FeelTime);
  if (left instanceof FeelDateTime) {
    const other = right as FeelDateTime;
    return (
      left.date.epochDay === other.date.epochDay &&
      sameTime(left.time, other.time) &&
      left.offsetSeconds === other.offsetSeconds
    );
  }
  return areEqual(call.run, call.at, left, right);
}

function sameTime(left: FeelTime, right: FeelTime): boolean {
  return left.nanos === right.nanos && sameZone(left.zone, right.zone);
}
