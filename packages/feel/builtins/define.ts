/**
 * Declaration of built-in functions: one or more forms, each with typed parameters and a body. Arguments are checked
 * and converted before the body sees them, so that all functions report errors in the same words.
 */
import type { FeelNumber } from '../values/decimal.js';
import type { FeelErrorCode, Span } from '../errors.js';
import type { FeelFunction } from '../functions.js';
import type { FeelRange } from '../values/range.js';
import type { Run } from '../run.js';
import type { DaysTimeDuration, FeelDate, FeelDateTime } from '../temporal/values.js';
import type { FeelContext, FeelValue, TypeName } from '../values/values.js';

/** Cost of setting an entry of a new context: large contexts are hash tables. */
export const ENTRY_STEPS = 4;

/** A declared parameter; `T` is the type that the body gets. */
export interface Parameter<T> {
  name: string;
  /** Accepted types; undefined accepts everything, including null. */
  types: readonly TypeName[] | undefined;
  optional: boolean;
  nullable?: true;
  /** Takes all arguments from here on, as a list. */
  rest: boolean;
  /** Only for the type checker. */
  readonly value?: T;
}

/** The call being executed by a body. */
export interface Call {
  readonly run: Run;
  /** The whole call. */
  readonly at: Span;
  /** Name of the function, for messages. */
  readonly name: string;
}

/** One way to call a function. */
export interface Form {
  parameters: readonly Parameter<unknown>[];
  body: (call: Call, ...args: never[]) => FeelValue;
}

/** The forms of one function. A call uses the first form whose parameters match. */
export type Builtin = readonly Form[];

type Arguments<P extends readonly unknown[]> = { [K in keyof P]: P[K] extends Parameter<infer T> ? T : never };

export function form<const P extends readonly Parameter<unknown>[]>(
  parameters: P,
  body: (call: Call, ...args: Arguments<P>) => FeelValue,
): Form {
  return { parameters, body: body as Form['body'] };
}

function parameter<T>(name: string, types: readonly TypeName[] | undefined): Parameter<T> {
  return { name, types, optional: false, rest: false };
}

export const any = (name: string): Parameter<FeelValue> => parameter(name, undefined);
export const boolean = (name: string): Parameter<boolean> => parameter(name, ['boolean']);
export const number = (name: string): Parameter<FeelNumber> => parameter(name, ['number']);
export const string = (name: string): Parameter<string> => parameter(name, ['string']);
export const list = (name: string): Parameter<FeelValue[]> => parameter(name, ['list']);
export const context = (name: string): Parameter<FeelContext> => parameter(name, ['context']);
export const fn = (name: string): Parameter<FeelFunction> => parameter(name, ['function']);
export const range = (name: string): Parameter<FeelRange> => parameter(name, ['range']);
export const moment = (name: string): Parameter<FeelDate | FeelDateTime> => parameter(name, ['date', 'date and time']);
export const daysTime = (name: string): Parameter<DaysTimeDuration> => parameter(name, ['days and time duration']);

/** Any of several types. */
export function oneOf<T>(name: string, ...types: TypeName[]): Parameter<T> {
  return parameter(name, types);
}

/** An ordered value, which can be the start, the end or an element of a range. */
export function point(name: string): Parameter<FeelValue> {
  return parameter(name, [
    'number',
    'string',
    'date',
    'time',
    'date and time',
    'days and time duration',
    'years and months duration',
  ]);
}

/** The parameter may be omitted. */
export function optional<T>(declared: Parameter<T>): Parameter<T | undefined> {
  return { ...declared, optional: true } as Parameter<T | undefined>;
}

/** The parameter may be omitted or null, without a difference for the body. */
export function nullable<T>(declared: Parameter<T>): Parameter<T | undefined> {
  return { ...declared, optional: true, nullable: true } as Parameter<T | undefined>;
}

/** The parameter takes all arguments from here on. */
export function rest(name: string): Parameter<FeelValue[]> {
  return { name, types: undefined, optional: true, rest: true };
}

/** A failure of the call as a whole. */
export function fail(call: Call, code: FeelErrorCode, message: string): null {
  return call.run.fail(call.at, code, message);
}

/** A failure because the function does not accept the value of an argument. */
export function invalid(call: Call, message: string): null {
  return fail(call, 'INVALID_ARGUMENT', `"${call.name}": ${message}`);
}
