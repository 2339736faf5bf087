/**
 * The rest that each project owes for the time of its comparisons, in this process. Projects share the time of the process:
 * each rests for what it took, longer the more projects there are, and the others continue.
 */
import type { BacktestTurn } from '../../store/backtests/turns.js';

/** All projects together compare for one part in so many. */
const PARTS = 8;

export class ProjectRests {
  readonly #worked = new Map<string, { milliseconds: number; until: number }>();
  #projects = 1;

  /** Called after a comparison that took so long. */
  charge({ projectID }: Pick<BacktestTurn, 'projectID'>, milliseconds: number): void {
    const before = this.#worked.get(projectID)?.milliseconds ?? 0;
    this.#worked.set(projectID, { milliseconds: before + milliseconds, until: performance.now() });
  }

  get areOwed(): boolean {
    return this.#worked.size > 0;
  }

  /** Changes what is owed, because projects have come or gone. */
  shareBetween(projects: number): void {
    this.#projects = Math.max(1, projects);
  }

  /** The projects that still rest. */
  resting(): string[] {
    for (const projectID of this.#worked.keys()) if (this.#left(projectID) <= 0) this.#worked.delete(projectID);
    return [...this.#worked.keys()];
  }

  /** Milliseconds until the first project has rested; infinite if none rests. */
  untilFirst(): number {
    return Math.min(...[...this.#worked.keys()].map((projectID) => Math.max(0, this.#left(projectID))));
  }

  #left(projectID: string): number {
    const { milliseconds, until } = this.#worked.get(projectID)!;
    return until + (PARTS * this.#projects - 1) * milliseconds - performance.now();
  }
}
