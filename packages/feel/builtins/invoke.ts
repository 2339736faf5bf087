/** Selects the form of a built-in function that matches the arguments, converts them, and runs it. */
import type { Span } from '../errors.js';
import type { Run } from '../run.js';
import { FeelDate, FeelDateTime } from '../temporal/values.js';
import { UTC } from '../temporal/zone.js';
import { describeType, typeOf, withArticle, type FeelValue } from '../values/values.js';
import type { Builtin, Call, Form, Parameter } from './define.js';

/** Selecting a form and converting arguments costs about as much as this many nodes. */
const CALL_STEPS = 4;

/** Describes which argument does not match, and why. */
interface Misfit {
  parameter: Parameter<unknown>;
  argument: FeelValue;
  index: number;
}

/** Calls a built-in function. `names` are given if the arguments are named. */
export function invokeBuiltin(
  name: string,
  builtin: Builtin,
  run: Run,
  at: Span,
  args: readonly FeelValue[],
  argumentSpans?: readonly Span[],
  names?: readonly string[],
): FeelValue {
  const call: Call = { run, at, name };
  run.charge(CALL_STEPS, at);
  for (const argument of args) {
    if (typeof argument === 'string') run.charge(argument.length >> 5, at);
  }
  let misfit: Misfit | undefined;
  for (const form of builtin) {
    const placed = names === undefined ? placeByPosition(form, args) : placeByName(form, args, names);
    if (placed === undefined) continue;
    const converted = convertAll(form, placed);
    if (Array.isArray(converted)) return form.body(call, ...(converted as never[]));
    // The form with the most matching arguments is the intended one.
    if (misfit === undefined || converted.index > misfit.index) misfit = converted;
  }
  if (misfit === undefined) return run.fail(at, 'INVALID_ARGUMENT', arityMessage(name, builtin, args.length, names));
  const { parameter, argument, index } = misfit;
  const wanted = inWords((parameter.types ?? []).map(withArticle));
  return run.fail(
    argumentSpans?.[index] ?? at,
    'TYPE_MISMATCH',
    `"${name}" needs ${wanted} as "${parameter.name}", but this is ${describeType(argument)}.`,
  );
}

/** "a, b or c" */
function inWords(options: readonly string[]): string {
  return options.length < 2 ? options.join('') : `${options.slice(0, -1).join(', ')} or ${options.at(-1)}`;
}

function placeByPosition({ parameters }: Form, args: readonly FeelValue[]): (FeelValue | undefined)[] | undefined {
  const last = parameters.at(-1);
  if (last?.rest === true) {
    const fixed = parameters.length - 1;
    if (args.length <= fixed) return undefined;
    return [...args.slice(0, fixed), args.slice(fixed)];
  }
  if (args.length > parameters.length) return undefined;
  const placed: (FeelValue | undefined)[] = [];
  for (let index = 0; index < parameters.length; index++) {
    if (index >= args.length && parameters[index]?.optional !== true) return undefined;
    placed.push(args[index]);
  }
  return placed;
}

function placeByName(
  { parameters }: Form,
  args: readonly FeelValue[],
  names: readonly string[],
): (FeelValue | undefined)[] | undefined {
  const used = new Set<string>();
  for (const name of names) {
    if (used.has(name) || !parameters.some((parameter) => parameter.name === name)) return undefined;
    used.add(name);
  }
  const placed: (FeelValue | undefined)[] = [];
  for (const parameter of parameters) {
    const index = names.indexOf(parameter.name);
    if (index < 0 && !parameter.optional) return undefined;
    const argument = index < 0 ? undefined : args[index];
    placed.push(
      parameter.rest && argument !== undefined ? (Array.isArray(argument) ? argument : [argument]) : argument,
    );
  }
  return placed;
}

function convertAll({ parameters }: Form, placed: (FeelValue | undefined)[]): (FeelValue | undefined)[] | Misfit {
  for (let index = 0; index < parameters.length; index++) {
    const parameter = parameters[index] as Parameter<unknown>;
    const argument = placed[index];
    if (argument === null && parameter.nullable === true) {
      placed[index] = undefined;
      continue;
    }
    if (argument === undefined || parameter.types === undefined) {
      if (parameter.rest && argument === undefined) placed[index] = [];
      continue;
    }
    const value = convert(argument, parameter);
    if (value === undefined) return { parameter, argument, index };
    placed[index] = value;
  }
  return placed;
}

/** The implicit conversions of DMN 1.5 section 10.3.2.9.4; `undefined` if none applies. */
function convert(argument: FeelValue, { types }: Parameter<unknown>): FeelValue | undefined {
  const accepted = types ?? [];
  const type = typeOf(argument);
  if (accepted.includes(type)) return argument;
  if (argument === null) return undefined;
  if (type === 'list') {
    const items = argument as FeelValue[];
    const item = items[0];
    return items.length === 1 && item !== undefined && accepted.includes(typeOf(item)) ? item : undefined;
  }
  if (accepted.includes('list')) return [argument];
  if (argument instanceof FeelDate && accepted.includes('date and time')) return FeelDateTime.atMidnight(argument, UTC);
  return undefined;
}

function arityMessage(name: string, builtin: Builtin, count: number, names: readonly string[] | undefined): string {
  const forms = builtin
    .map(({ parameters }) => `${name}(${parameters.map(describeParameter).join(', ')})`)
    .join(' or ');
  return names === undefined
    ? `"${name}" does not take ${count} ${count === 1 ? 'argument' : 'arguments'}. Call it as ${forms}.`
    : `"${name}" does not take the arguments ${names.map((given) => `"${given}"`).join(', ')}. Call it as ${forms}.`;
}

function describeParameter({ name, optional, rest }: Parameter<unknown>): string {
  return rest ? `${name}, ...` : optional ? `${name}?` : name;
}
