/** The queue of erased instances, with a Temporal that refuses some of them. */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { expect, it } from 'vitest';
import { rows } from '../../store/sql/database.js';
import { deleteErasedWorkflows } from '../../worker/erasure/erased-workflows.js';
import { useStore, valueOf } from '../store/support/store.js';

const store = useStore();

/** Knows no workflow, and fails when it is asked about those whose id begins with `refused`. */
const client = {
  workflow: {
    getHandle: (workflowID: string) => ({
      async describe() {
        if (workflowID.startsWith('refused')) throw new Error('the shard is gone');
        throw new WorkflowNotFoundError('not found', workflowID, undefined);
      },
    }),
    async *list() {},
  },
} as unknown as Client;

it('workflows that cannot be deleted do not stop those after them, and are tried again', async () => {
  const { database } = store;
  const queue = ['refused-1', 'gone-1', 'refused-2', 'gone-2'];
  await database.query(
    `INSERT INTO erased_instances (workflow_id, project_id, erased_at, due_at)
     SELECT id, 'any', now() - interval '1 hour', now() - interval '1 minute' + place * interval '1 second'
     FROM unnest($1::text[]) WITH ORDINALITY AS q (id, place)`,
    [queue],
  );
  const round = () => deleteErasedWorkflows({ store: database, client }, new AbortController().signal);
  await expect(round()).rejects.toThrow('erased instance refused-1 from Temporal failed: the shard is gone');
  const left = await rows<{ id: string; waits: boolean }>(
    database,
    'SELECT workflow_id AS id, due_at > now() AS waits FROM erased_instances ORDER BY 1',
    [],
  );
  expect(left).toEqual(['refused-1', 'refused-2'].map((id) => ({ id, waits: true })));
});

it('a round that begins after the last project with erased instances continues with the first one', async () => {
  const { database } = store;
  await database.query(
    `INSERT INTO erased_instances (workflow_id, project_id, erased_at) VALUES ('gone-3', 'first', now() - interval '1 hour')`,
  );
  const never = new AbortController().signal;
  expect(await deleteErasedWorkflows({ store: database, client }, never, Infinity, { after: 'last' })).toBe('done');
  expect(await valueOf(store, "SELECT count(*)::int AS value FROM erased_instances WHERE project_id = 'first'")).toBe(
    0,
  );
});
