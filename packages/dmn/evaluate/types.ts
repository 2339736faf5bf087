/** Item definitions at run time: FEEL checks the structure, unary tests check the allowed values. */
import type { Run } from '@perdure/feel/run.js';
import type { FeelType } from '@perdure/feel/values/feel-type.js';
import { coerce, simpleType } from '@perdure/feel/values/types.js';
import { describeType, entryOf, isContext, type FeelValue } from '@perdure/feel/values/values.js';
import type { CompiledModel, Type } from '../model.js';
import { codeOf, type Code } from './expressions.js';
import { fail, NOWHERE } from './failures.js';

type Admits = (run: Run, value: FeelValue) => boolean;

export interface LoadedType {
  /** For messages. */
  label: string;
  feel: FeelType;
  /**
   * Whether a value of the right structure satisfies the constraints; absent if none exists. Null parts satisfy
   * them.
   */
  admits?: Admits;
  /** The constraints of its parts only: a type derived from this one may replace the others. */
  admitsParts?: Admits;
  /** For a function type: its parameters and result. */
  signature?: { parameters: LoadedType[]; result: LoadedType };
}

export class TypeLoader {
  readonly #items: LoadedType[] = [];
  readonly #byName = new Map<string, LoadedType>();

  /** Item definitions come after those they refer to. */
  constructor({ types, files }: Pick<CompiledModel, 'types' | 'files'>) {
    for (const { name, type, file } of types) {
      const loaded: LoadedType = { ...this.load(type), label: name };
      this.#items.push(loaded);
      const path = files[file]?.importPath ?? [];
      this.#byName.set([...path, name].join('.'), loaded);
    }
  }

  load(type: Type): LoadedType {
    switch (type.kind) {
      case 'simple':
        return { label: type.name, feel: simpleType(type.name) as FeelType };
      case 'item':
        return this.#items[type.item] as LoadedType;
      case 'list':
        return listOf(this.load(type.element));
      case 'context':
        return contextOf(type.components.map(({ name, type: component }) => ({ name, type: this.load(component) })));
      case 'function':
        return functionOf(
          type.parameters.map((parameter) => this.load(parameter)),
          this.load(type.result),
        );
      case 'constrained':
        return constrainedBy(this.load(type.base), codeOf(type.allowed), type.whole === true);
    }
  }

  /** The loaded type of an optional one. */
  optional(type: Type | undefined): LoadedType | undefined {
    return type && this.load(type);
  }

  /** Item definitions by name, for `instance of` and parameter types in FEEL. */
  readonly resolve = (name: string): FeelType | undefined => this.#byName.get(name)?.feel;
}

function listOf(element: LoadedType): LoadedType {
  const { admits } = element;
  const type: LoadedType = { label: `list of ${element.label}`, feel: { kind: 'list', element: element.feel } };
  return admits
    ? withParts(
        type,
        (run, value) => !Array.isArray(value) || value.every((item) => item === null || admits(run, item)),
      )
    : type;
}

function withParts(type: LoadedType, admits: Admits): LoadedType {
  return { ...type, admits, admitsParts: admits };
}

function contextOf(components: readonly { name: string; type: LoadedType }[]): LoadedType {
  const constrained = components.filter(({ type }) => type.admits !== undefined);
  const type: LoadedType = {
    label: 'context',
    feel: { kind: 'context', entries: components.map(({ name, type: { feel } }) => ({ name, type: feel })) },
  };
  if (constrained.length === 0) return type;
  return withParts(
    type,
    (run, value) =>
      !isContext(value) ||
      constrained.every(({ name, type: { admits } }) => {
        const entry = entryOf(value, name) ?? null;
        return entry === null || admits === undefined || admits(run, entry);
      }),
  );
}

function functionOf(parameters: LoadedType[], result: LoadedType): LoadedType {
  return {
    label: 'function',
    feel: { kind: 'function', parameters: parameters.map(({ feel }) => feel), result: result.feel },
    signature: { parameters, result },
  };
}

/** Allowed values replace those of the base type (DMN 1.5 section 7.3.3). */
function constrainedBy(base: LoadedType, tests: Code, whole: boolean): LoadedType {
  const passes = (run: Run, value: FeelValue): boolean => run.quietly(() => tests(run, { value, up: null })) === true;
  return {
    ...base,
    admits: (run, value) => {
      run.charge(1, NOWHERE);
      if (base.admitsParts !== undefined && !base.admitsParts(run, value)) return false;
      if (passes(run, value)) return true;
      return !whole && Array.isArray(value) && value.every((item) => item === null || passes(run, item));
    },
  };
}

/** Converts a value to a type (DMN 1.5 section 10.3.2.9.4); null after a failure. Without a type every value fits. */
export function fit(run: Run, value: FeelValue, type: LoadedType | undefined, what: string): FeelValue {
  if (type === undefined) return value;
  const fitted = coerce(value, type.feel, () => run.charge(1, NOWHERE));
  if (fitted === undefined)
    return fail(run, 'TYPE_MISMATCH', `${what} must be of the type "${type.label}", but is ${describeType(value)}.`);
  return checkConstraints(run, fitted, type, what);
}

/** The value if it satisfies the constraints of its type, otherwise null after a failure. */
export function checkConstraints(run: Run, value: FeelValue, type: LoadedType | undefined, what: string): FeelValue {
  if (value === null || type?.admits === undefined || type.admits(run, value)) return value;
  return fail(run, 'INVALID_ARGUMENT', `${what} is not among the allowed values of the type "${type.label}".`);
}
