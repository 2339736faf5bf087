/** One evaluation of a model: the results of its elements so far, with one shared budget. */
import type { Environment } from '@perdure/feel/evaluate.js';
import { fromJson } from '@perdure/feel/json.js';
import { Run } from '@perdure/feel/run.js';
import { describeType, entryOf, isContext, type FeelContext, type FeelValue } from '@perdure/feel/values/values.js';
import type { FeelFunction } from '@perdure/feel/functions.js';
import type { BusinessKnowledge, CompiledModel, Decision, DecisionService, Element, InputData } from '../model.js';
import { errorOf, fail, located, NOWHERE, type DecisionError } from './failures.js';
import { resultTypeOf } from './functions.js';
import { Session, type Hit } from './session.js';
import { Sizes } from './size.js';
import { fit, type LoadedType, type TypeLoader } from './types.js';

/** The outcome of an element in one evaluation. */
export interface ElementResult {
  element: Element;
  /** Null if it failed; undefined for input that was not given. */
  value: FeelValue | undefined;
  error?: DecisionError;
  /** Diagnostics of a lenient evaluation. */
  warnings: DecisionError[];
  hits: Hit[];
  requires: ElementResult[];
}

/** Values by position of their element: given, evaluated, or missing. */
export type Values = Map<number, FeelValue | undefined>;

/** A loaded model, as an evaluation uses it. Elements are identified by their position. */
interface Loaded {
  readonly model: CompiledModel;
  readonly resolveType: TypeLoader['resolve'];
  element(position: number): Element;
  typeOf(element: Element): LoadedType | undefined;
  function(position: number): FeelFunction;
  plan(targets: readonly number[], known: ReadonlySet<number>): number[];
  outputOf(service: DecisionService, values: Values): FeelValue;
  evaluateDecision(run: Run, position: number, values: Values, given?: FeelContext): FeelValue;
}

/**
 * Maximum values and characters of everything that a caller requested, because serializing it blocks the event loop.
 */
const MAX_RESULTS_SIZE = 1_048_576;

export class Evaluation {
  readonly #loaded: Loaded;
  readonly #given: FeelContext;
  readonly #session: Session;
  readonly #run: Run;
  readonly #sizes = new Sizes();
  #sizeLeft = MAX_RESULTS_SIZE;
  readonly #values: Values = new Map();
  readonly #results = new Map<number, ElementResult>();

  constructor(loaded: Loaded, given: FeelContext, environment: Environment) {
    this.#loaded = loaded;
    this.#given = given;
    this.#session = new Session(environment, loaded.resolveType);
    this.#run = new Run({}, this.#session);
  }

  /** The result of a requested element; the size of all of them together is limited. */
  answer(position: number): ElementResult {
    const result = this.#result(position);
    const size = this.#sizes.of(result.value ?? null);
    if (size <= this.#sizeLeft) {
      this.#sizeLeft -= size;
      return result;
    }
    return {
      ...result,
      value: null,
      error: {
        code: 'BUDGET',
        message: 'The result exceeds the evaluation limit, or is nested too deeply.',
        elementID: result.element.id,
      },
    };
  }

  /** The result of a decision or decision service, after evaluating everything it needs. */
  #result(position: number): ElementResult {
    const element = this.#loaded.element(position);
    const known = this.#results.get(position);
    if (known !== undefined) return known;
    if (element.kind === 'decision service') return this.#serviceResult(position, element);
    if (element.kind === 'business knowledge') return this.#knowledgeResult(position, element);
    for (const needed of this.#loaded.plan([position], new Set(this.#results.keys()))) this.#evaluateDecision(needed);
    return this.#results.get(position) as ElementResult;
  }

  #evaluateDecision(position: number): void {
    const element = this.#loaded.element(position) as Decision;
    const requires = element.requires.map((requirement) => this.#required(requirement.element));
    const failed = requires.find(({ error }) => error !== undefined);
    if (failed !== undefined) {
      const error: DecisionError = {
        code: 'REQUIREMENT_FAILED',
        message: `The required element "${failed.element.name}" failed: ${failed.error?.message}`,
        elementID: element.id,
      };
      this.#note(position, { element, value: null, error, warnings: [], hits: [], requires });
    } else {
      this.#note(position, {
        ...this.#attempt(element, () => this.#loaded.evaluateDecision(this.#run, position, this.#values, this.#given)),
        requires,
      });
    }
  }

  /** Inputs and functions get their result when they are first required; decisions have been evaluated before. */
  #required(position: number): ElementResult {
    const known = this.#results.get(position);
    if (known !== undefined) return known;
    const element = this.#loaded.element(position);
    const result =
      element.kind === 'input data'
        ? this.#input(element)
        : { element, value: this.#loaded.function(position), warnings: [], hits: [], requires: [] };
    this.#note(position, result);
    return result;
  }

  #note(position: number, result: ElementResult): void {
    this.#results.set(position, result);
    this.#values.set(position, result.value);
  }

  #input(element: InputData): ElementResult {
    const value = this.#givenValue(element);
    if (value === undefined) return { element, value, warnings: [], hits: [], requires: [] };
    return this.#attempt(element, () =>
      located(this.#run, element.id, () => readInput(this.#run, element.name, value, this.#loaded.typeOf(element))),
    );
  }

  #givenValue({ name, file }: Element): FeelValue | undefined {
    let context: FeelValue | undefined = this.#given;
    for (const importName of this.#loaded.model.files[file]?.importPath ?? [])
      context = isContext(context) ? entryOf(context, importName) : undefined;
    return (isContext(context) ? entryOf(context, name) : undefined) ?? entryOf(this.#given, name);
  }

  #serviceResult(position: number, service: DecisionService): ElementResult {
    const { inputs, outputs } = service;
    const given: Values = new Map();
    const requires: ElementResult[] = [];
    for (const input of inputs) {
      const result = this.#input(this.#loaded.element(input) as InputData);
      requires.push(result);
      given.set(input, result.value);
    }
    const attempted = this.#attempt(service, () =>
      located(this.#run, service.id, () => {
        if (outputs.length === 0)
          return fail(
            this.#run,
            'SYNTAX',
            `The decision service "${service.name}" has no output decision, so it has no result.`,
          );
        for (const needed of this.#loaded.plan(outputs, new Set(inputs)))
          given.set(needed, this.#loaded.evaluateDecision(this.#run, needed, given, this.#given));
        return fit(
          this.#run,
          this.#loaded.outputOf(service, given),
          resultTypeOf(this.#loaded.typeOf(service)),
          `The result of "${service.name}"`,
        );
      }),
    );
    const result = { ...attempted, requires };
    this.#results.set(position, result);
    return result;
  }

  #knowledgeResult(position: number, element: BusinessKnowledge): ElementResult {
    const args = element.logic.parameters.map(({ name }) => entryOf(this.#given, name) ?? null);
    return this.#attempt(element, () =>
      located(this.#run, element.id, () => this.#loaded.function(position).invoke(this.#run, args, NOWHERE)),
    );
  }

  /** Evaluates a part separately: its errors and matching rules belong only to it. */
  #attempt(element: Element, part: () => FeelValue): Omit<ElementResult, 'requires'> & { requires: ElementResult[] } {
    const run = this.#run;
    this.#session.hits = [];
    run.diagnostics = undefined;
    // A failure may have left nested function calls open.
    run.use({});
    const finish = (value: FeelValue, error?: DecisionError): ElementResult => {
      const warnings = (run.diagnostics ?? []) as DecisionError[];
      return { element, value, ...(error && { error }), warnings, hits: this.#session.hits, requires: [] };
    };
    try {
      return finish(part());
    } catch (thrown) {
      return finish(null, errorOf(thrown));
    }
  }
}

/** JSON has no dates: the type of the input shows which strings are dates. */
function readInput(run: Run, name: string, value: FeelValue, type: LoadedType | undefined): FeelValue {
  if (type === undefined) return value;
  const read = fromJson(value, type.feel, (steps) => run.charge(steps, NOWHERE));
  if (read === undefined)
    return fail(
      run,
      'TYPE_MISMATCH',
      `The input "${name}" must be of the type "${type.label}", but is ${describeType(value)}.`,
    );
  return fit(run, read, type, `The input "${name}"`);
}
