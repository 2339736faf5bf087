/** The numbers of a project, read at most once in a few seconds for all callers of this process. */
import type { Pool } from 'pg';
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import { readProjectStatistics, type ProjectStatistics } from '../../../../store/statistics/project-statistics.js';

const LONGEST_MS = 5_000;
const MOST_PROJECTS = 1_000;

interface Recent {
  readAt: number;
  statistics: Promise<ProjectStatistics>;
}

/** By pool, because a process can have several hosts in tests. */
const caches = new WeakMap<Pool, BoundedCache<string, Recent>>();

/** Callers that ask at the same time share one read. */
export function recentStatistics(store: Pool, projectID: string): Promise<ProjectStatistics> {
  const cache = cacheOf(store);
  const known = cache.get(projectID);
  if (known && performance.now() - known.readAt < LONGEST_MS) return known.statistics;
  const statistics = readProjectStatistics(store, projectID);
  const recent = { readAt: performance.now(), statistics };
  cache.set(projectID, recent);
  statistics.catch(() => {
    if (cache.get(projectID) === recent) cache.delete(projectID);
  });
  return statistics;
}

function cacheOf(store: Pool): BoundedCache<string, Recent> {
  const cache = caches.get(store) ?? new BoundedCache<string, Recent>({ entries: MOST_PROJECTS });
  caches.set(store, cache);
  return cache;
}
