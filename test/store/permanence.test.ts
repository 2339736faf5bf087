/** Which refusals of Postgres are answers, and which pass. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { rows } from '../../store/sql/database.js';
import { isPermanent, permanenceOfClass, permanenceOfConstraint, refusalReason } from '../../store/sql/permanence.js';
import { useStore } from './support/store.js';

const store = useStore();

/** The error that Postgres really reports for a block of PL/pgSQL. */
async function raised(sqlState: string, constraint = ''): Promise<unknown> {
  const raise = `RAISE EXCEPTION 'refused' USING ERRCODE = '${sqlState}', CONSTRAINT = '${constraint}'`;
  return store.database.query(`DO $$ BEGIN ${raise}; END $$`).catch((error: unknown) => error);
}

async function failureOf(sql: string): Promise<unknown> {
  return store.database.query(sql).catch((error: unknown) => error);
}

describe('a SQLSTATE', () => {
  it.each([...permanenceOfClass])('of class %s is %s', async (sqlClass, permanence) => {
    const code = sqlClass === '23' ? '23502' : `${sqlClass}001`;
    expect(isPermanent(await raised(code))).toBe(permanence === 'PERMANENT');
  });

  it.each([...permanenceOfConstraint])('of the constraint %s is %s', async (constraint, permanence) => {
    for (const code of ['23505', '23514', '23503'])
      expect(isPermanent(await raised(code, constraint))).toBe(permanence === 'PERMANENT');
  });

  it.each([
    ["SELECT 'a'::json", true],
    ["SELECT '99999999999'::integer", true],
    ['SELECT 1 / 0', true],
    [`SELECT repeat('[', 100000)::json`, true],
    [
      "CREATE TEMPORARY TABLE t (a text PRIMARY KEY); INSERT INTO t SELECT string_agg(md5(i::text), '') FROM generate_series(1, 500) i",
      true,
    ],
    ['SELECT no_such_column', false],
    ["SET LOCAL statement_timeout = '1ms'; SELECT pg_sleep(1)", false],
    ["INSERT INTO jobs (workflow_id) VALUES ('w')", false],
    ['SET TRANSACTION READ ONLY; DELETE FROM jobs', false],
  ])('of %s is recognized', async (sql, permanent) => {
    const error = await failureOf(sql);
    expect(error).toBeInstanceOf(Error);
    expect(isPermanent(error)).toBe(permanent);
  });

  it('of no database is none', () => {
    expect(isPermanent(new Error('Query read timeout'))).toBe(false);
    expect(isPermanent(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))).toBe(false);
    expect(isPermanent(Object.assign(new Error('broken'), { code: 'EPIPE' }))).toBe(false);
    expect(isPermanent('22000')).toBe(false);
  });
});

it('the reason of a refusal does not quote the value', async () => {
  const error = await failureOf("SELECT 'secret'::integer");
  if (!isPermanent(error)) throw new Error('not permanent');
  expect(refusalReason(error)).toBe('invalid input syntax for type integer (SQLSTATE 22P02)');
});

it('every constraint of the tables that step commits write has a row', async () => {
  const statements = ['steps', 'instances', 'messages', 'work', 'events', 'publications', 'audit', 'migration']
    .flatMap((folder) => sourcesIn(join(repositoryRoot, 'store', folder)))
    .join('\n');
  const named = [...statements.matchAll(/(?:INSERT INTO|UPDATE) ([a-z_]+)/g)].map(([, table]) => table!);
  const tables = await rows<{ name: string }>(
    store.database,
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname = ANY($1)`,
    [named],
  );
  const forgotten = tables.map(({ name }) => name).filter((name) => !WRITTEN.includes(name) && !OTHERS.includes(name));
  expect(forgotten, 'Say in this test whether step commits write these tables').toEqual([]);
  const constraints = await rows<{ name: string }>(
    store.database,
    `SELECT conname AS name FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE c.relname = ANY($1) AND contype IN ('c', 'u', 'p', 'f', 'x')
     UNION SELECT x.relname FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_class c ON c.oid = i.indrelid
       WHERE c.relname = ANY($1) AND i.indisunique`,
    [WRITTEN],
  );
  const missing = constraints.map(({ name }) => name).filter((name) => !permanenceOfConstraint.has(name));
  expect(missing, 'Decide in store/sql/permanence.ts what a violation of these means').toEqual([]);
});

/** Tables that a step commit inserts into or updates, triggers included. */
const WRITTEN = [
  'audit_entries',
  'audit_entries_to_log',
  'commands',
  'ended_publications',
  'events',
  'far_steps',
  'incidents',
  'instance_starts',
  'instances',
  'job_limits',
  'jobs',
  'parents_to_follow',
  'pause_waiters',
  'publications',
  'signal_deliveries',
  'steps',
  'steps_to_fold',
  'stored_payloads',
  'subscriptions',
  'user_tasks',
];

/** Tables that the same folders write in other statements. */
const OTHERS: readonly string[] = [
  'agent_turns',
  'event_feeds',
  'graphs',
  'job_workers',
  'limit_groups',
  'resumptions',
  'signal_payloads',
  'start_subscriptions',
  'start_timers',
  'temporal_executions',
  'user_task_comments',
];

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}
