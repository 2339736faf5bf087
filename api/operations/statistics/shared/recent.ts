/**
 * The numbers of a project. While clients ask for them, they are read in the background, once for all callers of this
 * process, so that requests are answered from memory.
 */
import type { Pool } from 'pg';
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import { sharedPool } from '../../../../store/turns/connection-turns.js';
import { readProjectStatistics, type ProjectStatistics } from '../../../../store/statistics/project-statistics.js';
import { Watched } from './watched.js';

/** The console asks every 10 seconds; behind a load balancer, each time another process may answer. */
const freshness = { maxMs: 10_000, readEveryMs: 8_000, watchedMs: 60_000 };
const MAX_PROJECTS = 1_000;

type Cache = BoundedCache<string, Watched<ProjectStatistics>>;

/** By pool, because a process can have several hosts in tests. */
const caches = new WeakMap<Pool, Cache>();

/** Callers that ask at the same time share one read. */
export function recentStatistics(store: Pool, projectID: string): Promise<ProjectStatistics> {
  const pool = sharedPool(store);
  const cache = cacheOf(pool);
  let watched = cache.get(projectID);
  if (!watched) {
    watched = new Watched(() => readProjectStatistics(pool, projectID), freshness);
    cache.set(projectID, watched);
  }
  return watched.get(() => readProjectStatistics(store, projectID));
}

function cacheOf(pool: Pool): Cache {
  const cache = caches.get(pool) ?? new BoundedCache({ entries: MAX_PROJECTS });
  caches.set(pool, cache);
  return cache;
}
