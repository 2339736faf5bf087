/** Coverage: the elements of each file that the tests have reached. */
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Graph } from '@perdure/engine/model/graph.js';

export interface CoveredElement {
  id: string;
  name?: string;
}

/** Coverage of one file in a test run. */
export interface FileCoverage {
  /** Under the name used in the tests. */
  file: string;
  covered: CoveredElement[];
  missed: CoveredElement[];
}

/** The elements of a file, or those reached for the first time. */
export type CoverageLine = { file: string; elements: CoveredElement[] } | { file: string; reached: string[] };

/** Reached elements of one file. */
export class Coverage {
  readonly #file: string;
  readonly #elements: ReadonlyMap<string, CoveredElement>;
  readonly #reached = new Set<string>();
  readonly #record: (line: CoverageLine) => void;

  /**
   * @param graphs the graphs of the file's processes
   * @param record receives what is reached, for reports over several test files
   */
  constructor(file: string, graphs: readonly Graph[], record: (line: CoverageLine) => void) {
    this.#file = file;
    this.#record = record;
    this.#elements = new Map(graphs.flatMap(elementsOf).map((element) => [element.id, element]));
    this.#record({ file, elements: [...this.#elements.values()] });
  }

  note(facts: readonly Fact[]): void {
    const fresh = facts.flatMap(reachedBy).filter((id) => this.#elements.has(id) && !this.#reached.has(id));
    if (fresh.length === 0) return;
    for (const id of fresh) this.#reached.add(id);
    this.#record({ file: this.#file, reached: fresh });
  }

  report(): FileCoverage {
    return splitCoverage(this.#file, [...this.#elements.values()], this.#reached);
  }
}

/**
 * Flow nodes and sequence flows; every start reaches the process itself. The user tasks that approve calls of tools are
 * in no drawing, and most tools need none.
 */
export function elementsOf({ nodes: [, ...nodes], flows }: Graph): CoveredElement[] {
  const drawn = nodes.filter((node) => node.kind !== 'userTask' || node.approves === undefined);
  return [...drawn, ...flows].map((element) => ({
    id: element.id,
    ...('name' in element && element.name && { name: element.name }),
  }));
}

export function reachedBy(fact: Fact): string[] {
  if (fact.kind === 'INSTANCE_IMPORTED') return fact.facts.flatMap(reachedBy);
  if (fact.kind === 'ELEMENT_ACTIVATED') return [fact.node];
  return fact.kind === 'ELEMENT_COMPLETED' ? [...(fact.flows ?? []), ...(fact.passed ?? [])] : [];
}

export function splitCoverage(
  file: string,
  elements: readonly CoveredElement[],
  reached: ReadonlySet<string>,
): FileCoverage {
  return {
    file,
    covered: elements.filter(({ id }) => reached.has(id)),
    missed: elements.filter(({ id }) => !reached.has(id)),
  };
}
