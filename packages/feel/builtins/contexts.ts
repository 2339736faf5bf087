/** Context functions (DMN 1.5 table 78). */
import { Failure } from '../errors.js';
import { MAX_RESULT_DEPTH } from '../result-size.js';
import {
  copyContext,
  describeType,
  entryOf,
  isContext,
  setEntry,
  type FeelContext,
  type FeelValue,
} from '../values/values.js';
import { any, context, ENTRY_STEPS, form, invalid, list, string, type Builtin, type Call } from './define.js';

/** The entry, or null if it does not exist: this function is for optional entries. */
function getValue(call: Call, from: FeelContext, keys: FeelValue[]): FeelValue {
  let value: FeelValue = from;
  if (keys.length === 0) return invalid(call, 'the list of keys is empty.');
  call.run.charge(keys.length, call.at);
  for (const key of keys) {
    if (typeof key !== 'string')
      return call.run.fail(
        call.at,
        'TYPE_MISMATCH',
        `"${call.name}" needs strings as keys, but one is ${describeType(key)}.`,
      );
    if (!isContext(value)) return null;
    value = entryOf(value, key) ?? null;
  }
  return value;
}

function getEntries(call: Call, from: FeelContext): FeelValue {
  const keys = Object.keys(from);
  call.run.chargeList(keys.length, call.at);
  return keys.map((key) => ({ key, value: from[key] ?? null }));
}

function putAt(call: Call, into: FeelContext, keys: FeelValue[], value: FeelValue): FeelValue {
  call.run.charge(keys.length, call.at);
  if (keys.length === 0) return invalid(call, 'the list of keys is empty.');
  if (keys.length > MAX_RESULT_DEPTH) {
    throw new Failure(
      'BUDGET',
      `"${call.name}": a path of ${keys.length} keys exceeds the evaluation limit of ${MAX_RESULT_DEPTH}.`,
      call.at,
    );
  }
  return put(call, into, keys, 0, value);
}

/** Copies the contexts along the keys from `index` on. */
function put(call: Call, into: FeelContext, keys: FeelValue[], index: number, value: FeelValue): FeelValue {
  const key = keys[index];
  if (typeof key !== 'string')
    return call.run.fail(
      call.at,
      'TYPE_MISMATCH',
      `"${call.name}" needs strings as keys, but one is ${describeType(key)}.`,
    );
  call.run.charge(Object.keys(into).length * ENTRY_STEPS + 1, call.at);
  const copy = copyContext(into);
  if (index === keys.length - 1) {
    setEntry(copy, key, value);
    return copy;
  }
  const old = entryOf(into, key) ?? {};
  if (!isContext(old))
    return call.run.fail(
      call.at,
      'TYPE_MISMATCH',
      `"${call.name}": a key leads through ${describeType(old)}, which is not a context.`,
    );
  const changed = put(call, old, keys, index + 1, value);
  if (changed === null) return null;
  setEntry(copy, key, changed);
  return copy;
}

function merge(call: Call, contexts: FeelValue[]): FeelValue {
  const merged: FeelContext = {};
  for (const part of contexts) {
    if (!isContext(part))
      return call.run.fail(
        call.at,
        'TYPE_MISMATCH',
        `"${call.name}" needs a list of contexts, but an item is ${describeType(part)}.`,
      );
    const keys = Object.keys(part);
    call.run.charge(keys.length * ENTRY_STEPS + 1, call.at);
    for (const key of keys) setEntry(merged, key, part[key] ?? null);
  }
  return merged;
}

export const CONTEXT_FUNCTIONS: Record<string, Builtin> = {
  'get value': [
    form([context('m'), string('key')], (call, from, key) => getValue(call, from, [key])),
    form([context('context'), list('keys')], getValue),
  ],
  'get entries': [form([context('m')], getEntries)],
  'context put': [
    form([context('context'), string('key'), any('value')], (call, into, key, value) =>
      putAt(call, into, [key], value),
    ),
    form([context('context'), list('keys'), any('value')], putAt),
  ],
  'context merge': [form([list('contexts')], merge)],
};
