/**
 * Queued instances while the processes that end instances and begin the next ones are killed at random. A trigger writes down
 * every begin and every end.
 *
 * `npm run limits-proof` takes ten processes for ten minutes. `LIMITS_SECONDS` and `LIMITS_PROCESSES` change it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it, vi } from 'vitest';
import { startInstance } from '../../store/instances/start.js';
import { rows } from '../../store/sql/database.js';
import { deployControlled } from '../store/support/controlled.js';
import { projectID, useStore } from '../store/support/store.js';
import { killAtRandom } from './support/kill-at-random.js';
import { longestFree, mostAtOnce, type Span } from './support/leases.js';

const seconds = Number(process.env['LIMITS_SECONDS'] || 6);
const processes = Number(process.env['LIMITS_PROCESSES'] || 3);
/** On a machine with other work, times say more about that work than about begins. */
const isLong = seconds >= 60;
vi.setConfig({ testTimeout: (seconds + 180) * 1_000, hookTimeout: 300_000 });

const store = useStore();
const PLACES = 3;
/** Enough to keep the queue from running empty between most kills. */
const QUEUED = isLong ? 400 : 40;
let definitionID: string;

beforeAll(async () => {
  ({ definitionID } = await deployControlled(store, { concurrentInstances: PLACES }));
  await store.database.query(`
    CREATE TABLE begin_log (workflow_id text, what text, at timestamptz DEFAULT clock_timestamp());
    CREATE FUNCTION log_begin() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO begin_log VALUES (NEW.workflow_id, 'start');
      END IF;
      IF NOT NEW.queued AND (TG_OP = 'INSERT' OR OLD.queued) THEN
        INSERT INTO begin_log VALUES (NEW.workflow_id, 'begin');
      ELSIF TG_OP = 'UPDATE' AND OLD.status = 'RUNNING' AND NEW.status <> 'RUNNING' THEN
        INSERT INTO begin_log VALUES (NEW.workflow_id, 'end');
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER log_begin AFTER INSERT OR UPDATE ON instances FOR EACH ROW EXECUTE FUNCTION log_begin()`);
});

/** Starts instances until enough of them are queued. @returns true: in any time, some begin */
async function fill(): Promise<boolean> {
  const [found] = await rows<{ queued: number }>(
    store.database,
    'SELECT queued FROM process_settings WHERE project_id = $1',
    [projectID],
  );
  for (let queued = found!.queued; queued < QUEUED; queued += 1) {
    const started = await startInstance(store.database, {
      projectID,
      definitionID,
      workflowID: randomUUID(),
      variables: {},
    });
    expect(started.kind).toBe('started');
  }
  return true;
}

interface Log {
  workflowID: string;
  starts: number[];
  begins: number[];
  ends: number[];
}

function readLog(): Promise<Log[]> {
  const times = (what: string) =>
    `coalesce(array_agg((extract(epoch FROM at) * 1000)::float8 ORDER BY at) FILTER (WHERE what = '${what}'), '{}')`;
  return rows<Log>(
    store.database,
    `SELECT workflow_id AS "workflowID", ${times('start')} AS starts, ${times('begin')} AS begins, ${times('end')} AS ends
     FROM begin_log GROUP BY workflow_id`,
    [],
  );
}

const isDrained = async () =>
  (await rows(store.database, "SELECT 1 FROM instances WHERE status = 'RUNNING' LIMIT 1", [])).length === 0;

it('never more begin than there are places, none begins twice, and a living process begins what others left', async () => {
  await fill();
  const killed = { script: 'beginning-worker.mjs', given: [store.databaseUrl, projectID], processes, seconds };
  const until = Date.now() + seconds * 1_000;
  const kills = await killAtRandom(killed, fill, async () => {
    // The processes of the end are not killed.
    while (!(await isDrained())) await delay(20);
  });
  const log = await readLog();
  expect(log.length).toBeGreaterThan(QUEUED);
  for (const { workflowID, begins, ends } of log) {
    expect(begins, workflowID).toHaveLength(1);
    expect(ends, workflowID).toHaveLength(1);
  }
  const spans = log.map(({ begins, ends }): Span => ({ from: begins[0]!, until: ends[0]! }));
  expect(mostAtOnce(spans)).toBe(PLACES);
  const [counted] = await rows(store.database, 'SELECT FROM concurrency_groups WHERE running <> 0 OR queued <> 0', []);
  expect(counted).toBeUndefined();
  const began = spans.reduce((first, { from }) => Math.min(first, from), Infinity);
  const waiting = log.map(({ starts, begins }): Span => ({ from: starts[0]!, until: begins[0]! }));
  const longest = Math.round(longestFree({ spans, waiting, count: PLACES }, began + 10_000, until));
  process.stdout.write(
    `${kills} kills, ${log.length} begins; a place was free for ${longest} ms at most while something waited\n`,
  );
  if (isLong) expect(longest).toBeLessThanOrEqual(1_000);
});
