/** Lines of the log of the host, one per change. */
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { settleEntry, writeEntry, writePendingEntry, type AuditDraft } from '../../store/audit/entries.js';
import { logEntries } from '../../store/audit/to-log.js';
import { createLogger } from '../../telemetry/logger.js';
import { loggedChanges } from '../../worker/chores/logged-changes.js';
import type { Database } from '../../store/sql/database.js';
import { killedAt } from '../store/support/killed.js';
import { useStore, valueOf } from '../store/support/store.js';
import { runAll } from './support/chores.js';

const store = useStore();

const draft = (operation: string, more: Partial<AuditDraft> = {}): AuditDraft => ({
  actor: 'ann',
  actorType: 'PERSON',
  via: 'REST',
  operation,
  ...more,
});

type Line = Record<string, unknown>;

/** Runs the chore of a host. @returns what it has logged */
async function linesOf(database: Database = store.database, written: Line[] = []): Promise<Line[]> {
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n')) if (line !== '') written.push(JSON.parse(line) as Line);
      done();
    },
  });
  await runAll([loggedChanges({ store: database, logger: createLogger('info', destination) })]);
  return written;
}

const operations = (lines: Line[]) => lines.map(({ operation }) => operation);
const left = () => valueOf(store, 'SELECT count(*)::int AS value FROM audit_entries_to_log');

test('each change is one line with who, what, and on what, without reason, names, and values', async () => {
  await linesOf();
  await writeEntry(
    store.database,
    'shop',
    draft('SetVariables', {
      workflowID: 'w-1',
      executionKey: 'w-1:3',
      hookID: 'h-1',
      subject: 'bob\n{"forged": true}',
      requestID: 'r-1',
      clientRequestID: 'marker-client',
      reason: 'marker-reason',
      names: ['marker-name'],
      details: { name: 'marker-detail' },
    }),
  );
  const lines = await linesOf();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    level: 30,
    event: 'changed',
    entryID: expect.stringMatching(/^\d+$/),
    projectID: 'shop',
    actor: 'ann',
    actorType: 'PERSON',
    via: 'REST',
    operation: 'SetVariables',
    outcome: 'APPLIED',
    workflowID: 'w-1',
    executionKey: 'w-1:3',
    hookID: 'h-1',
    subject: 'bob\n{"forged": true}',
    requestID: 'r-1',
  });
  expect(JSON.stringify(lines)).not.toContain('marker');
  expect(lines[0]).not.toHaveProperty('definitionID');
  expect(await linesOf()).toEqual([]);
});

test('a change that waits for its outcome has a second line with it', async () => {
  const id = await writePendingEntry(store.database, 'shop', draft('PutProjectMember', { subject: 'bob' }));
  const before = await linesOf();
  await settleEntry(store.database, id, 'REJECTED', { code: 'NOT_FOUND' });
  const after = await linesOf();
  expect(before).toMatchObject([{ entryID: id, outcome: 'PENDING' }]);
  expect(after).toMatchObject([{ entryID: id, outcome: 'REJECTED', code: 'NOT_FOUND' }]);
});

test('an outcome that is written while the entry is being logged has its own line', async () => {
  const id = await writePendingEntry(store.database, 'shop', draft('PutProjectMember'));
  const settled: Promise<void>[] = [];
  await store.database.transaction(async (transaction) => {
    const inside = { transaction: (work: (database: unknown) => unknown) => work(transaction) } as unknown as Database;
    await logEntries(inside, () => settled.push(settleEntry(store.database, id, 'APPLIED')));
    await Promise.all(settled);
  });
  expect(settled).toHaveLength(1);
  expect(await linesOf()).toMatchObject([{ entryID: id, outcome: 'APPLIED' }]);
});

test('an entry that is committed after a later one was logged is not missed', async () => {
  const slow = await store.pool.connect();
  await slow.query('BEGIN');
  await writeEntry(slow as never, 'shop', draft('Slow'));
  await writeEntry(store.database, 'shop', draft('Fast'));
  expect(operations(await linesOf())).toEqual(['Fast']);
  await slow.query('COMMIT');
  slow.release();
  expect(operations(await linesOf())).toEqual(['Slow']);
});

test('a worker that is killed after it has written lines repeats them, and misses none', async () => {
  for (const name of ['First', 'Second']) await writeEntry(store.database, 'shop', draft(name));
  const written: Line[] = [];
  await killedAt(store, ['LOCK TABLE audit_entries_to_log IN SHARE MODE'], (database) => linesOf(database, written));
  expect(operations(written)).toEqual(['First', 'Second']);
  expect(operations(await linesOf())).toEqual(['First', 'Second']);
  expect(await left()).toBe(0);
});

test('lines of a backlog are written in parts, each once by several workers', async () => {
  await store.database.query(
    `INSERT INTO audit_entries (project_id, actor, actor_type, via, operation, outcome)
     SELECT 'shop', 'ann', 'PERSON', 'REST', 'Many-' || n, 'APPLIED' FROM generate_series(1, 1200) n`,
  );
  let count = 0;
  expect(await logEntries(store.database, () => (count += 1))).toBe(true);
  expect(count).toBe(500);
  const rest = (await Promise.all([linesOf(), linesOf(), linesOf()])).flat();
  expect(new Set(operations(rest)).size).toBe(700);
  expect(rest).toHaveLength(700);
  expect(await left()).toBe(0);
});

test('an entry that was deleted before it was logged does not stop the others', async () => {
  await writeEntry(store.database, 'shop', draft('Deleted'));
  await writeEntry(store.database, 'shop', draft('Kept'));
  await store.database.query("DELETE FROM audit_entries WHERE operation = 'Deleted'");
  expect(operations(await linesOf())).toEqual(['Kept']);
  expect(await left()).toBe(0);
});
