/** Types that values are checked against and converted to (DMN 1.5 sections 10.3.2.9 and 7.3.2). */
import { FeelFunction } from '../functions.js';
import { FeelRange } from './range.js';
import type { TypeNode } from '../tree.js';
import { FeelDate, FeelDateTime } from '../temporal/values.js';
import { UTC } from '../temporal/zone.js';
import type { FeelType, SimpleTypeName } from './feel-type.js';
import { entryOf, isContext, typeOf, type FeelValue } from './values.js';

const SIMPLE_NAMES: Record<string, SimpleTypeName> = {
  Any: 'Any',
  Null: 'null',
  boolean: 'boolean',
  number: 'number',
  string: 'string',
  date: 'date',
  time: 'time',
  'date and time': 'date and time',
  dateTime: 'date and time',
  duration: 'duration',
  'days and time duration': 'days and time duration',
  dayTimeDuration: 'days and time duration',
  'years and months duration': 'years and months duration',
  yearMonthDuration: 'years and months duration',
  list: 'list',
  context: 'context',
  range: 'range',
  function: 'function',
};

/** The simple type of a name; `undefined` if it is not a FEEL type. */
export function simpleType(name: string): FeelType | undefined {
  return Object.hasOwn(SIMPLE_NAMES, name) ? { kind: 'simple', name: SIMPLE_NAMES[name] as SimpleTypeName } : undefined;
}

/** A type as written, with other names looked up by the host; `undefined` if a name is unknown. */
export function resolveTypeNode(
  node: TypeNode,
  resolveName: ((name: string) => FeelType | undefined) | undefined,
): FeelType | undefined {
  switch (node.kind) {
    case 'named':
      return simpleType(node.name) ?? resolveName?.(node.name);
    case 'list':
    case 'range': {
      const element = resolveTypeNode(node.element, resolveName);
      return element && { kind: node.kind, element };
    }
    case 'context': {
      const entries: { name: string; type: FeelType }[] = [];
      for (const entry of node.entries) {
        const type = resolveTypeNode(entry.type, resolveName);
        if (type === undefined) return undefined;
        entries.push({ name: entry.name, type });
      }
      return { kind: 'context', entries };
    }
    case 'function': {
      const parameters = node.parameters.map((parameter) => resolveTypeNode(parameter, resolveName));
      const result = resolveTypeNode(node.result, resolveName);
      if (result === undefined || parameters.includes(undefined)) return undefined;
      return { kind: 'function', parameters: parameters as FeelType[], result };
    }
  }
}

/** Called for each visited part of a value; may throw to end the check. */
type CountParts = () => void;

/** Whether a value is of a type (`instance of`). Null is only an instance of `Null`. */
export function conforms(value: FeelValue, type: FeelType, count?: CountParts): boolean {
  count?.();
  switch (type.kind) {
    case 'simple':
      return isOfSimpleType(value, type.name);
    case 'list':
      return Array.isArray(value) && value.every((item) => isElement(item, type.element, count));
    case 'range':
      return (
        value instanceof FeelRange &&
        isElement(value.start ?? value.end, type.element, count) &&
        isElement(value.end ?? value.start, type.element, count)
      );
    case 'context':
      return (
        isContext(value) && type.entries.every((entry) => isElement(entryOf(value, entry.name), entry.type, count))
      );
    case 'function':
      return value instanceof FeelFunction && isFunctionOf(value, type);
  }
}

/** Parameters may be more general and the result more specific than in the type. */
function isFunctionOf({ parameters, result }: FeelFunction, type: Extract<FeelType, { kind: 'function' }>): boolean {
  if (parameters === undefined) return true;
  if (parameters.length !== type.parameters.length) return false;
  const accepts = parameters.every(
    (parameter, index) => parameter.type === undefined || isSubtype(type.parameters[index] as FeelType, parameter.type),
  );
  return accepts && (result === undefined || isSubtype(result, type.result));
}

/**
 * Whether all values of one type belong to the other. `Any` on the left means unknown, which is compatible with
 * everything.
 */
function isSubtype(type: FeelType, of: FeelType): boolean {
  if ((of.kind === 'simple' && of.name === 'Any') || (type.kind === 'simple' && type.name === 'Any')) return true;
  if (of.kind === 'simple')
    return type.kind === 'simple'
      ? type.name === of.name || (of.name === 'duration' && type.name.endsWith('duration'))
      : type.kind === of.name;
  if (type.kind === 'context' && of.kind === 'context') {
    return of.entries.every(({ name, type: wanted }) =>
      type.entries.some((entry) => entry.name === name && isSubtype(entry.type, wanted)),
    );
  }
  if (type.kind === 'function' && of.kind === 'function') {
    const sameCount = type.parameters.length === of.parameters.length;
    return (
      sameCount &&
      of.parameters.every((parameter, index) => isSubtype(parameter, type.parameters[index] as FeelType)) &&
      isSubtype(type.result, of.result)
    );
  }
  return (
    (type.kind === 'list' || type.kind === 'range') && type.kind === of.kind && isSubtype(type.element, of.element)
  );
}

function isOfSimpleType(value: FeelValue, name: SimpleTypeName): boolean {
  const type = typeOf(value);
  if (name === 'Any') return type !== 'null';
  if (name === 'duration') return type.endsWith('duration');
  return type === name;
}

/** A part of a value may be null, whatever its type, but a missing entry does not match. */
function isElement(value: FeelValue | undefined, type: FeelType, count: CountParts | undefined): boolean {
  return value === null || (value !== undefined && conforms(value, type, count));
}

/**
 * Converts a value to a type as DMN does for arguments and results (section 10.3.2.9.4): null matches all types, a list
 * of one item matches the type of the item, a value matches the list of its type, a date matches a date and time.
 * `undefined` if it does not match.
 */
export function coerce(value: FeelValue, type: FeelType, count?: CountParts): FeelValue | undefined {
  if (value === null || conforms(value, type, count)) return value;
  if (type.kind === 'simple' && type.name === 'Any') return value;
  if (type.kind === 'list') return conforms(value, type.element, count) ? [value] : undefined;
  if (Array.isArray(value))
    return value.length === 1 && conforms(value[0] ?? null, type, count) ? (value[0] ?? null) : undefined;
  if (value instanceof FeelDate && type.kind === 'simple' && type.name === 'date and time')
    return FeelDateTime.atMidnight(value, UTC);
  return undefined;
}
