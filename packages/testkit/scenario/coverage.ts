/** Coverage of model files by scenarios: nodes, sequence flows, and rules of decision tables. */
import type { Fact } from '@perdure/engine/contract/facts.js';
import { elementsOf, reachedBy } from '../coverage.js';
import type { Bundle } from './bundle.js';

export interface FileReport {
  file: string;
  covered: number;
  total: number;
  /** Ids of what no scenario reached. */
  missed: string[];
}

export interface CoverageReport {
  covered: number;
  total: number;
  /** 0 to 100, unrounded; 100 if there is nothing to cover. */
  percent: number;
  files: FileReport[];
}

export class ScenarioCoverage {
  /** By file, then by id: whether it was reached. */
  readonly #files = new Map<string, Map<string, boolean>>();

  /** Counts everything in the files, reached or not. */
  add({ files, processes, decisions }: Bundle): void {
    for (const file of files) if (!file.toLowerCase().endsWith('.form')) this.#of(file);
    for (const { file, graph } of processes) for (const { id } of elementsOf(graph)) this.#expect(file, id);
    for (const { file, id } of decisions.rules()) this.#expect(file, id);
  }

  noteFacts(file: string, facts: readonly Fact[]): void {
    for (const id of facts.flatMap(reachedBy)) this.#reach(this.#of(file), id);
  }

  noteRules(ids: readonly string[]): void {
    for (const elements of this.#files.values()) for (const id of ids) this.#reach(elements, id);
  }

  /** Ids in the file that were reached. */
  reachedIn(file: string): string[] {
    return [...(this.#files.get(file) ?? [])].flatMap(([id, isReached]) => (isReached ? [id] : []));
  }

  report(): CoverageReport {
    const files = [...this.#files].map(([file, elements]): FileReport => {
      const missed = [...elements].flatMap(([id, isReached]) => (isReached ? [] : [id]));
      return { file, covered: elements.size - missed.length, total: elements.size, missed };
    });
    files.sort((one, other) => (one.file < other.file ? -1 : 1));
    const [covered, total] = [
      files.reduce((sum, { covered }) => sum + covered, 0),
      files.reduce((sum, { total }) => sum + total, 0),
    ];
    return { covered, total, percent: total === 0 ? 100 : (covered / total) * 100, files };
  }

  #of(file: string): Map<string, boolean> {
    const elements = this.#files.get(file) ?? new Map<string, boolean>();
    this.#files.set(file, elements);
    return elements;
  }

  #expect(file: string, id: string): void {
    const elements = this.#of(file);
    if (!elements.has(id)) elements.set(id, false);
  }

  #reach(elements: Map<string, boolean>, id: string): void {
    if (elements.has(id)) elements.set(id, true);
  }
}
