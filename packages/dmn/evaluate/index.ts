/**
 * Evaluation of decisions: a compiled model is loaded once and evaluated any number of times. Deterministic: clock and
 * time zone are inputs.
 */
import type { Environment } from '@perdure/feel/evaluate.js';
import type { FeelFunction } from '@perdure/feel/functions.js';
import type { Run } from '@perdure/feel/run.js';
import { entryOf, setEntry, type FeelContext, type FeelValue } from '@perdure/feel/values/values.js';
import {
  MODEL_VERSION,
  type BusinessKnowledge,
  type CompiledModel,
  type Decision,
  type DecisionService,
  type Element,
  type Requirement,
} from '../model.js';
import { Evaluation, type ElementResult, type Values } from './evaluation.js';
import { located } from './failures.js';
import { createFunction, resultTypeOf } from './functions.js';
import { loadFunctionLogic, loadLogic, type Evaluate } from './logic.js';
import { BoundNames, GivenNames, type Scope } from './scope.js';
import { fit, TypeLoader, type LoadedType } from './types.js';

export type { ElementResult } from './evaluation.js';
export type { DecisionError } from './failures.js';

export interface Evaluated {
  ok: true;
  /** By name, in the order requested. */
  results: Map<string, ElementResult>;
}

export interface UnknownNames {
  ok: false;
  unknown: string[];
}

export interface Selection {
  /** Names or ids; without either list, every decision of the file. */
  decisions?: readonly string[];
  services?: readonly string[];
}

interface LoadedDecision {
  evaluate: Evaluate | undefined;
  type: LoadedType | undefined;
}

export class LoadedModel {
  readonly model: CompiledModel;
  readonly #types: TypeLoader;
  readonly #decisions = new Map<number, LoadedDecision>();
  readonly #functions = new Map<number, FeelFunction>();

  /** @throws if another version of this code compiled the model: compile the file again */
  constructor(model: CompiledModel) {
    if (model.version !== MODEL_VERSION) {
      throw new Error(
        `The compiled model has version ${model.version}, but this code reads version ${MODEL_VERSION}. Compile the file again.`,
      );
    }
    this.model = model;
    this.#types = new TypeLoader(model);
    for (const [position, element] of model.elements.entries()) this.#load(position, element);
  }

  /**
   * Evaluates decisions and decision services. Never throws: every error is in the result of the element that caused
   * it.
   *
   * @param given input data by name; for an imported file, below the name of the import or by its own name
   */
  evaluate(given: FeelContext, wanted: Selection, environment: Environment): Evaluated | UnknownNames {
    const targets = this.#find(wanted);
    if (!(targets instanceof Map)) return { ok: false, unknown: targets };
    const evaluation = new Evaluation(this, given, environment);
    return { ok: true, results: new Map([...targets].map(([name, position]) => [name, evaluation.answer(position)])) };
  }

  /**
   * Evaluates one decision or decision service, or calls one business knowledge model; undefined if none has that name
   * or id.
   */
  evaluateOne(nameOrID: string, given: FeelContext, environment: Environment): ElementResult | undefined {
    const position = this.#position(nameOrID, ['decision', 'decision service', 'business knowledge']);
    return position === undefined ? undefined : new Evaluation(this, given, environment).answer(position);
  }

  #find({ decisions, services }: Selection): Map<string, number> | string[] {
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
        const position = elements.findIndex(
          (element) => isVisible(element) && kinds.includes(element.kind) && element[member] === nameOrID,
        );
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
      this.#decisions.set(position, {
        evaluate: element.logic && loadLogic(element.logic, this.#types),
        type: this.typeOf(element),
      });
    } else if (element.kind === 'business knowledge') {
      this.#functions.set(position, this.#knowledge(element));
    } else if (element.kind === 'decision service') {
      this.#functions.set(position, this.#service(element));
    }
  }

  /** Business knowledge only requires functions, so it has the same meaning in every evaluation. */
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

  /** A single output is returned as it is; several become a context (DMN 1.5 section 10.4). */
  outputOf({ outputs }: DecisionService, values: Values): FeelValue {
    if (outputs.length === 1) return values.get(outputs[0] as number) ?? null;
    const context: FeelContext = {};
    for (const position of outputs) setEntry(context, this.element(position).name, values.get(position) ?? null);
    return context;
  }

  /**
   * The decisions that targets need, including the targets, each after those it requires, without decisions whose value
   * is known.
   */
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

  /** The value of a decision whose requirements have been evaluated; null after a failure. */
  evaluateDecision(run: Run, position: number, values: Values, given: FeelContext = {}): FeelValue {
    const element = this.element(position) as Decision;
    const { evaluate, type } = this.decision(position);
    return located(run, element.id, () => {
      if (evaluate === undefined)
        return fit(run, entryOf(given, element.name) ?? null, type, `The decision "${element.name}"`);
      const up = element.undeclared.length === 0 ? undefined : new GivenNames(given, element.undeclared);
      const scope = bindRequirements(
        element.requires,
        (required) => this.#functions.get(required) ?? values.get(required),
        up,
      );
      return fit(run, evaluate(run, scope), type, `The result of the decision "${element.name}"`);
    });
  }
}

/** The scope of an element's logic; imported elements are entries of the import's name. */
function bindRequirements(
  requires: readonly Requirement[],
  valueOf: (position: number) => FeelValue | undefined,
  up?: Scope,
): Scope {
  const values = new Map<string, FeelValue>();
  for (const { element, name, id, importName } of requires) {
    const value = valueOf(element);
    if (value === undefined) continue;
    for (const each of id === undefined ? [name] : [name, id]) {
      if (importName === undefined) values.set(each, value);
      else {
        const entries = values.get(importName) ?? {};
        setEntry(entries as FeelContext, each, value);
        values.set(importName, entries);
      }
    }
  }
  return new BoundNames(values, up);
}
