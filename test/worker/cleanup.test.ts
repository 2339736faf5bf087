import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { createLogger } from '../../telemetry/logger.js';
import { startCleanup } from '../../worker/cleanup.js';
import { useStore, valueOf } from '../store/support/store.js';

const store = useStore();
const history = { defaultMilliseconds: undefined, onRemoved: () => {} };

/** For a busy machine. */
const patience = { timeout: 20_000 };

it('forgets what is kept for a while only, and keeps what is not old enough', async () => {
  const [old, young, worker] = [randomUUID(), randomUUID(), randomUUID()];
  const insertKey = `INSERT INTO idempotency_keys (project_id, operation_id, subject, key, fingerprint, created_at)
    VALUES ('p', 'Start', 'eda', $1, 'f', now() - $2::interval)`;
  await store.pool.query(insertKey, [old, '25 hours']);
  await store.pool.query(insertKey, [young, '23 hours']);
  await store.pool.query(
    "INSERT INTO job_workers (project_id, task_type, client_id, last_seen_at) VALUES ('p', 't', $1, now() - interval '2 days')",
    [worker],
  );
  const cleanup = startCleanup({ store: store.pool, logger: createLogger('silent'), onExpired: () => {}, history });
  try {
    await vi.waitFor(async () => {
      expect(
        await valueOf(store, 'SELECT count(*)::int AS value FROM job_workers WHERE client_id = $1', [worker]),
      ).toBe(0);
    }, patience);
    expect(
      await valueOf(store, 'SELECT array_agg(key) AS value FROM idempotency_keys WHERE key IN ($1, $2)', [old, young]),
    ).toEqual([young]);
  } finally {
    await cleanup.stop();
  }
});

it('outlives a store that is away, says so, and stops when told', async () => {
  const away = new pg.Pool({ host: '127.0.0.1', port: 1, user: 'nobody' });
  const lines: string[] = [];
  const cleanup = startCleanup({
    store: away,
    logger: createLogger('warn', { write: (line) => void lines.push(line) }),
    onExpired: () => {},
    history,
  });
  await vi.waitFor(() => expect(lines.join()).toContain('deletion of expired data failed; retrying'), patience);
  await cleanup.stop();
  await away.end();
});
