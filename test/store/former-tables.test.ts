/** A build of the former release and one of this release share a database during a rolling upgrade. */
import { describe, expect, it } from 'vitest';
import { rows } from '../../store/sql/database.js';
import { began, commitStep, start, useStore, valueOf } from './support/store.js';

const store = useStore();

describe('a table under its former name', () => {
  it('shows the step commits of this build and takes those of the former one', async () => {
    const id = await start(store);
    await commitStep(store, id, 1, began);
    expect(await valueOf(store, 'SELECT count(*)::int AS value FROM parks WHERE workflow_id = $1', [id])).toBe(1);
    await store.pool.query(
      `WITH instance AS (SELECT workflow_id FROM instances WHERE workflow_id = $1 FOR UPDATE), park AS (
         INSERT INTO parks (workflow_id, number, facts_before, fact_count, inputs, facts, snapshot) SELECT workflow_id, 2, 1, 0, '{}', '[]', '{}' FROM instance RETURNING 1
       ), far AS (INSERT INTO far_parks (workflow_id, subject, park, times) SELECT workflow_id, 1, 2, 1 FROM instance)
       SELECT FROM park`,
      [id],
    );
    await store.pool.query('UPDATE parks SET snapshot = NULL WHERE workflow_id = $1', [id]);
    expect(
      await rows(
        store.pool,
        'SELECT number, snapshot, entries_before FROM steps WHERE workflow_id = $1 AND number = 2',
        [id],
      ),
    ).toEqual([{ number: 2, snapshot: null, entries_before: 0 }]);
    expect(await valueOf(store, 'SELECT park AS value FROM far_steps WHERE workflow_id = $1', [id])).toBe(2);
  });

  it('takes, wakes and deletes pause waiters as the former build does', async () => {
    const id = await start(store);
    const wait = `INSERT INTO held_instances (workflow_id, holder) VALUES ($1, $2)
      ON CONFLICT (workflow_id) DO UPDATE SET holder = excluded.holder, held_at = clock_timestamp(), wake_at = NULL`;
    await store.pool.query(wait, [id, 'first']);
    await store.pool.query(wait, [id, 'second']);
    expect(await valueOf(store, 'SELECT holder AS value FROM pause_waiters WHERE workflow_id = $1', [id])).toBe(
      'second',
    );
    const woken = await rows(
      store.pool,
      `WITH due AS (SELECT h.workflow_id FROM held_instances h WHERE h.holder = $1 FOR UPDATE OF h SKIP LOCKED)
       UPDATE held_instances h SET wake_at = now() FROM due WHERE h.workflow_id = due.workflow_id RETURNING h.workflow_id`,
      ['second'],
    );
    expect(woken).toEqual([{ workflow_id: id }]);
    await store.pool.query('DELETE FROM held_instances WHERE workflow_id = $1', [id]);
    expect(await valueOf(store, 'SELECT count(*)::int AS value FROM pause_waiters', [])).toBe(0);
  });

  it.each(['parks', 'far_parks', 'held_instances'])(
    'loses expired rows of %s to the retention of the former build',
    async (table) => {
      const id = await start(store);
      await commitStep(store, id, 1, began);
      await store.pool.query('INSERT INTO far_steps (workflow_id, subject, park, times) VALUES ($1, 1, 1, 1)', [id]);
      await store.pool.query("INSERT INTO pause_waiters (workflow_id, holder) VALUES ($1, 'a pause')", [id]);
      const { rowCount } = await store.pool.query(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (SELECT ctid FROM ${table} WHERE workflow_id = ANY ($1::text[]) LIMIT $2))`,
        [[id], 100],
      );
      expect(rowCount).toBe(1);
      expect(await valueOf(store, `SELECT count(*)::int AS value FROM ${table} WHERE workflow_id = $1`, [id])).toBe(0);
    },
  );
});
