/** Variables of Camunda 7 by their type, as JSON. Whatever is left out or changed is named. */
import type { SourceVariable } from './rest.js';

/** The rule of a map file for a variable. */
export type VariableRule = { skip: true } | { as: unknown };

export type VariableRules = Readonly<Record<string, VariableRule>>;

export type ReadValue =
  | { kind: 'value'; value: unknown; note?: string }
  /** Left out. */
  | { kind: 'skipped'; note: string };

export function readVariable(variable: SourceVariable, rules: VariableRules): ReadValue {
  const rule = Object.hasOwn(rules, variable.name) ? rules[variable.name] : undefined;
  if (rule && 'skip' in rule) return { kind: 'skipped', note: 'skipped by the map file' };
  if (rule) return { kind: 'value', value: rule.as, note: 'replaced by the map file' };
  const { type, value, errorMessage } = variable;
  if (errorMessage) return { kind: 'skipped', note: `skipped: the engine cannot read it (${errorMessage})` };
  if (value === null || value === undefined) return isWithoutValue(type) ? withoutJson(type) : of(null);
  switch (type.toLowerCase()) {
    case 'null':
      return of(null);
    case 'boolean':
    case 'string':
    case 'short':
    case 'integer':
    case 'double':
    case 'number':
      return of(value);
    case 'long':
      return readLong(value);
    case 'date':
      return readDate(value);
    case 'json':
      return readJson(value);
    case 'xml':
      return { kind: 'value', value: String(value), note: 'XML, imported as a text' };
    case 'object':
      return readObject(variable);
    default:
      return withoutJson(type);
  }
}

function of(value: unknown): ReadValue {
  return { kind: 'value', value };
}

/** Their content is not in the list of variables. */
function isWithoutValue(type: string): boolean {
  return ['bytes', 'file'].includes(type.toLowerCase());
}

function withoutJson(type: string): ReadValue {
  return { kind: 'skipped', note: `skipped: type ${type} has no equivalent` };
}

/** A JSON number of JavaScript would change a larger one. */
function readLong(value: unknown): ReadValue {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return of(value);
  return { kind: 'skipped', note: `skipped: ${value} has too many digits for a number. Map it to a text` };
}

/** `2026-01-05T08:00:00.000+0000` */
export function instantOf(text: string): string | undefined {
  const time = Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function readDate(value: unknown): ReadValue {
  const instant = instantOf(String(value));
  if (instant === undefined) return { kind: 'skipped', note: `skipped: ${JSON.stringify(value)} is not a date` };
  return { kind: 'value', value: instant, note: 'a date, imported as an ISO 8601 text' };
}

function readJson(value: unknown): ReadValue {
  if (typeof value !== 'string') return of(value);
  try {
    return of(JSON.parse(value));
  } catch {
    return { kind: 'skipped', note: 'skipped: its text is not JSON' };
  }
}

function readObject({ value, valueInfo }: SourceVariable): ReadValue {
  const format = valueInfo?.serializationDataFormat ?? 'unknown';
  if (format === 'application/json') return readJson(value);
  if (format === 'application/xml') return { kind: 'value', value: String(value), note: 'XML, imported as a text' };
  return { kind: 'skipped', note: `skipped: serialized as ${format}. Map it to a value to keep it` };
}
