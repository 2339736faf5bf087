/** Results in the form that callers receive. */
import { toJson, type Json } from '@perdure/feel/json.js';
import type { DecisionError, ElementResult } from './evaluate/index.js';
import { Sizes } from './evaluate/size.js';
import type { Element } from './model.js';

export interface EvaluationResult {
  decisionID: string;
  name: string;
  type: 'DECISION' | 'DECISION_SERVICE' | 'BKM' | 'INPUT_DATA';
  /** Why there is no value; null if there is one. */
  error: string | null;
  value: Json;
  /** Matching rules of every decision table evaluated on the way, in order. */
  hitRules?: { ruleID?: string; outputs: Json }[];
  /** Results of the requirements. A result required several times appears where it is first required. */
  dependencies?: EvaluationResult[];
  warnings?: Warning[];
}

interface Warning {
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

/** Levels of requirements in a response; deeper ones are omitted. */
const MAX_DEPTH = 32;
/**
 * Maximum values and characters of all dependencies in a response. One that does not fit is null, with nothing below
 * it.
 */
const MAX_DEPENDENCY_SIZE = 1_048_576;

/** The response for results by name. */
export function answer(results: ReadonlyMap<string, ElementResult>): { [name: string]: EvaluationResult } {
  const writer = new Writer(results.values());
  return Object.fromEntries([...results].map(([name, result]) => [name, writer.write(result, 0)]));
}

class Writer {
  readonly #written: Set<ElementResult>;
  readonly #sizes = new Sizes();
  #left = MAX_DEPENDENCY_SIZE;

  /** Requested results appear at their own place in the response. */
  constructor(asked: Iterable<ElementResult>) {
    this.#written = new Set(asked);
  }

  write(result: ElementResult, depth: number): EvaluationResult {
    const { value, error, hits, warnings } = result;
    const dependencies =
      depth === MAX_DEPTH ? [] : result.requires.map((required) => this.#dependency(required, depth + 1));
    return {
      ...this.#name(result),
      error: error?.message ?? null,
      value: toJson(value ?? null),
      ...(hits.length > 0 && {
        hitRules: hits.map(({ ruleID, outputs }) => ({
          ...(ruleID !== undefined && { ruleID }),
          outputs: toJson(outputs),
        })),
      }),
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
    return isKnown
      ? { ...this.#name(result), error: result.error?.message ?? null, value: toJson(result.value ?? null) }
      : this.write(result, depth);
  }

  #name({ element: { id, name, kind } }: ElementResult): Pick<EvaluationResult, 'decisionID' | 'name' | 'type'> {
    return { decisionID: id, name, type: TYPES[kind] };
  }
}

function warningOf({ code, message, elementID }: DecisionError): Warning {
  return { code, message, ...(elementID !== undefined && { elementID }) };
}
