/** The variables that the expressions of a form can read. */
import type { VariableLookup } from '@perdure/feel/evaluate.js';
import { isObject } from '@perdure/lib/model-files/json.js';
import type { Component } from './read-form.js';

type Data = Record<string, unknown>;

/** The position of a component in the data. */
export interface Item {
  self: unknown;
  parent: unknown;
  indexes: readonly number[];
}

/** The names of form-js: those of the data, and the position. Looks values up, because a list can have many items. */
export function scopeOf(data: Data, { self, parent, indexes }: Item): VariableLookup {
  const special: Data = { this: self, parent, i: indexes };
  const wrapped: Data = { _this_: self, _parent_: parent, _i_: indexes };
  const sourceOf = (name: string) => [wrapped, data, special].find((source) => Object.hasOwn(source, name));
  return {
    has: (name) => sourceOf(name) !== undefined,
    get: (name) => sourceOf(name)?.[name],
  };
}

/**
 * The variables that are visible at the task, overwritten by the submitted values of the fields, as in form-js. Other
 * submitted variables replace none that is visible: they could lift the limits of the fields.
 */
export function dataOf(components: readonly Component[], variables: Data, visible: Data): Data {
  const data: Data = { ...variables, ...visible };
  const copies = new Set<unknown>([data]);
  for (const steps of writtenBy(components, [])) write({ to: data, from: variables, steps, copies });
  return data;
}

/** Where components write: the paths of fields, and of lists as a whole. */
function* writtenBy(components: readonly Component[], prefix: readonly string[]): Generator<readonly string[]> {
  for (const { type, key, path, components: inner } of components) {
    const own = [...prefix, ...stepsOf(type === 'dynamiclist' || Array.isArray(inner) ? path : key)];
    if (type !== 'dynamiclist' && Array.isArray(inner)) yield* writtenBy(inner as Component[], own);
    else if (own.length > prefix.length) yield own;
  }
}

interface Writing {
  to: Data;
  from: unknown;
  steps: readonly string[];
  /** Objects that belong to the data alone. */
  copies: Set<unknown>;
}

/** Sets the member of `to` that the steps name to that of `from`, if there is one. Objects on the way are copied once. */
function write({ to, from, steps, copies }: Writing): void {
  const [step, ...rest] = steps;
  if (step === undefined || !isObject(from) || !Object.hasOwn(from, step)) return;
  if (rest.length === 0) return define(to, step, from[step]);
  const inner = Object.hasOwn(to, step) ? to[step] : undefined;
  const own = isObject(inner) && copies.has(inner) ? inner : { ...(isObject(inner) && inner) };
  copies.add(own);
  define(to, step, own);
  write({ to: own, from: from[step], steps: rest, copies });
}

/** A member of any name, also `__proto__`. */
function define(to: Data, name: string, value: unknown): void {
  Object.defineProperty(to, name, { value, enumerable: true, configurable: true, writable: true });
}

/** `key` and `path` name members of objects, separated by dots. */
export function stepsOf(path: unknown): string[] {
  return typeof path === 'string' && path !== '' ? path.split('.') : [];
}
