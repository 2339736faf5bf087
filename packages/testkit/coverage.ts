/** Coverage: the elements of each file that the tests have reached. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Reached elements of one file. */
export class Coverage {
  readonly #file: string;
  readonly #elements: ReadonlyMap<string, CoveredElement>;
  readonly #reached = new Set<string>();

  /** @param graphs the graphs of the file's processes */
  constructor(file: string, graphs: readonly Graph[]) {
    this.#file = file;
    this.#elements = new Map(graphs.flatMap(elementsOf).map((element) => [element.id, element]));
    write({ file, elements: [...this.#elements.values()] });
  }

  note(facts: readonly Fact[]): void {
    const fresh = facts.flatMap(reachedBy).filter((id) => this.#elements.has(id) && !this.#reached.has(id));
    if (fresh.length === 0) return;
    for (const id of fresh) this.#reached.add(id);
    write({ file: this.#file, reached: fresh });
  }

  report(): FileCoverage {
    return split(this.#file, [...this.#elements.values()], this.#reached);
  }
}

/** Flow nodes and sequence flows; every start reaches the process itself. */
function elementsOf({ nodes: [, ...nodes], flows }: Graph): CoveredElement[] {
  return [...nodes, ...flows].map((element) => ({
    id: element.id,
    ...('name' in element && element.name && { name: element.name }),
  }));
}

function reachedBy(fact: Fact): string[] {
  if (fact.kind === 'ELEMENT_ACTIVATED') return [fact.node];
  return fact.kind === 'ELEMENT_COMPLETED' ? [...(fact.flows ?? []), ...(fact.passed ?? [])] : [];
}

function split(file: string, elements: readonly CoveredElement[], reached: ReadonlySet<string>): FileCoverage {
  return {
    file,
    covered: elements.filter(({ id }) => reached.has(id)),
    missed: elements.filter(({ id }) => !reached.has(id)),
  };
}

/**
 * Test files run in separate processes. If a reporter requests it, each process appends lines to a file in its folder:
 * the elements of a BPMN file, and those reached for the first time.
 */
export const COVERAGE_FOLDER = 'PERDURE_COVERAGE_FOLDER';

type Line = { file: string; elements: CoveredElement[] } | { file: string; reached: string[] };

function write(line: Line): void {
  const folder = process.env[COVERAGE_FOLDER];
  if (folder) appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`);
}

/** Combined coverage of all test files, by the name of the BPMN file. */
export function readCoverage(folder: string): FileCoverage[] {
  const files = new Map<string, { elements: CoveredElement[]; reached: Set<string> }>();
  for (const line of readdirSync(folder).flatMap((name) => linesOf(join(folder, name)))) {
    const known = files.get(line.file) ?? { elements: [], reached: new Set() };
    files.set(line.file, known);
    if ('elements' in line) known.elements = line.elements;
    else for (const id of line.reached) known.reached.add(id);
  }
  return [...files]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, { elements, reached }]) => split(file, elements, reached));
}

function linesOf(path: string): Line[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
