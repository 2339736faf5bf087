/** Checks a JSON value against the part of JSON Schema that `schema.ts` uses. */
import type { Schema } from './schema.js';

/** Reports that would follow from others are of no use, and a file can have very many. */
const MAX_PROBLEMS = 20;

/** `steps[3].completeJob: must have exactly one of node and type`; empty if the value is valid. */
export function problemsOf(value: unknown, schema: Schema): string[] {
  const problems: string[] = [];
  new Validation(schema.$defs ?? {}, (path, message) => problems.push(`${path || 'the file'}: ${message}`)).check(
    value,
    schema,
    '',
  );
  if (problems.length <= MAX_PROBLEMS) return problems;
  return [...problems.slice(0, MAX_PROBLEMS), `${problems.length - MAX_PROBLEMS} more problems`];
}

class Validation {
  readonly #definitions: { readonly [name: string]: Schema };
  readonly #report: (path: string, message: string) => void;

  constructor(definitions: { readonly [name: string]: Schema }, report: (path: string, message: string) => void) {
    this.#definitions = definitions;
    this.#report = report;
  }

  check(value: unknown, schema: Schema, path: string): void {
    const rule = schema.$ref === undefined ? schema : this.#definitions[schema.$ref.replace('#/$defs/', '')]!;
    if (rule.type !== undefined && typeOf(value, rule.type) !== rule.type)
      return this.#report(path, `must be ${nouns[rule.type]}, found ${printed(value)}`);
    if (typeof value === 'string') this.#text(value, rule, path);
    if (typeof value === 'number') this.#number(value, rule, path);
    if (Array.isArray(value)) this.#list(value, rule, path);
    else if (typeof value === 'object' && value !== null) this.#object(value, rule, path);
  }

  #text(value: string, { minLength = 0, maxLength = Infinity, enum: words, format }: Schema, path: string): void {
    if (words && !words.includes(value))
      this.#report(path, `must be one of ${words.join(', ')}, found ${printed(value)}`);
    if (value.length < minLength) this.#report(path, 'must not be empty');
    if (value.length > maxLength)
      this.#report(path, `must have at most ${maxLength} characters, but has ${value.length}`);
    if (format === 'date-time' && !isInstant(value))
      this.#report(path, `must be a date and time with a zone, such as 2026-01-01T00:00:00Z, found ${printed(value)}`);
  }

  #number(value: number, { minimum = -Infinity, maximum = Infinity }: Schema, path: string): void {
    if (value < minimum || value > maximum)
      this.#report(path, `must be between ${minimum} and ${maximum}, found ${value}`);
  }

  #list(value: readonly unknown[], { items, minItems = 0, maxItems = Infinity }: Schema, path: string): void {
    if (value.length < minItems) this.#report(path, `must have at least ${minItems} items, but has ${value.length}`);
    if (value.length > maxItems) this.#report(path, `must have at most ${maxItems} items, but has ${value.length}`);
    if (items) for (const [index, item] of value.entries()) this.check(item, items, `${path}[${index}]`);
  }

  #object(value: object, rule: Schema, path: string): void {
    const names = Object.keys(value);
    const known = Object.keys(rule.properties ?? {});
    for (const name of rule.required ?? [])
      if (!Object.hasOwn(value, name)) this.#report(path, `${JSON.stringify(name)} is missing`);
    for (const name of names) {
      if (rule.properties && Object.hasOwn(rule.properties, name))
        this.check((value as { [name: string]: unknown })[name], rule.properties[name]!, pathTo(path, name));
      else if (rule.additionalProperties === false)
        this.#report(path, `${JSON.stringify(name)} is unknown; use one of ${known.join(', ')}`);
    }
    if (rule.maxProperties !== undefined && names.length !== rule.maxProperties)
      this.#report(
        path,
        `must have exactly one of ${known.join(', ')}, but has ${names.length === 0 ? 'none' : names.join(' and ')}`,
      );
    const choices = rule.oneOf?.map(({ required: [name] }) => name) ?? [];
    const given = choices.filter((name) => Object.hasOwn(value, name));
    if (choices.length > 0 && given.length !== 1)
      this.#report(
        path,
        `must have exactly one of ${choices.join(' and ')}, but has ${given.length === 0 ? 'neither' : 'both'}`,
      );
  }
}

const nouns: { readonly [Type in NonNullable<Schema['type']>]: string } = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
};

function typeOf(value: unknown, wanted: NonNullable<Schema['type']>): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'number' && Number.isInteger(value)
    ? wanted === 'integer'
      ? 'integer'
      : 'number'
    : typeof value;
}

function isInstant(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
  );
}

function pathTo(path: string, name: string): string {
  const member = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  return path === '' ? member : `${path}.${member}`;
}

function printed(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 100 ? text : `${text.slice(0, 100)}...`;
}
