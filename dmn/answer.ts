/** Results as callers get them. */
import { toJson, type Json } from '../feel/json.js';
import type { DecisionError, ElementResult } from './evaluate/index.js';
import { Sizes } from './evaluate/size.js';
import type { Element } from './model.js';

export interface EvaluationResult {
  decisionID: string;
  name: string;
  type: 'DECISION' | 'DECISION_SERVICE' | 'BKM' | 'INPUT_DATA';
  /** Why there is no value; null when there is one. */
  error: string | null;
  value: Json;
  /** Rules that matched, in every decision table that was looked up on the way, in order. */
  hitRules?: { ruleID?: string; outputs: Json }[];
  /** What this one requires; one that several require is written out where it comes first. */
  dependencies?: EvaluationResult[];
  warnings?: Warning[];
}

export interface Warning {
  code: string;
  message: string;
  elementID?: string;
}

const TYPES: Readonly<Record<Element['kind'], EvaluationResult['type']>> = {
  decision: 'DECISION',
  'decision service': 'DECISION_SERVICE',
  'business knowledge': 'BKM',
  'input data': 'INPUT_DATA',
};

/** Levels of requirements in an answer; what lies deeper is left out. */
const MAX_DEPTH = 32;
/** Values and characters of all dependencies of an answer; one that does not fit in is null and shows nothing below it. */
const MAX_DEPENDENCY_SIZE = 1_048_576;

/** The answer for results by name. */
export function answer(results: ReadonlyMap<string, ElementResult>): { [name: string]: EvaluationResult } {
  const writer = new Writer(results.values());
  return Object.fromEntries([...results].map(([name, result]) => [name, writer.write(result, 0)]));
}

class Writer {
  readonly #written: Set<ElementResult>;
  readonly #sizes = new Sizes();
  #left = MAX_DEPENDENCY_SIZE;

  /** What was asked for has its own place in the answer. */
  constructor(asked: Iterable<ElementResult>) {
    this.#written = new Set(asked);
  }

  write(result: ElementResult, depth: number): EvaluationResult {
    const { value, error, hits, warnings } = result;
    const dependencies = depth === MAX_DEPTH ? [] : result.requires.map((required) => this.#dependency(required, depth + 1));
    return {
      ...this.#name(result),
      error: error?.message ?? null,
      value: toJson(value ?? null),
      ...(hits.length > 0 && { hitRules: hits.map(({ ruleID, outputs }) => ({ ...(ruleID !== undefined && { ruleID }), outputs: toJson(outputs) })) }),
      ...(dependencies.length > 0 && { dependencies }),
      ...(warnings.length > 0 && { warnings: warnings.map(warningOf) }),
    };
  }

  #dependency(result: ElementResult, depth: number): EvaluationResult {
    const isKnown = this.#written.has(result);
    this.#written.add(result);
    const size = this.#sizes.of(result.value ?? null);
    if (size > this.#left) return { ...this.#name(result), error: result.error?.message ?? null, value: null };
    this.#left -= size;
    return isKnown ? { ...this.#name(result), error: result.error?.message ?? null, value: toJson(result.value ?? null) } : this.write(result, depth);
  }

  #name({ element: { id, name, kind } }: ElementResult): Pick<EvaluationResult, 'decisionID' | 'name' | 'type'> {
    return { decisionID: id, name, type: TYPES[kind] };
  }
}

function warningOf({ code, message, elementID }: DecisionError): Warning {
  return { code, message, ...(elementID !== undefined && { elementID }) };
}
