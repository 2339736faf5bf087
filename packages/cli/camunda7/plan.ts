/** Which version of a process each instance fits, found by dry runs. */
import type { MappedInstance } from './mapper.js';
import type { Target } from './target.js';

export type Fit =
  | { kind: 'fits'; version: number; warnings: readonly string[] }
  /** The host has it. */
  | { kind: 'present'; workflowID: string; isCanceled: boolean }
  | { kind: 'none'; reasons: string[] };

/** Instances with the same wait states fit the same version, so that one is tried first. */
export class Fits {
  readonly #known = new Map<string, number>();
  readonly #versions = new Map<string, Promise<number[]>>();

  constructor(private readonly target: Target) {}

  /** The newest version that the instance fits. */
  async of(mapped: MappedInstance): Promise<Fit> {
    if (mapped.problems.length > 0) return { kind: 'none', reasons: mapped.problems };
    const { processID } = mapped;
    const versions = await this.#versionsOf(processID);
    if (versions.length === 0) return { kind: 'none', reasons: [`the host has no process ${processID}`] };
    const key = stateOf(mapped);
    const known = this.#known.get(key);
    let reasons: readonly string[] = [];
    for (const version of known === undefined ? versions : [known, ...versions.filter((one) => one !== known)]) {
      const result = await this.target.import(mapped, version, true);
      if (result.kind === 'present') return result;
      if (result.kind !== 'refused') {
        this.#known.set(key, version);
        return { kind: 'fits', version, warnings: result.warnings };
      }
      // Those of the newest version are the ones that a change of the model would remove.
      if (reasons.length === 0) reasons = result.reasons.map((reason) => `version ${version}: ${reason}`);
    }
    return { kind: 'none', reasons: [...reasons] };
  }

  #versionsOf(processID: string): Promise<number[]> {
    const known = this.#versions.get(processID) ?? this.target.versions(processID);
    this.#versions.set(processID, known);
    return known;
  }
}

/** The wait state as people name it: its nodes, each once. */
export function waitState(waitsAt: readonly string[]): string {
  return [...new Set(waitsAt)].toSorted().join(', ');
}

function stateOf({ processID, waitsAt }: MappedInstance): string {
  return JSON.stringify([processID, waitState(waitsAt)]);
}

/** How many instances wait where, and which version they fit. */
export class Inventory {
  readonly #rows = new Map<string, { state: string; version: number | undefined; count: number }>();
  readonly #notes = new Map<string, number>();
  readonly #reasons: { id: string; reasons: readonly string[] }[] = [];
  /** Instances that the host has. */
  present = 0;

  add(id: string, { waitsAt, notes }: MappedInstance, fit: Fit): void {
    if (fit.kind === 'present') {
      this.present += 1;
      return;
    }
    const version = fit.kind === 'fits' ? fit.version : undefined;
    const state = waitState(waitsAt);
    const key = JSON.stringify([state, version]);
    const row = this.#rows.get(key) ?? { state, version, count: 0 };
    row.count += 1;
    this.#rows.set(key, row);
    for (const note of new Set([...notes, ...(fit.kind === 'fits' ? fit.warnings : [])]))
      this.#notes.set(note, (this.#notes.get(note) ?? 0) + 1);
    if (fit.kind === 'none') this.#reasons.push({ id, reasons: fit.reasons });
  }

  /** Most instances first. */
  get rows(): readonly { state: string; version: number | undefined; count: number }[] {
    return [...this.#rows.values()].toSorted((a, b) => b.count - a.count || a.state.localeCompare(b.state, 'en'));
  }

  /** Parts that are left out or changed, with the number of instances. */
  get notes(): readonly { note: string; count: number }[] {
    return [...this.#notes].map(([note, count]) => ({ note, count }));
  }

  /** Instances that cannot be moved. */
  get stuck(): readonly { id: string; reasons: readonly string[] }[] {
    return this.#reasons;
  }
}
