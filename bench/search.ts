/** How many instances a search scans in a second, and what four searches at once cost everybody else. */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readPredicate } from '../api/search/predicate.js';
import { scan } from '../api/search/scan.js';
import { evaluateInThread } from '../api/search/threads.js';
import { freePort } from '../scripts/ports.js';
import { createDatabaseIfMissing, startPostgres } from '../scripts/postgres/cluster.js';
import { listInstances } from '../store/instances.js';
import { migrate } from '../store/migrate.js';
import { searchWindow } from '../store/search-window.js';
import { quantile } from './statistics.js';

export interface SearchFigures {
  predicate: string;
  instances: number;
  matches: number;
  predicateErrors: number;
  /** By one search, over all pages. */
  scannedPerSecond: number;
  /** Of the first page of the list of instances, milliseconds: alone, and while four searches run. */
  readP95: { alone: number; beside4Searches: number };
}

const PREDICATE = 'amount > 1000 and status = "open" and customer.country = "DE"';
const PROJECT = 'bench';
const DEFINITION = randomUUID();
const READS = 300;

/** @param instances captured instances of about 1 KB, written by SQL */
export async function measureSearch(instances = 1_000_000): Promise<SearchFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-bench-'));
  // Postgres runs under another account when we are root.
  chmodSync(folder, 0o755);
  const postgres = await startPostgres({ dataFolder: join(folder, 'postgres'), folder, port: await freePort(), password: randomBytes(9).toString('hex') });
  await createDatabaseIfMissing(postgres, 'search');
  const url = postgres.databaseUrl('search');
  await migrate(url);
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // Stopping Postgres cuts connections that are still saying goodbye after the pool has ended.
  pool.on('error', () => undefined);
  try {
    await seed(pool, instances);
    return await measure(pool, instances);
  } finally {
    await pool.end();
    await postgres.child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(pool: pg.Pool, instances: number): Promise<SearchFigures> {
  await searchAll(pool);
  const begin = performance.now();
  const { matches, predicateErrors } = await searchAll(pool);
  const seconds = (performance.now() - begin) / 1000;
  const alone = await readP95(pool);
  const stop = new AbortController();
  const searches = Array.from({ length: 4 }, () => searchUntil(pool, stop.signal));
  const beside4Searches = await readP95(pool);
  stop.abort();
  await Promise.all(searches);
  return { predicate: PREDICATE, instances, matches, predicateErrors, scannedPerSecond: instances / seconds, readP95: { alone, beside4Searches } };
}

/** About 1 KB each; one of fifty lacks the status, one of five hundred matches. */
async function seed(pool: pg.Pool, instances: number): Promise<void> {
  await pool.query(
    `INSERT INTO instances (workflow_id, root_workflow_id, project_id, definition_id, variables)
     SELECT id, id, $1, $2,
       (jsonb_build_object('amount', n % 1010, 'customer', jsonb_build_object('country', CASE n % 2 WHEN 0 THEN 'DE' ELSE 'FR' END, 'name', 'customer ' || n))
        || CASE WHEN n % 50 = 0 THEN '{}' ELSE jsonb_build_object('status', CASE n / 2 % 2 WHEN 0 THEN 'open' ELSE 'closed' END) END
        || jsonb_build_object('a', repeat('text ', 45), 'b', md5(n::text), 'items', jsonb_build_array(n, n + 1, n + 2), 'c', repeat('more ', 100)))::json
     FROM (SELECT gen_random_uuid()::text AS id, n FROM generate_series(1, $3::int) AS n) AS made`,
    [PROJECT, DEFINITION, instances],
  );
  await pool.query('VACUUM ANALYZE instances');
}

async function searchUntil(pool: pg.Pool, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await searchAll(pool, signal);
}

async function searchAll(pool: pg.Pool, signal = new AbortController().signal): Promise<{ matches: number; predicateErrors: number }> {
  const predicate = readPredicate(PREDICATE);
  if (!predicate.ok) throw new Error(`${PREDICATE} is not valid`);
  const total = { matches: 0, predicateErrors: 0 };
  let below = (await searchWindow(pool, PROJECT, DEFINITION)) + 1;
  let exhausted = false;
  while (!exhausted && !signal.aborted) {
    const page = await scan(pool, evaluateInThread, {
      filter: { projectID: PROJECT, definitionID: DEFINITION },
      predicate: PREDICATE,
      names: predicate.names,
      screening: predicate.screening,
      now: Date.now(),
      below,
      limit: 200,
      deadlineMilliseconds: 30_000,
      signal,
    });
    total.matches += page.matches.length;
    total.predicateErrors += page.predicateErrors;
    ({ below, exhausted } = page);
  }
  return total;
}

async function readP95(pool: pg.Pool): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < READS; count += 1) {
    const begin = performance.now();
    await listInstances(pool, PROJECT, { definitionID: DEFINITION, hasIncident: true }, { page: 1, pageSize: 20 });
    times.push(performance.now() - begin);
  }
  return quantile(times, 0.95);
}
