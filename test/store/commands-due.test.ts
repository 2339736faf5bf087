import { expect, test } from 'vitest';
import { offerCommandsAgain, undeliveredCommands } from '../../store/instances/outbox.js';
import { start, submit, useStore } from './support/store.js';

const store = useStore();

test('commands that are due come with their content, unless they are large', async () => {
  const [one, other] = [await start(store), await start(store)];
  const small = await submit(store, one, { kind: 'SET_VARIABLES', variables: { a: 1 } });
  const large = await submit(store, other, { kind: 'SET_VARIABLES', variables: { a: 'x'.repeat(100_000) } });
  await store.database.query('UPDATE commands SET deliver_at = now() WHERE workflow_id IN ($1, $2)', [one, other]);
  const due = await undeliveredCommands(store.database, 100);
  expect(due.toSorted((a, b) => (a.workflowID === one ? -1 : b.workflowID === one ? 1 : 0))).toEqual([
    { workflowID: one, number: 1, kind: 'SET_VARIABLES', command: small.command, lingeringWorker: null },
    {
      workflowID: other,
      number: large.command.number,
      kind: 'SET_VARIABLES',
      command: undefined,
      lingeringWorker: null,
    },
  ]);
});

test('a workflow that has been started again gets its unanswered commands again, but not those that it holds', async () => {
  const workflowID = await start(store);
  for (const value of [1, 2, 3]) await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: { value } });
  await offerCommandsAgain(store.database, workflowID, { lastCommand: 2, held: [1] });
  const { rows } = await store.database.query<{ number: number; due: boolean }>(
    'SELECT number, deliver_at <= now() AS due FROM commands WHERE workflow_id = $1 ORDER BY number',
    [workflowID],
  );
  expect(rows).toEqual([
    { number: 1, due: false },
    { number: 2, due: true },
    { number: 3, due: true },
  ]);
});
