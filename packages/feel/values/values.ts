/**
 * The values of FEEL (DMN 1.5 section 10.3.2).
 *
 * Null, booleans, strings, lists and contexts are the plain JavaScript values of JSON, so that variables need no
 * conversion. A number is a JavaScript number if that represents it exactly (see `decimal.ts`), otherwise a `Decimal`.
 * Everything else is a `FeelObject`.
 */

/** Names of the types in expressions and in messages. */
export type TypeName =
  | 'null'
  | 'boolean'
  | 'number'
  | 'string'
  | 'date'
  | 'time'
  | 'date and time'
  | 'days and time duration'
  | 'years and months duration'
  | 'list'
  | 'context'
  | 'range'
  | 'function';

/** Base class of all values that JSON does not have. */
export abstract class FeelObject {
  abstract readonly type: TypeName;
}

/** A context: own enumerable entries only; properties of a prototype do not exist for FEEL. */
export interface FeelContext {
  [key: string]: FeelValue;
}

export type FeelValue = null | boolean | number | string | FeelObject | FeelValue[] | FeelContext;

/** The type of a value. `undefined` counts as null. */
export function typeOf(value: FeelValue | undefined): TypeName {
  switch (typeof value) {
    case 'number':
      return 'number';
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'list';
      if (value instanceof FeelObject) return value.type;
      return 'context';
    default:
      return 'null';
  }
}

/** Whether the value is a context. */
export function isContext(value: FeelValue | undefined): value is FeelContext {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof FeelObject);
}

/** The entry of a context; `undefined` if it has none with that name. Never reads the prototype. */
export function entryOf(context: FeelContext, key: string): FeelValue | undefined {
  return Object.hasOwn(context, key) ? context[key] : undefined;
}

/** Sets an entry; names such as `__proto__` are ordinary names. */
export function setEntry(context: FeelContext, key: string, value: FeelValue): void {
  if (key === '__proto__') {
    Object.defineProperty(context, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    context[key] = value;
  }
}

/** A shallow copy of a context. */
export function copyContext(context: FeelContext): FeelContext {
  const copy: FeelContext = {};
  for (const key of Object.keys(context)) setEntry(copy, key, context[key] ?? null);
  return copy;
}

/** A type with its article, for messages: "a number", "null". */
export function describeType(value: FeelValue | undefined): string {
  return withArticle(typeOf(value));
}

/** A type name with its article. */
export function withArticle(type: TypeName): string {
  return type === 'null' ? 'null' : `a ${type}`;
}
