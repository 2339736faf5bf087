/** List functions (DMN 1.5 table 72, and those that Camunda adds). */
import { addValues, divideValues, inRange } from '../values/arithmetic.js';
import {
  add,
  compare,
  divide,
  isInteger,
  isNumber,
  multiply,
  round,
  subtract,
  toDouble,
  type FeelNumber,
} from '../values/decimal.js';
import { squareRoot } from '../values/decimal-functions.js';
import { areEqual } from '../values/equality.js';
import type { FeelFunction } from '../functions.js';
import { compareValues } from '../values/order.js';
import { typeOf, type FeelValue } from '../values/values.js';
import { any, fn, form, invalid, list, number, optional, rest, type Builtin, type Call } from './define.js';

const SERIES_STEPS = 400;
/** Cost of one number in a standard deviation: its distance from a mean of 34 digits, squared and added. */
const DEVIATION_STEPS = 30;

function charge(call: Call, items: readonly unknown[]): void {
  call.run.charge(items.length, call.at);
}

/** The items as numbers, or null after a failure. */
function numbers(call: Call, items: FeelValue[]): FeelNumber[] | null {
  charge(call, items);
  for (const item of items) {
    if (!isNumber(item))
      return call.run.fail(
        call.at,
        'TYPE_MISMATCH',
        `"${call.name}" needs a list of numbers, but an item is ${typeOf(item) === 'null' ? 'null' : `a ${typeOf(item)}`}.`,
      );
  }
  return items as FeelNumber[];
}

/** The smallest or largest item. */
function extreme(direction: 1 | -1): (call: Call, items: FeelValue[]) => FeelValue {
  return (call, items) => {
    charge(call, items);
    let best = items[0] ?? null;
    for (const item of items) {
      const order = compareValues(call.run, call.at, item, best);
      if (order === null) return null;
      if (order * direction > 0) best = item;
    }
    return best;
  };
}

function sum(call: Call, items: FeelValue[]): FeelValue {
  charge(call, items);
  let total = items[0];
  if (total === undefined) return null;
  if (!isSummable(total)) return mismatch(call, total);
  for (const item of items.slice(1)) {
    if (!isSummable(item)) return mismatch(call, item);
    total = addValues(call.run, call.at, total as FeelValue, item);
    if (total === null) return null;
  }
  return total as FeelValue;
}

function isSummable(value: FeelValue): boolean {
  return isNumber(value) || typeOf(value).endsWith('duration');
}

function mismatch(call: Call, item: FeelValue): null {
  return call.run.fail(
    call.at,
    'TYPE_MISMATCH',
    `"${call.name}" needs a list of numbers or durations, but an item is ${item === null ? 'null' : `a ${typeOf(item)}`}.`,
  );
}

function mean(call: Call, items: FeelValue[]): FeelValue {
  const total = sum(call, items);
  return total === null ? null : divideValues(call.run, call.at, total, items.length);
}

function product(call: Call, items: FeelValue[]): FeelValue {
  const factors = numbers(call, items);
  if (factors === null || factors.length === 0) return null;
  call.run.charge(factors.length * 4, call.at);
  let result: FeelNumber | undefined = 1;
  for (const factor of factors) {
    if (result !== undefined) result = multiply(result, factor);
  }
  return inRange(call.run, call.at, result);
}

function sorted(call: Call, values: FeelNumber[]): FeelNumber[] {
  call.run.charge(values.length * Math.ceil(Math.log2(values.length + 1)), call.at);
  return values.slice().sort(compare);
}

function median(call: Call, items: FeelValue[]): FeelValue {
  const values = numbers(call, items);
  if (values === null || values.length === 0) return null;
  const ordered = sorted(call, values);
  const middle = ordered.length >> 1;
  const upper = ordered[middle] as FeelNumber;
  if (ordered.length % 2 === 1) return upper;
  const total = add(ordered[middle - 1] as FeelNumber, upper);
  return inRange(call.run, call.at, total === undefined ? undefined : divide(total, 2));
}

/** Sample standard deviation. */
function deviation(call: Call, items: FeelValue[]): FeelValue {
  const values = numbers(call, items);
  if (values === null) return null;
  if (values.length < 2) return invalid(call, 'the list needs at least two numbers.');
  call.run.charge(values.length * DEVIATION_STEPS + SERIES_STEPS, call.at);
  const total = values.reduce<FeelNumber | undefined>(
    (sofar, value) => (sofar === undefined ? undefined : add(sofar, value)),
    0,
  );
  if (total === undefined) return inRange(call.run, call.at, undefined);
  const average = divide(total, values.length) as FeelNumber;
  let squares: FeelNumber | undefined = 0;
  for (const value of values) {
    const distance = subtract(value, average);
    const square = distance === undefined ? undefined : multiply(distance, distance);
    squares = squares === undefined || square === undefined ? undefined : add(squares, square);
  }
  return inRange(
    call.run,
    call.at,
    squares === undefined ? undefined : squareRoot(divide(squares, values.length - 1) as FeelNumber),
  );
}

/** The most frequent numbers, ascending. */
function mode(call: Call, items: FeelValue[]): FeelValue {
  const values = numbers(call, items);
  if (values === null) return null;
  const ordered = sorted(call, values);
  let best = 0;
  let modes: FeelNumber[] = [];
  for (let from = 0; from < ordered.length;) {
    let to = from + 1;
    while (to < ordered.length && compare(ordered[from] as FeelNumber, ordered[to] as FeelNumber) === 0) to += 1;
    if (to - from > best) {
      best = to - from;
      modes = [];
    }
    if (to - from === best) modes.push(ordered[from] as FeelNumber);
    from = to;
  }
  return modes;
}

function allOrAny(decisive: boolean): (call: Call, items: FeelValue[]) => FeelValue {
  return (call, items) => {
    charge(call, items);
    if (items.includes(decisive)) return decisive;
    const odd = items.find((item) => typeof item !== 'boolean');
    if (odd === undefined) return !decisive;
    return call.run.fail(
      call.at,
      'TYPE_MISMATCH',
      `"${call.name}" needs a list of booleans, but an item is ${odd === null ? 'null' : `a ${typeOf(odd)}`}.`,
    );
  };
}

/** The index for a position that counts from 1, or backward from -1; undefined if it does not exist. */
function indexOfPosition(items: FeelValue[], position: FeelNumber): number | undefined {
  if (!isInteger(position)) return undefined;
  const at = toDouble(position);
  const index = at > 0 ? at - 1 : items.length + at;
  return at !== 0 && index >= 0 && index < items.length ? index : undefined;
}

function noPosition(call: Call): null {
  return call.run.fail(call.at, 'INDEX_OUT_OF_RANGE', `"${call.name}": the list has no item at this position.`);
}

function sublist(call: Call, items: FeelValue[], start: FeelNumber, length: FeelNumber | undefined): FeelValue {
  const from = indexOfPosition(items, start);
  if (from === undefined) return noPosition(call);
  charge(call, items);
  if (length === undefined) return items.slice(from);
  const count = toDouble(length);
  if (!Number.isInteger(count) || count < 1) return invalid(call, 'the length must be a positive integer.');
  return items.slice(from, from + count);
}

function insertBefore(call: Call, items: FeelValue[], position: FeelNumber, item: FeelValue): FeelValue {
  // An item may also be inserted after the last one.
  const isBehind = isInteger(position) && toDouble(position) === items.length + 1;
  const index = isBehind ? items.length : indexOfPosition(items, position);
  if (index === undefined) return noPosition(call);
  call.run.chargeList(items.length + 1, call.at);
  return [...items.slice(0, index), item, ...items.slice(index)];
}

function remove(call: Call, items: FeelValue[], position: FeelNumber): FeelValue {
  const index = indexOfPosition(items, position);
  if (index === undefined) return noPosition(call);
  charge(call, items);
  return items.filter((_item, at) => at !== index);
}

/** Other functions refuse a position that is not an integer; the cases of the DMN TCK have this one truncate it. */
function replaceAt(call: Call, items: FeelValue[], position: FeelNumber, item: FeelValue): FeelValue {
  const truncated = round(position, 0, 'down');
  const index = truncated === undefined ? undefined : indexOfPosition(items, truncated);
  if (index === undefined) return noPosition(call);
  charge(call, items);
  return items.map((old, at) => (at === index ? item : old));
}

function replaceWhere(call: Call, items: FeelValue[], match: FeelFunction, replacement: FeelValue): FeelValue {
  if (match.parameters !== undefined && match.parameters.length !== 2)
    return invalid(call, 'the "match" function must have two parameters: the item and the new item.');
  charge(call, items);
  const result: FeelValue[] = [];
  for (const item of items) {
    const found = match.invoke(call.run, [item, replacement], call.at);
    if (typeof found !== 'boolean')
      return call.run.fail(call.at, 'TYPE_MISMATCH', '"list replace": the "match" function must return a boolean.');
    result.push(found ? replacement : item);
  }
  return result;
}

function flatten(call: Call, items: FeelValue[]): FeelValue {
  const flat: FeelValue[] = [];
  const visit = (part: FeelValue[]): void => {
    charge(call, part);
    for (const item of part) {
      if (Array.isArray(item)) visit(item);
      else {
        flat.push(item);
        if (flat.length > call.run.budget.listLength) call.run.chargeList(flat.length, call.at);
      }
    }
  };
  visit(items);
  return flat;
}

function concatenate(call: Call, lists: FeelValue[]): FeelValue[] {
  const all: FeelValue[] = [];
  for (const part of lists) {
    const items = Array.isArray(part) ? part : [part];
    call.run.chargeList(all.length + items.length, call.at);
    for (const item of items) all.push(item);
  }
  return all;
}

function distinct(call: Call, items: FeelValue[]): FeelValue[] {
  const kept: FeelValue[] = [];
  const seen = new Set<FeelValue>();
  for (const item of items) {
    call.run.charge(1, call.at);
    if (typeof item !== 'object' || item === null) {
      if (seen.has(item)) continue;
      seen.add(item);
    } else if (kept.some((other) => sameItem(call, other, item))) continue;
    kept.push(item);
  }
  return kept;
}

function sameItem(call: Call, left: FeelValue, right: FeelValue): boolean {
  call.run.charge(1, call.at);
  return areEqual(call.run, call.at, left, right);
}

function duplicates(call: Call, items: FeelValue[]): FeelValue[] {
  return distinct(
    call,
    items.filter((item, index) => items.some((other, at) => at !== index && sameItem(call, other, item))),
  );
}

function indexesOf(call: Call, items: FeelValue[], match: FeelValue): FeelValue[] {
  const positions: FeelValue[] = [];
  items.forEach((item, index) => {
    if (sameItem(call, item, match)) positions.push(index + 1);
  });
  return positions;
}

function partition(call: Call, items: FeelValue[], size: FeelNumber): FeelValue {
  const length = toDouble(size);
  if (!Number.isInteger(length) || length < 1) return invalid(call, 'the size must be a positive integer.');
  charge(call, items);
  const parts: FeelValue[] = [];
  for (let from = 0; from < items.length; from += length) parts.push(items.slice(from, from + length));
  return parts;
}

/** Merge sort with the given order: stable, and implemented here so that the number of calls is the same everywhere. */
function sort(call: Call, items: FeelValue[], precedes: FeelFunction): FeelValue {
  charge(call, items);
  if (items.length < 2) return items;
  const middle = items.length >> 1;
  const left = sort(call, items.slice(0, middle), precedes);
  const right = sort(call, items.slice(middle), precedes);
  return left === null || right === null ? null : merge(call, left as FeelValue[], right as FeelValue[], precedes);
}

function merge(call: Call, left: FeelValue[], right: FeelValue[], precedes: FeelFunction): FeelValue[] | null {
  const merged: FeelValue[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    const rightFirst = precedes.invoke(call.run, [right[j] as FeelValue, left[i] as FeelValue], call.at);
    if (typeof rightFirst !== 'boolean')
      return call.run.fail(call.at, 'TYPE_MISMATCH', '"sort": the "precedes" function must return a boolean.');
    merged.push((rightFirst ? right[j++] : left[i++]) as FeelValue);
  }
  return [...merged, ...left.slice(i), ...right.slice(j)];
}

/** A function of a list, or of its arguments as a list. */
function ofItems(body: (call: Call, items: FeelValue[]) => FeelValue): Builtin {
  return [form([list('list')], body), form([rest('list')], body)];
}

export const LIST_FUNCTIONS: Record<string, Builtin> = {
  'list contains': [
    form([list('list'), any('element')], (call, items, element) => items.some((item) => sameItem(call, item, element))),
  ],
  count: [form([list('list')], (_call, items) => items.length)],
  min: ofItems(extreme(-1)),
  max: ofItems(extreme(1)),
  sum: ofItems(sum),
  mean: ofItems(mean),
  product: ofItems(product),
  median: ofItems(median),
  stddev: ofItems(deviation),
  mode: ofItems(mode),
  all: ofItems(allOrAny(false)),
  any: ofItems(allOrAny(true)),
  sublist: [form([list('list'), number('start position'), optional(number('length'))], sublist)],
  append: [form([list('list'), rest('item')], (call, items, added) => concatenate(call, [items, added]))],
  concatenate: [form([rest('list')], concatenate)],
  'insert before': [form([list('list'), number('position'), any('newItem')], insertBefore)],
  remove: [form([list('list'), number('position')], remove)],
  'list replace': [
    form([list('list'), number('position'), any('newItem')], replaceAt),
    form([list('list'), fn('match'), any('newItem')], replaceWhere),
  ],
  reverse: [
    form([list('list')], (call, items) => {
      charge(call, items);
      return items.slice().reverse();
    }),
  ],
  'index of': [form([list('list'), any('match')], indexesOf)],
  union: [form([rest('list')], (call, lists) => distinct(call, concatenate(call, lists)))],
  'distinct values': [form([list('list')], distinct)],
  'duplicate values': [form([list('list')], duplicates)],
  flatten: [form([list('list')], flatten)],
  partition: [form([list('list'), number('size')], partition)],
  'is empty': [form([list('list')], (_call, items) => items.length === 0)],
  sort: [form([list('list'), fn('precedes')], sort)],
};
