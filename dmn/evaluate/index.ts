/** Evaluation of decisions: a compiled model is loaded once and evaluated any number of times. Deterministic; clock and zone are inputs. */
import type { Environment } from '../../feel/evaluate.js';
import { fromJson } from '../../feel/json.js';
import type { FeelFunction } from '../../feel/functions.js';
import { Run } from '../../feel/run.js';
import { describeType, entryOf, isContext, setEntry, type FeelContext, type FeelValue } from '../../feel/values.js';
import { MODEL_VERSION, type BusinessKnowledge, type CompiledModel, type Decision, type DecisionService, type Element, type InputData, type Requirement } from '../model.js';
import { errorOf, fail, located, NOWHERE, type DecisionError } from './failures.js';
import { createFunction, resultTypeOf } from './functions.js';
import { loadFunctionLogic, loadLogic, type Evaluate } from './logic.js';
import { BoundNames, GivenNames, type Scope } from './scope.js';
import { Session, type Hit } from './session.js';
import { Sizes } from './size.js';
import { fit, TypeLoader, type LoadedType } from './types.js';

export type { DecisionError, DecisionErrorCode } from './failures.js';
export type { Hit } from './session.js';

/** What became of an element in one evaluation. */
export interface ElementResult {
  element: Element;
  /** Null when it failed; undefined for input that was not given. */
  value: FeelValue | undefined;
  error?: DecisionError;
  /** What went wrong on the way in lenient mode. */
  warnings: DecisionError[];
  hits: Hit[];
  requires: ElementResult[];
}

export interface Evaluated {
  ok: true;
  /** By name, in the order asked for. */
  results: Map<string, ElementResult>;
}

export interface UnknownNames {
  ok: false;
  unknown: string[];
}

export interface Wanted {
  /** Names or ids; with neither list, every decision of the file. */
  decisions?: readonly string[];
  services?: readonly string[];
}

/** Values by position of their element: given, evaluated, or missing. */
type Values = Map<number, FeelValue | undefined>;

interface LoadedDecision {
  evaluate: Evaluate | undefined;
  type: LoadedType | undefined;
}

export class LoadedModel {
  readonly model: CompiledModel;
  readonly #types: TypeLoader;
  readonly #decisions = new Map<number, LoadedDecision>();
  readonly #functions = new Map<number, FeelFunction>();

  /** @throws when the model was compiled by another version of this code: compile the file again */
  constructor(model: CompiledModel) {
    if (model.version !== MODEL_VERSION) {
      throw new Error(`The compiled model has version ${model.version}, this code reads version ${MODEL_VERSION}: compile the file again.`);
    }
    this.model = model;
    this.#types = new TypeLoader(model);
    for (const [position, element] of model.elements.entries()) this.#load(position, element);
  }

  /**
   * Evaluates decisions and decision services. Never throws: whatever goes wrong is in the result of the element it belongs to.
   *
   * @param given input data by name; that of an imported file below the name of the import, or by its own name
   */
  evaluate(given: FeelContext, wanted: Wanted, environment: Environment): Evaluated | UnknownNames {
    const targets = this.#find(wanted);
    if (!(targets instanceof Map)) return { ok: false, unknown: targets };
    const evaluation = new Evaluation(this, given, environment);
    return { ok: true, results: new Map([...targets].map(([name, position]) => [name, evaluation.answer(position)])) };
  }

  /** Evaluates one decision or decision service, or calls one business knowledge model; undefined when there is none of that name or id. */
  evaluateOne(nameOrID: string, given: FeelContext, environment: Environment): ElementResult | undefined {
    const position = this.#position(nameOrID, ['decision', 'decision service', 'business knowledge']);
    return position === undefined ? undefined : new Evaluation(this, given, environment).answer(position);
  }

  #find({ decisions, services }: Wanted): Map<string, number> | string[] {
    const targets = new Map<string, number>();
    const unknown: string[] = [];
    const names = (kind: Element['kind'], wanted: readonly string[] = []): void => {
      for (const name of wanted) {
        const position = this.#position(name, [kind]);
        if (position === undefined) unknown.push(name);
        else targets.set(this.element(position).name, position);
      }
    };
    names('decision', decisions ?? (services === undefined ? this.#ownDecisions() : []));
    names('decision service', services);
    return unknown.length > 0 ? unknown : targets;
  }

  #ownDecisions(): string[] {
    return this.model.elements.filter(({ kind, file }) => kind === 'decision' && file === 0).map(({ id }) => id);
  }

  #position(nameOrID: string, kinds: readonly Element['kind'][]): number | undefined {
    const { elements, files } = this.model;
    const isOwn = ({ file }: Element): boolean => file === 0;
    const isShown = ({ file }: Element): boolean => files[file]?.importPath.length === 0;
    for (const isVisible of [isOwn, isShown]) {
      for (const member of ['id', 'name'] as const) {
        const position = elements.findIndex((element) => isVisible(element) && kinds.includes(element.kind) && element[member] === nameOrID);
        if (position >= 0) return position;
      }
    }
    return undefined;
  }

  element(position: number): Element {
    return this.model.elements[position] as Element;
  }

  typeOf(element: Element): LoadedType | undefined {
    return this.#types.optional(element.type);
  }

  get resolveType(): TypeLoader['resolve'] {
    return this.#types.resolve;
  }

  decision(position: number): LoadedDecision {
    return this.#decisions.get(position) as LoadedDecision;
  }

  function(position: number): FeelFunction {
    return this.#functions.get(position) as FeelFunction;
  }

  #load(position: number, element: Element): void {
    if (element.kind === 'decision') {
      this.#decisions.set(position, { evaluate: element.logic && loadLogic(element.logic, this.#types), type: this.typeOf(element) });
    } else if (element.kind === 'business knowledge') {
      this.#functions.set(position, this.#knowledge(element));
    } else if (element.kind === 'decision service') {
      this.#functions.set(position, this.#service(element));
    }
  }

  /** Knowledge requires functions only, so it means the same in every evaluation. */
  #knowledge({ name, logic, requires, type }: BusinessKnowledge): FeelFunction {
    const scope = bindRequirements(requires, (position) => this.#functions.get(position));
    const result = resultTypeOf(this.#types.optional(type)) ?? resultTypeOf(this.#types.optional(logic.type));
    return loadFunctionLogic(logic.parameters, logic.body, this.#types)(name, scope, result);
  }

  #service(element: DecisionService): FeelFunction {
    const parameters = element.inputs.map((position) => {
      const input = this.element(position);
      const type = this.typeOf(input);
      return { name: input.name, ...(type && { type }) };
    });
    const result = resultTypeOf(this.typeOf(element));
    const plan = this.plan(element.outputs, new Set(element.inputs));
    return createFunction(element.name, parameters, result, (run, args) => {
      const values: Values = new Map(element.inputs.map((position, index) => [position, args[index] ?? null]));
      for (const position of plan) values.set(position, this.evaluateDecision(run, position, values));
      return fit(run, this.outputOf(element, values), result, `The result of "${element.name}"`);
    });
  }

  /** One output stands for itself, several are a context (DMN 1.5 section 10.4). */
  outputOf({ outputs }: DecisionService, values: Values): FeelValue {
    if (outputs.length === 1) return values.get(outputs[0] as number) ?? null;
    const context: FeelContext = {};
    for (const position of outputs) setEntry(context, this.element(position).name, values.get(position) ?? null);
    return context;
  }

  /** The decisions that targets need, themselves included, each behind those it requires; those whose value is known are left out. */
  plan(targets: readonly number[], known: ReadonlySet<number>): number[] {
    const needed = new Set<number>();
    const open = [...targets];
    for (let position = open.pop(); position !== undefined; position = open.pop()) {
      const element = this.element(position);
      if (element.kind !== 'decision' || known.has(position) || needed.has(position)) continue;
      needed.add(position);
      for (const requirement of element.requires) open.push(requirement.element);
    }
    return [...needed].toSorted((a, b) => a - b);
  }

  /** The value of a decision whose requirements have theirs; null after a failure. */
  evaluateDecision(run: Run, position: number, values: Values, given: FeelContext = {}): FeelValue {
    const element = this.element(position) as Decision;
    const { evaluate, type } = this.decision(position);
    return located(run, element.id, () => {
      if (evaluate === undefined) return fit(run, entryOf(given, element.name) ?? null, type, `The decision "${element.name}"`);
      const up = element.undeclared.length === 0 ? undefined : new GivenNames(given, element.undeclared);
      const scope = bindRequirements(element.requires, (required) => this.#functions.get(required) ?? values.get(required), up);
      return fit(run, evaluate(run, scope), type, `The result of the decision "${element.name}"`);
    });
  }
}

/** The scope of an element's logic; what comes from an import is an entry of the import's name. */
function bindRequirements(requires: readonly Requirement[], valueOf: (position: number) => FeelValue | undefined, up?: Scope): Scope {
  const values = new Map<string, FeelValue>();
  for (const { element, name, importName } of requires) {
    const value = valueOf(element);
    if (value === undefined) continue;
    if (importName === undefined) values.set(name, value);
    else {
      const entries = values.get(importName) ?? {};
      setEntry(entries as FeelContext, name, value);
      values.set(importName, entries);
    }
  }
  return new BoundNames(values, up);
}

/** Values and characters of all that a caller asked for: writing them out holds the event loop. */
const MAX_RESULTS_SIZE = 1_048_576;

/** One evaluation: the results so far, on one budget. */
class Evaluation {
  readonly #loaded: LoadedModel;
  readonly #given: FeelContext;
  readonly #session: Session;
  readonly #run: Run;
  readonly #sizes = new Sizes();
  #sizeLeft = MAX_RESULTS_SIZE;
  readonly #values: Values = new Map();
  readonly #results = new Map<number, ElementResult>();

  constructor(loaded: LoadedModel, given: FeelContext, environment: Environment) {
    this.#loaded = loaded;
    this.#given = given;
    this.#session = new Session(environment, loaded.resolveType);
    this.#run = new Run({}, this.#session);
  }

  /** The result of what a caller asked for; all of them together may only be so large. */
  answer(position: number): ElementResult {
    const result = this.#result(position);
    const size = this.#sizes.of(result.value ?? null);
    if (size <= this.#sizeLeft) {
      this.#sizeLeft -= size;
      return result;
    }
    return { ...result, value: null, error: { code: 'BUDGET', message: 'The result is over the evaluation limit, or nested too deeply.', elementID: result.element.id } };
  }

  /** The result of a decision or decision service, with all it needs evaluated before it. */
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
      const error: DecisionError = { code: 'REQUIREMENT_FAILED', message: `"${failed.element.name}", which this requires, failed: ${failed.error?.message}`, elementID: element.id };
      this.#note(position, { element, value: null, error, warnings: [], hits: [], requires });
    } else {
      this.#note(position, { ...this.#attempt(element, () => this.#loaded.evaluateDecision(this.#run, position, this.#values, this.#given)), requires });
    }
  }

  /** Inputs and functions have their result when they are first required; decisions were evaluated before. */
  #required(position: number): ElementResult {
    const known = this.#results.get(position);
    if (known !== undefined) return known;
    const element = this.#loaded.element(position);
    const result = element.kind === 'input data' ? this.#input(element) : { element, value: this.#loaded.function(position), warnings: [], hits: [], requires: [] };
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
    return this.#attempt(element, () => located(this.#run, element.id, () => readInput(this.#run, element.name, value, this.#loaded.typeOf(element))));
  }

  #givenValue({ name, file }: Element): FeelValue | undefined {
    let context: FeelValue | undefined = this.#given;
    for (const importName of this.#loaded.model.files[file]?.importPath ?? []) context = isContext(context) ? entryOf(context, importName) : undefined;
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
    const attempted = this.#attempt(service, () => located(this.#run, service.id, () => {
      for (const needed of this.#loaded.plan(outputs, new Set(inputs))) given.set(needed, this.#loaded.evaluateDecision(this.#run, needed, given, this.#given));
      return fit(this.#run, this.#loaded.outputOf(service, given), resultTypeOf(this.#loaded.typeOf(service)), `The result of "${service.name}"`);
    }));
    const result = { ...attempted, requires };
    this.#results.set(position, result);
    return result;
  }

  #knowledgeResult(position: number, element: BusinessKnowledge): ElementResult {
    const args = element.logic.parameters.map(({ name }) => entryOf(this.#given, name) ?? null);
    return this.#attempt(element, () => located(this.#run, element.id, () => this.#loaded.function(position).invoke(this.#run, args, NOWHERE)));
  }

  /** Evaluates a part on its own: what goes wrong in it, and which rules match, is its own. */
  #attempt(element: Element, part: () => FeelValue): Omit<ElementResult, 'requires'> & { requires: ElementResult[] } {
    const run = this.#run;
    this.#session.hits = [];
    run.diagnostics = undefined;
    // A failure may have left function calls behind it open.
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

/** JSON has no dates: the type of the input tells which strings are some. */
function readInput(run: Run, name: string, value: FeelValue, type: LoadedType | undefined): FeelValue {
  if (type === undefined) return value;
  const read = fromJson(value, type.feel);
  if (read === undefined) return fail(run, 'TYPE_MISMATCH', `The input "${name}" must be of the type "${type.label}", but it is ${describeType(value)}.`);
  return fit(run, read, type, `The input "${name}"`);
}
