/** However much one project has due, the others are served within a bounded number of turns. */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { takeTurns } from '../../store/batches/turns.js';
import { removeOldEvents, removeStatement } from '../../store/events/feed.js';
import { undeliveredCommands, unstartedInstances } from '../../store/instances/outbox.js';
import { channelsToMatch, lockChannel } from '../../store/messages/matching.js';
import { startTimersToSend } from '../../store/messages/start-timers.js';
import type { Notifications } from '../../store/notifications.js';
import { ensureProject } from '../../store/projects/projects.js';
import { rows } from '../../store/sql/database.js';
import { pageStatement } from '../../store/processes/older-instances.js';
import { firstTurn } from '../../store/turns/project-turns.js';
import { takeErased } from '../../store/retention/erase.js';
import { removeEndedInstances } from '../../store/retention/retention.js';
import { createLogger } from '../../telemetry/logger.js';
import { outboxRelay } from '../../worker/outbox-relay.js';
import { deploy, foldAll, start, useStore, valueOf } from './support/store.js';

const store = useStore();
const MANY = 3_000;
const MINUTE_MS = 60_000;

beforeEach(async () => {
  await store.database.query(
    'TRUNCATE subscriptions, publications, start_subscriptions, instance_starts, commands, start_timers, erased_instances CASCADE',
  );
  for (const project of ['busy', 'calm']) await ensureProject(store.database, project);
});

/** Subscriptions that are due, each with its own channel. */
async function subscribe(project: string, count: number): Promise<void> {
  const workflowID = await start(store, { project });
  await store.database.query(
    `INSERT INTO subscriptions (workflow_id, number, project_id, element, node_id, type, name, channel, key, keys, match_at)
     SELECT $1, n, $2, 1, 'wait', 'message', 'm', 'channel-' || n, 'key-' || n, ARRAY['key-' || n], now() - interval '1 second' * (${MANY} - n) FROM generate_series(1, $3) n`,
    [workflowID, project, count],
  );
}

const dueIn = (project: string) =>
  valueOf<number>(
    store,
    'SELECT count(*)::int AS value FROM subscriptions WHERE project_id = $1 AND match_at IS NOT NULL',
    [project],
  );

function relay(pool = store.database, waitForOutbox: Notifications['waitForOutbox'] = () => delay(1)) {
  const instances = { start: vi.fn().mockResolvedValue(true), signal: vi.fn().mockResolvedValue(true) };
  const chores = outboxRelay({
    store: pool,
    notifications: { waitForOutbox } as never,
    instances: instances as never,
    logger: createLogger('silent'),
  });
  const turn = { until: Infinity, stopping: new AbortController().signal };
  const named = (name: string) => chores.find((chore) => chore.name === name)!;
  return {
    instances,
    run: (name: string) => named(name).run(turn),
    wait: (name: string) => named(name).wait!(MINUTE_MS, turn.stopping),
  };
}

/** Runs a chore until the condition holds. @returns how often it ran */
async function runsUntil(run: () => Promise<unknown>, condition: () => Promise<boolean>): Promise<number> {
  for (let runs = 1; runs <= 20; runs += 1) {
    await run();
    if (await condition()) return runs;
  }
  return Infinity;
}

test('a subscription is matched at once next to thousands of channels of another project', async () => {
  await subscribe('busy', MANY);
  await subscribe('calm', 1);
  const { run } = relay();
  expect(
    await runsUntil(
      () => run('matching'),
      async () => (await dueIn('calm')) === 0,
    ),
  ).toBe(1);
  expect(await dueIn('busy')).toBeGreaterThan(0);
  expect(
    await runsUntil(
      () => run('matching'),
      async () => (await dueIn('busy')) === 0,
    ),
  ).toBeLessThan(Infinity);
});

test('messages of a project are matched next to thousands of channels with messages of another one', async () => {
  for (const [project, count] of [
    ['busy', MANY],
    ['calm', 1],
  ] as const)
    await store.database.query(
      `INSERT INTO publications (project_id, type, name, channel, keys, variables, expires_at, match_at)
       SELECT $1, 'message', 'm', 'channel-' || n, ARRAY['key-' || n], '{}', now() + interval '1 hour', now() - interval '1 second' * (${MANY} - n) FROM generate_series(1, $2) n`,
      [project, count],
    );
  const { run } = relay();
  const isMatched = async () =>
    (await valueOf<number>(
      store,
      "SELECT count(*)::int AS value FROM publications WHERE project_id = 'calm' AND match_at IS NOT NULL",
    )) === 0;
  expect(await runsUntil(() => run('matching'), isMatched)).toBe(1);
});

test('relays take different channels and do not wait for each other', async () => {
  await subscribe('busy', 10);
  await store.database.query(
    `INSERT INTO publications (project_id, type, name, channel, keys, variables, expires_at)
     SELECT 'busy', 'message', 'm', 'channel-1', '{}', '{}', now() + interval '1 hour'`,
  );
  await store.database.transaction(async (transaction) => {
    await lockChannel(transaction, { projectID: 'busy', channel: 'channel-1' }, true);
    await relay().run('matching');
    expect(await dueIn('busy')).toBe(1);
    // Nothing is left for this relay until the other one has ended.
    expect(await relay().run('matching')).toBe('done');
  });
  await relay().run('matching');
  expect(await dueIn('busy')).toBe(0);
});

test('a start is sent at once next to hundreds of another project', async () => {
  const insert = async (project: string, count: number) => {
    const { definitionID } = await deploy(store, undefined, { project });
    await store.database.query(
      `WITH started AS (
         INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, variables)
         SELECT $1 || '-' || n, $1, $2, $1 || '-' || n, '{}' FROM generate_series(1, $3) n ON CONFLICT DO NOTHING
       )
       INSERT INTO instance_starts (workflow_id, project_id, input, deliver_at, created_at)
       SELECT $1 || '-' || n, $1, '{}', now() - interval '1 second' * ($3 - n), now() FROM generate_series(1, $3) n`,
      [project, definitionID, count],
    );
  };
  await insert('busy', 500);
  await insert('calm', 1);
  const { run, instances } = relay();
  await run('instance_starts');
  expect(instances.start.mock.calls.map(([{ projectID }]) => projectID as string)).toContain('calm');
  expect(instances.start.mock.calls.length).toBeLessThanOrEqual(20);
});

test('a command is sent at once next to thousands of cancels of another project', async () => {
  const insert = (project: string, count: number) =>
    store.database.query(
      `INSERT INTO commands (workflow_id, project_id, number, body, awaited, deliver_at)
       SELECT $1 || '-' || n, $1, 1, '{"kind":"CANCEL_INSTANCE"}', false, now() - interval '1 second' * ($2 - n) FROM generate_series(1, $2) n`,
      [project, count],
    );
  await insert('busy', MANY);
  await insert('calm', 1);
  const { run, instances } = relay();
  await run('commands');
  expect(instances.signal.mock.calls.map(([workflowID]) => workflowID as string)).toContain('calm-1');
});

test('commands of which one cannot be sent do not keep the others', async () => {
  await store.database.query(
    `INSERT INTO commands (workflow_id, project_id, number, body, awaited, deliver_at)
     SELECT 'w-' || n, 'busy', 1, '{"kind":"CANCEL_INSTANCE"}', false, now() FROM generate_series(1, 10) n`,
  );
  const { run, instances } = relay();
  instances.signal.mockImplementation((workflowID: string) =>
    workflowID === 'w-1' ? Promise.reject(new Error('away')) : delay(5).then(() => true),
  );
  await expect(run('commands')).rejects.toThrow('away');
  expect(instances.signal.mock.settledResults.filter(({ type }) => type === 'fulfilled')).toHaveLength(9);
});

test('each of many projects has its turn', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `p${String(index).padStart(2, '0')}`);
  await store.database.query(
    `INSERT INTO commands (workflow_id, project_id, number, body, awaited, deliver_at)
     SELECT p || n, p, 1, '{"kind":"CANCEL_INSTANCE"}', false, now() FROM unnest($1::text[]) p, generate_series(1, 100) n`,
    [names],
  );
  const turn = firstTurn();
  const served = new Set<string>();
  for (let calls = 0; calls < 3; calls += 1)
    for (const { workflowID } of await undeliveredCommands(store.database, 100, turn))
      served.add(workflowID.slice(0, 3));
  expect(names.filter((name) => !served.has(name))).toEqual([]);
  expect(turn.after).toBe('');
});

test('start timers of projects are sent by turns', async () => {
  const { definitionID } = await deploy(store);
  await store.database.query(
    `INSERT INTO start_timers (definition_id, node_id, trigger, project_id, type, timer, deployed_at, send_at)
     SELECT $1, project || n, 0, project, 'cycle', 'R/PT1H', now(), now() - interval '1 second' * (1000 - n)
     FROM (VALUES ('busy', 500), ('calm', 1)) t(project, count), generate_series(1, count) n`,
    [definitionID],
  );
  expect((await startTimersToSend(store.database, 10)).map(({ projectID }) => projectID)).toContain('calm');
});

test('retention serves projects by turns', async () => {
  const insert = async (project: string, count: number) => {
    const { definitionID } = await deploy(store, undefined, { project });
    await store.database.query(
      `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, variables, status, completed_at)
       SELECT $1 || '-old-' || n, $1, $2, $1 || '-old-' || n, '{}', 'COMPLETED', now() - interval '1 year' FROM generate_series(1, $3) n`,
      [project, definitionID, count],
    );
  };
  await insert('busy', 1_000);
  await insert('calm', 10);
  await foldAll(store);
  await removeEndedInstances(store.database, 86_400_000);
  const old = (project: string) =>
    valueOf<number>(
      store,
      "SELECT count(*)::int AS value FROM instances WHERE project_id = $1 AND workflow_id LIKE '%-old-%'",
      [project],
    );
  expect(await old('calm')).toBe(0);
  expect(await old('busy')).toBe(900);
});

test('retention removes an instance at once next to trees of other projects, each with its share', async () => {
  const insert = async (project: string, children: number) => {
    const { definitionID } = await deploy(store, undefined, { project });
    await store.database.query('UPDATE projects SET history_retention_ms = 86400000 WHERE id = $1', [project]);
    await store.database.query(
      `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, parent_workflow_id, variables, status, completed_at)
       SELECT $1 || '-' || n, $1, $2, $1 || '-0', CASE WHEN n > 0 THEN $1 || '-0' END, '{}', 'COMPLETED', now() - interval '1 year' FROM generate_series(0, $3) n`,
      [project, definitionID, children],
    );
  };
  await insert('tree-a', 400);
  await insert('tree-b', 400);
  await insert('tree-c', 0);
  const turn = firstTurn();
  const removed = [await removeEndedInstances(store.database, undefined, turn)];
  const left = await rows<{ project: string; count: number }>(
    store.database,
    "SELECT project_id AS project, count(*)::int AS count FROM instances WHERE project_id LIKE 'tree-%' GROUP BY 1 ORDER BY 1",
    [],
  );
  expect(left).toEqual(['tree-a', 'tree-b'].map((project) => ({ project, count: 401 - 66 })));
  while (removed.at(-1) !== 0) removed.push(await removeEndedInstances(store.database, undefined, turn));
  expect(removed.reduce((sum, count) => sum + count)).toBe(803);
  expect(Math.max(...removed)).toBeLessThanOrEqual(200);
});

const erase = (project: string, count: number) =>
  store.database.query(
    `INSERT INTO erased_instances (workflow_id, project_id, due_at)
     SELECT $1 || '-' || n, $1, now() - interval '1 second' * ($2 - n) FROM generate_series(1, $2) n`,
    [project, count],
  );

test('the workflow of an erased instance is deleted at once next to thousands of another project', async () => {
  await erase('busy', MANY);
  await erase('calm', 1);
  const taken = (await takeErased(store.database)).map(({ workflowID }) => workflowID);
  expect(taken).toContain('calm-1');
  // Those of the busy project that have been due the longest.
  expect(new Set(taken)).toEqual(new Set(['calm-1', ...Array.from({ length: 10 }, (_, n) => `busy-${n + 1}`)]));
});

test('erased instances of many projects have their turns', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `p${String(index).padStart(2, '0')}`);
  for (const name of names) await erase(name, 3);
  const turn = firstTurn();
  const taken: string[] = [];
  const take = async () => taken.push(...(await takeErased(store.database, turn)).map(({ workflowID }) => workflowID));
  for (let calls = 0; calls < 3; calls += 1) await take();
  expect(new Set(taken.map((id) => id.slice(0, 3)))).toEqual(new Set(names));
  while (taken.length < 150) await take();
  expect(new Set(taken).size).toBe(150);
});

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Relation Name'?: string;
  Plans?: Plan[];
}

function rowsOf(table: string, plan: Plan): number {
  const own =
    plan['Relation Name'] === table
      ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
      : 0;
  return own + (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(table, part), 0);
}

test('of feeds without old events, one event is read each', async () => {
  await store.database.query(
    `INSERT INTO projects (id, name, event_retention_ms) SELECT 'feed-' || n, 'feed', 86400000 FROM generate_series(1, 30) n`,
  );
  await store.database.query(
    `INSERT INTO event_feeds (project_id, expired_through) SELECT id, 0 FROM projects WHERE id LIKE 'feed-%' ON CONFLICT DO NOTHING`,
  );
  await store.database.query(
    `INSERT INTO events (position, project_id, type, subject, data) SELECT nextval('event_positions'), 'feed-' || p, 'instance.started', 's', '{}'
     FROM generate_series(1, 30) p, generate_series(1, 1000) n`,
  );
  await store.database.query('VACUUM ANALYZE events');
  const [explained] = await rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    store.database,
    `EXPLAIN (ANALYZE, FORMAT JSON) ${removeStatement}`,
    [''],
  );
  expect(rowsOf('events', explained!['QUERY PLAN'][0].Plan)).toBeLessThan(100);

  await store.database.query(
    "UPDATE events SET recorded_at = now() - interval '2 days' WHERE project_id IN ('feed-1', 'feed-2')",
  );
  expect(await removeOldEvents(store.database)).toBe(2_000);
  expect(await removeOldEvents(store.database)).toBe(0);
});

test('a page of older instances is read without those that are counted, have ended, or are of other processes', async () => {
  const processes = [await deploy(store, 'older'), await deploy(store, 'newer')];
  for (const { definitionID } of processes)
    for (const status of ['COMPLETED', 'RUNNING'])
      await store.database.query(
        `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, variables, status)
         SELECT id, 'shop', $1, id, '{}', $2 FROM (SELECT gen_random_uuid()::text AS id FROM generate_series(1, 10000)) ids`,
        [definitionID, status],
      );
  await store.database.query('VACUUM ANALYZE instances');
  const middle = await valueOf<number>(
    store,
    `SELECT number::int AS value FROM instances WHERE definition_id = $1 AND status = 'RUNNING' ORDER BY number OFFSET 5000 LIMIT 1`,
    [processes[0]!.definitionID],
  );
  const [explained] = await rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    store.database,
    `EXPLAIN (ANALYZE, FORMAT JSON) ${pageStatement}`,
    ['shop', 'older', middle],
  );
  const read = rowsOf('instances', explained!['QUERY PLAN'][0].Plan);
  expect(read).toBeGreaterThan(200);
  expect(read).toBeLessThan(1_000);
});

test('a page of older instances of a process with many versions is read without a page of each version', async () => {
  const { definitionID } = await deploy(store, 'versioned');
  await store.database.query(
    `INSERT INTO definitions (project_id, resource_id, process_id, version, graph_sha256, compiler_version)
     SELECT project_id, resource_id, process_id, n, graph_sha256, compiler_version FROM definitions, generate_series(2, 500) n WHERE id = $1`,
    [definitionID],
  );
  // Of the first 100 versions one after the other, then of all by turns.
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, variables)
     SELECT id, 'shop', definition_id, id, '{}' FROM (
       SELECT gen_random_uuid()::text AS id, d.id AS definition_id FROM generate_series(0, 24999) n
       JOIN definitions d ON d.process_id = 'versioned' AND d.version = CASE WHEN n < 10000 THEN 1 + n / 100 ELSE 1 + n % 500 END ORDER BY n
     ) ids`,
  );
  await store.database.query('VACUUM ANALYZE instances');
  const numbers = await rows<{ number: number }>(
    store.database,
    `SELECT number::int FROM instances i JOIN definitions d ON d.id = definition_id WHERE process_id = 'versioned' ORDER BY number`,
    [],
  );
  for (const done of [0, 5_000, 9_900, 15_000]) {
    const values = ['shop', 'versioned', numbers[done]!.number - 1];
    const [explained] = await rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      store.database,
      `EXPLAIN (ANALYZE, FORMAT JSON) ${pageStatement}`,
      values,
    );
    expect(rowsOf('instances', explained!['QUERY PLAN'][0].Plan)).toBeLessThan(7_000);
    const [page] = await rows<{ through: number; taken: string[]; isLast: boolean }>(
      store.database,
      pageStatement,
      values,
    );
    expect(page).toMatchObject({ through: numbers[done + 199]!.number, isLast: false });
    expect(page!.taken).toHaveLength(200);
  }
});

test('an idle relay reads once per sort of entries', async () => {
  const statements: string[] = [];
  const counting = {
    options: {},
    query: (...query: [string]) => {
      statements.push(query[0]);
      return store.database.query(...query);
    },
    connect: () => expect.unreachable('an idle relay opens no transaction'),
  };
  const { run } = relay(counting as never);
  for (const name of ['matching', 'instance_starts', 'commands', 'wakes']) expect(await run(name), name).toBe('done');
  expect(statements).toHaveLength(4);
});

test('the relay reads as many commands as it sends, however many are due and known to the planner', async () => {
  await store.database.query(
    `INSERT INTO commands (workflow_id, project_id, number, body, awaited, deliver_at)
     SELECT 'w' || n, CASE WHEN n = 1 THEN 'calm' ELSE 'busy' END, 1, '{"kind":"CANCEL_INSTANCE"}', false, now() FROM generate_series(1, 50000) n`,
  );
  await store.database.query('VACUUM ANALYZE commands');
  let read = 0;
  const explaining = {
    query: async (text: string, values: unknown[]) => {
      const { rows: found } = await store.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      read = rowsOf('commands', found[0]!['QUERY PLAN'][0].Plan);
      return { rows: [{ last: null, projects: 0, workflowID: null }] };
    },
  };
  await undeliveredCommands(explaining as never, 100);
  expect(read).toBeGreaterThan(50);
  expect(read).toBeLessThan(1_000);
});

test('channels of projects come by turns', async () => {
  await subscribe('busy', 5);
  await subscribe('calm', 2);
  const found = await channelsToMatch(store.database, 6);
  expect(found.map(({ projectID }) => projectID)).toEqual(['busy', 'calm', 'busy', 'calm', 'busy']);
});

test('unstarted instances that have ended are not started', async () => {
  const workflowID = await start(store);
  await store.database.query("UPDATE instances SET status = 'CANCELED' WHERE workflow_id = $1", [workflowID]);
  await store.database.query('UPDATE instance_starts SET deliver_at = now()');
  expect(await unstartedInstances(store.database, 10)).toEqual([]);
});

test('a channel that another process matches is tried again soon, and then less and less often', async () => {
  await subscribe('calm', 1);
  const pauses: number[] = [];
  const { run, wait } = relay(store.database, async (_sort, milliseconds) => void pauses.push(milliseconds));
  await store.database.transaction(async (transaction) => {
    await lockChannel(transaction, { projectID: 'calm', channel: 'channel-1' }, true);
    for (let runs = 0; runs < 4; runs += 1) {
      expect(await run('matching')).toBe('done');
      await wait('matching');
    }
  });
  await run('matching');
  await wait('matching');
  expect(pauses).toEqual([10, 20, 40, 80, 1_000]);
  expect(await dueIn('calm')).toBe(0);
});

test('a batch takes a turn at once next to hundreds of batches of other projects', async () => {
  const projects = Array.from({ length: 4 }, (_, index) => `busy-${index}`);
  for (const project of projects) await ensureProject(store.database, project);
  // The batches of the busy projects have been due for longer.
  await store.database.query(
    `INSERT INTO batches (project_id, operation, shown, created_by, items_per_second, total, due_at)
     SELECT project, 'CANCEL', '{}', 'eda', 50, 1, CASE project WHEN 'calm' THEN now() ELSE now() - interval '1 hour' END
     FROM unnest($1::text[]) AS project, generate_series(1, CASE project WHEN 'calm' THEN 1 ELSE 200 END)`,
    [[...projects, 'calm']],
  );
  const turns = firstTurn();
  let served: string[] = [];
  const take = async () => {
    served = (await takeTurns(store.database, 2, turns)).map(({ projectID }) => projectID);
  };
  expect(await runsUntil(take, async () => served.includes('calm'))).toBeLessThanOrEqual(3);
  // Until none is left, each project has its turn.
  const left = async () => valueOf<number>(store, 'SELECT count(*)::int AS value FROM batches WHERE due_at <= now()');
  while ((await left()) > 780) await take();
  const counts = await rows<{ count: number }>(
    store.database,
    "SELECT count(*)::int AS count FROM batches WHERE lease IS NOT NULL AND project_id <> 'calm' GROUP BY project_id",
    [],
  );
  expect(counts).toHaveLength(4);
  expect(Math.max(...counts.map(({ count }) => count)) - Math.min(...counts.map(({ count }) => count))).toBeLessThan(3);
});
