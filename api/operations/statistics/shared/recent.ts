/**
 * The numbers of projects. While clients ask for them, they are read in the background, once for all callers of this
 * process, so that requests are answered from memory.
 */
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import type { Database } from '../../../../store/sql/database.js';
import { readProjectStatistics, type ProjectStatistics } from '../../../../store/statistics/project-statistics.js';
import { Watched } from './watched.js';

/** The console asks every 10 seconds; behind a load balancer, each time another process may answer. */
const freshness = { maxMs: 10_000, readEveryMs: 8_000, watchedMs: 60_000 };
const MAX_PROJECTS = 1_000;

export class RecentStatistics {
  readonly #background: Database;
  readonly #projects = new BoundedCache<string, Watched<ProjectStatistics>>({ entries: MAX_PROJECTS });

  /** @param background for reads that no request waits for */
  constructor(background: Database) {
    this.#background = background;
  }

  /**
   * Callers that ask at the same time share one read.
   * @param store of the caller, for a read that its request waits for
   */
  of(projectID: string, store: Database): Promise<ProjectStatistics> {
    let watched = this.#projects.get(projectID);
    if (!watched) {
      watched = new Watched(() => readProjectStatistics(this.#background, projectID), freshness);
      this.#projects.set(projectID, watched);
    }
    return watched.get(() => readProjectStatistics(store, projectID));
  }
}
