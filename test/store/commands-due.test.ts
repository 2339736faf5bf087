import { expect, test } from 'vitest';
import { undeliveredCommands } from '../../store/instances/outbox.js';
import { start, submit, useStore } from './support/store.js';

const store = useStore();

test('commands that are due come with their content, unless they are large', async () => {
  const workflowID = await start(store);
  const small = await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: { a: 1 } });
  const large = await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: { a: 'x'.repeat(100_000) } });
  await store.pool.query('UPDATE commands SET deliver_at = now() WHERE workflow_id = $1', [workflowID]);
  expect(await undeliveredCommands(store.pool, 100)).toEqual([
    { workflowID, number: small.command.number, kind: 'SET_VARIABLES', command: small.command, lingeringWorker: null },
    { workflowID, number: large.command.number, kind: 'SET_VARIABLES', command: undefined, lingeringWorker: null },
  ]);
});
