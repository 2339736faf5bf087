/** How many instances a search scans in a second, and what four concurrent searches cost other callers. */
import { FairTurns } from '@perdure/lib/fair-turns.js';
import { deepStrictEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { readPredicate } from '../../api/search/predicate.js';
import { scan } from '../../api/search/scan.js';
import { evaluateInThread } from '../../api/search/threads.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { findInstance } from '../../store/instances/instances.js';
import { listInstances } from '../../store/instances/lists.js';
import { searchSummaryOf } from '../../store/sql/search-summary.js';
import { ensureProject } from '../../store/projects/projects.js';
import { searchWindow } from '../../store/search/window.js';
import { withDatabase } from './dedicated-database.js';
import { quantile, rounded } from '../statistics.js';
import type { Database } from '../../store/sql/database.js';

export interface SearchFigures {
  predicate: string;
  instances: number;
  matches: number;
  predicateErrors: number;
  /** By one search, over all pages: prefiltered by Postgres, and with every instance evaluated. */
  scannedPerSecond: { prefiltered: number; evaluated: number };
  /** Milliseconds, while nothing else runs and while four searches do. */
  readP95: { alone: ReadTimes; besideScreened: ReadTimes; besideEvaluated: ReadTimes };
}

/** One instance, and the first page of a list. */
interface ReadTimes {
  instance: number;
  list: number;
}

const PREDICATE = 'amount > 1000 and status = "open" and customer.country = "DE"';
const PROJECT = 'bench';
const DEFINITION = randomUUID();
const READS = 300;
/** Readers come now and then; one that never pauses would measure itself. */
const BETWEEN_READS_MILLISECONDS = 5;

/** @param instances captured instances of about 1 KB, written by SQL */
export async function measureSearch(instances: number): Promise<SearchFigures> {
  return withDatabase('search', async (database) => {
    await seed(database, instances);
    return measure(database, instances);
  });
}

async function measure(database: Database, instances: number): Promise<SearchFigures> {
  const prefiltered = await measureScan(database, { isPrefiltered: true });
  const evaluated = await measureScan(database, { isPrefiltered: false });
  deepStrictEqual(prefiltered.total, evaluated.total, 'prefilter must not change what is found');
  await measureReads(database);
  const alone = await measureReads(database);
  return {
    predicate: PREDICATE,
    instances,
    ...prefiltered.total,
    scannedPerSecond: {
      prefiltered: Math.round(instances / prefiltered.seconds),
      evaluated: Math.round(instances / evaluated.seconds),
    },
    readP95: {
      alone,
      besideScreened: await measureReadsBeside(database, { isPrefiltered: true }),
      besideEvaluated: await measureReadsBeside(database, { isPrefiltered: false }),
    },
  };
}

/** About 1 KB each; one of fifty lacks the status, one of five hundred matches, and the newest have an incident. */
async function seed(database: Database, instances: number): Promise<void> {
  await seedDefinition(database);
  await database.query(
    `INSERT INTO instances (workflow_id, root_workflow_id, project_id, definition_id, open_incidents, variables, search_summary)
     SELECT id, id, $1, $2, (n > $3 - 300)::int,
       (short || jsonb_build_object('a', a, 'c', c, 'items', jsonb_build_array(n, n + 1, n + 2)))::json,
       short || jsonb_build_object('a', left(a, 50), 'c', left(c, 50), 'items', '[]'::jsonb)
     FROM (SELECT gen_random_uuid()::text AS id, n, repeat('text ', 45) AS a, repeat('more ', 100) AS c,
         jsonb_build_object('amount', n % 1010, 'b', md5(n::text), 'customer', jsonb_build_object('country', CASE n % 2 WHEN 0 THEN 'DE' ELSE 'FR' END, 'name', 'customer ' || n))
         || CASE WHEN n % 50 = 0 THEN '{}' ELSE jsonb_build_object('status', CASE n / 2 % 2 WHEN 0 THEN 'open' ELSE 'closed' END) END AS short
       FROM generate_series(1, $3::int) AS n) AS made`,
    [PROJECT, DEFINITION, instances],
  );
  await database.query('VACUUM ANALYZE instances');
  // Otherwise the writes that are still pending would be measured.
  await database.query('CHECKPOINT');
  const { rows } = await database.query<{ variables: Variables; search_summary: unknown }>(
    'SELECT variables, search_summary FROM instances LIMIT 100',
  );
  for (const { variables, search_summary: summary } of rows)
    deepStrictEqual(
      summary,
      JSON.parse(searchSummaryOf(variables)!),
      'the seeded summary must be the one that the host writes',
    );
}

/** A definition that nothing runs. */
async function seedDefinition(database: Database): Promise<void> {
  await ensureProject(database, PROJECT);
  await database.query(`INSERT INTO graphs (sha256, graph) VALUES ('none', '{}')`);
  await database.query(
    `WITH resource AS (
       INSERT INTO resources (project_id, name, xml, definitions_id, created_by) VALUES ($1, 'searched', '', 'searched', 'bench') RETURNING id
     )
     INSERT INTO definitions (id, project_id, resource_id, process_id, version, graph_sha256, compiler_version) SELECT $2, $1, id, 'searched', 1, 'none', 1 FROM resource`,
    [PROJECT, DEFINITION],
  );
}

interface Way {
  isPrefiltered: boolean;
}

/** The second of two runs counts: code is compiled and pages are in memory then. */
async function measureScan(database: Database, way: Way): Promise<{ total: Total; seconds: number }> {
  await searchAll(database, way);
  const begin = performance.now();
  const total = await searchAll(database, way);
  return { total, seconds: (performance.now() - begin) / 1000 };
}

interface Total {
  matches: number;
  predicateErrors: number;
}

async function searchAll(
  database: Database,
  { isPrefiltered }: Way,
  signal = new AbortController().signal,
): Promise<Total> {
  const predicate = readPredicate(PREDICATE);
  if (!predicate.ok) throw new Error(`${PREDICATE} is not valid`);
  const total: Total = { matches: 0, predicateErrors: 0 };
  let below = (await searchWindow(database, PROJECT, DEFINITION)) + 1;
  let exhausted = false;
  while (!exhausted && !signal.aborted) {
    const page = await scan(database, evaluateInThread, {
      filter: { projectID: PROJECT, definitionID: DEFINITION },
      predicate: PREDICATE,
      names: predicate.names,
      prefilter: isPrefiltered ? predicate.prefilter : undefined,
      now: Date.now(),
      below,
      limit: 200,
      deadlineMilliseconds: 30_000,
      turns: new FairTurns().of({ caller: 'c', project: undefined }),
      signal,
    });
    total.matches += page.matches.length;
    total.predicateErrors += page.predicateErrors;
    ({ below, exhausted } = page);
  }
  return total;
}

async function measureReadsBeside(database: Database, way: Way): Promise<ReadTimes> {
  const stop = new AbortController();
  const searches = Array.from({ length: 4 }, async () => {
    while (!stop.signal.aborted) await searchAll(database, way, stop.signal);
  });
  try {
    return await measureReads(database);
  } finally {
    stop.abort();
    await Promise.all(searches);
  }
}

async function measureReads(database: Database): Promise<ReadTimes> {
  const filter = { definitionID: DEFINITION, hasIncident: true };
  const { data } = await listInstances(database, PROJECT, filter, { page: 1, pageSize: 100 });
  const times: Record<keyof ReadTimes, number[]> = { instance: [], list: [] };
  const measureOne = async (kind: keyof ReadTimes, read: () => Promise<unknown>) => {
    await delay(BETWEEN_READS_MILLISECONDS);
    const begin = performance.now();
    await read();
    times[kind].push(performance.now() - begin);
  };
  for (let count = 0; count < READS; count += 1) {
    await measureOne('instance', () => findInstance(database, PROJECT, data[count % data.length]!.workflowID));
    await measureOne('list', () => listInstances(database, PROJECT, filter, { page: 1, pageSize: 20 }));
  }
  return { instance: rounded(quantile(times.instance, 0.95)), list: rounded(quantile(times.list, 0.95)) };
}
