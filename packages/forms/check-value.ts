/** Checks the value of one field, by its type and its `validate` member (form-js 1.x). */
import { parseDate, parseTime } from '@perdure/feel/temporal/parse.js';
import { checkPattern } from './pattern.js';
import { isObject } from '@perdure/lib/model-files/json.js';
import type { Component } from './read-form.js';
import type { Submission } from './submission.js';

/** The limits of a field, with their expressions evaluated. */
export interface Limits {
  required: boolean;
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** Problems of a value, in words without the value. */
export function valueProblems(field: Component, value: unknown, limits: Limits, submission: Submission): string[] {
  if (isEmpty(field, value)) return limits.required ? ['is required'] : [];
  const wrongType = typeProblem(field, value, submission);
  if (wrongType !== undefined) return [wrongType];
  return [...limitProblems(field, value, limits, submission), ...patternProblems(value, limits, submission)];
}

/** Whether form-js treats the value as missing; an unchecked checkbox is, too. */
function isEmpty({ type }: Component, value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (type === 'checkbox' && value === false)
  );
}

function typeProblem(field: Component, value: unknown, submission: Submission): string | undefined {
  switch (field.type) {
    case 'textfield':
    case 'textarea':
      return typeof value === 'string' ? undefined : 'must be a text';
    case 'number':
      return numberProblem(field, value);
    case 'checkbox':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'datetime':
      return dateProblem(field, value);
    case 'select':
    case 'radio':
      return isOption(field, value, submission) ? undefined : 'must be one of the options';
    case 'checklist':
    case 'taglist':
      if (!Array.isArray(value)) return 'must be a list';
      return value.every((item) => isOption(field, item, submission)) ? undefined : 'must contain options only';
    default:
      return undefined;
  }
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

function numberProblem({ serializeToString, decimalDigits }: Component, value: unknown): string | undefined {
  const isText = serializeToString === true && typeof value === 'string' && value.length <= 1000 && NUMBER.test(value);
  if (!isText && typeof value !== 'number') return 'must be a number';
  if (typeof decimalDigits !== 'number' || decimalsOf(String(value)) <= decimalDigits) return undefined;
  return decimalDigits === 0 ? 'must be an integer' : `must have at most ${decimalDigits} decimal digits`;
}

function decimalsOf(text: string): number {
  const [mantissa, exponent = '0'] = text.toLowerCase().split('e');
  const digits = mantissa!.split('.')[1]?.length ?? 0;
  return Math.max(0, digits - Number(exponent));
}

const DATE = /^\d{4,6}-\d{2}-\d{2}$/;
const TIME = /^(\d{2}:\d{2})(:\d{2})?((?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})?)$/;

function dateProblem({ subtype }: Component, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  const [date, time] = subtype === 'time' ? [undefined, value] : splitOnce(value);
  const isDateRight = date === undefined ? subtype === 'time' : isDate(date);
  const isTimeRight = time === undefined ? subtype !== 'time' && subtype !== 'datetime' : isTime(time);
  if (isDateRight && isTimeRight && (subtype === 'datetime' || subtype === 'time' || time === undefined))
    return undefined;
  if (subtype === 'time') return 'must be a time such as 09:30';
  return subtype === 'datetime'
    ? 'must be a date and time such as 2026-01-31T09:30Z'
    : 'must be a date such as 2026-01-31';
}

/** A day of the calendar, as FEEL reads it: `Date.parse` accepts February 30. */
function isDate(text: string): boolean {
  return DATE.test(text) && parseDate(text) !== undefined;
}

/** The seconds may be missing, which FEEL does not allow. */
function isTime(text: string): boolean {
  const parts = TIME.exec(text);
  if (!parts) return false;
  const [, hoursAndMinutes, seconds, rest] = parts;
  if (seconds === undefined && rest!.startsWith('.')) return false;
  return parseTime(`${hoursAndMinutes}${seconds ?? ':00'}${rest}`) !== undefined;
}

function splitOnce(text: string): [string, string | undefined] {
  const at = text.indexOf('T');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** Only options in the form itself are known; those from variables or expressions are not checked. */
function isOption({ values, valuesKey, valuesExpression }: Component, value: unknown, submission: Submission): boolean {
  if (!Array.isArray(values) || valuesKey !== undefined || valuesExpression !== undefined) return true;
  submission.countCheck();
  const options = submission.optionsOf(values, (option) => (isObject(option) ? option['value'] : option));
  return options.has(submission.jsonOf(value));
}

function limitProblems({ type }: Component, value: unknown, limits: Limits, submission: Submission): string[] {
  const { min, max, minLength, maxLength } = limits;
  if (type === 'number') {
    const number = Number(value);
    return [
      ...(min !== undefined && number < min ? [`must be at least ${min}`] : []),
      ...(max !== undefined && number > max ? [`must be at most ${max}`] : []),
    ];
  }
  if (typeof value !== 'string') return [];
  if (minLength === undefined && maxLength === undefined) return [];
  submission.countCharacters(value.length);
  const length = value.trim().length;
  return [
    ...(minLength !== undefined && length < minLength ? [`must have at least ${minLength} characters`] : []),
    ...(maxLength !== undefined && length > maxLength ? [`must have at most ${maxLength} characters`] : []),
  ];
}

function patternProblems(value: unknown, { pattern }: Limits, submission: Submission): string[] {
  if (pattern === undefined || typeof value !== 'string') return [];
  return checkPattern(pattern, value, submission.countPatternSteps) === 'differs'
    ? [`must match the pattern ${pattern}`]
    : [];
}
