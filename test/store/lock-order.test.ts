/** Everyone locks instances from above, and those of one depth by their ids, so that no two wait for each other. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { rows } from '../../store/sql/database.js';
import { publish } from '../../store/messages/messages.js';
import { channelsToMatch, matchChannel } from '../../store/messages/matching.js';
import { suspendInstance } from '../../store/suspension/suspension.js';
import { untilBlocked } from './support/blocked.js';
import { began, deploy, commitStep, projectID, start, useStore } from './support/store.js';

const store = useStore();

/** A parent and the ids of the instances that it called, in the order of their ids; each waits for the signal. */
async function family(children: number, signal: string): Promise<{ parent: string; called: string[] }> {
  const processID = `called-${randomUUID()}`;
  await deploy(store, processID);
  const parent = await start(store);
  const called = Array.from({ length: children }, () => randomUUID()).toSorted();
  const calls = called.map((workflowID, index): Fact => ({
    kind: 'CHILD_CALLED',
    child: 10 + index,
    element: 2,
    node: 'call',
    workflowID,
    processID,
    binding: { kind: 'latest' },
    variables: {},
    caughtErrors: [],
    depth: 1,
  }));
  await commitStep(store, parent, 1, [
    ...began,
    { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'call', scope: 1 },
    ...calls,
  ]);
  for (const workflowID of called) {
    await commitStep(store, workflowID, 1, [
      ...began,
      { kind: 'SUBSCRIPTION_OPENED', subscription: 3, element: 1, node: 'wait', type: 'signal', name: signal },
    ]);
  }
  return { parent, called };
}

const cancel = (parent: string, called: readonly string[]) =>
  commitStep(
    store,
    parent,
    2,
    called.map((workflowID, index) => ({ kind: 'CHILD_CANCELED' as const, child: 10 + index, workflowID })),
  );

it('a caller that cancels what it called, in whatever order, holds no later one while it waits for an earlier one', async () => {
  const { parent, called } = await family(3, randomUUID());
  const [first, ...others] = called;
  const holder = await store.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM instances WHERE workflow_id = $1 FOR UPDATE', [first]);
  const canceled = cancel(parent, called.toReversed());
  await untilBlocked(store);
  expect(
    await rows(holder, 'SELECT 1 FROM instances WHERE workflow_id = ANY($1::text[]) FOR UPDATE NOWAIT', [others]),
  ).toHaveLength(2);
  await holder.query('COMMIT');
  holder.release();
  expect(await canceled).toEqual({ kind: 'accepted' });
});

it('a signal to many, a cancel of them by their caller and a suspension above them never end each other', async () => {
  for (let round = 0; round < 10; round++) {
    const signal = randomUUID();
    const { parent, called } = await family(8, signal);
    await publish(store.database, { projectID, type: 'signal', name: signal, variables: {}, publishedBy: 'eda' });
    const [channel] = (await channelsToMatch(store.database, 100)).slice(-1);
    const answers = await Promise.all([
      matchChannel(store.database, channel!, true),
      cancel(parent, called.toReversed()),
      suspendInstance(store.database, { projectID, workflowID: parent, actor: 'ada' }),
    ]);
    expect(answers).toHaveLength(3);
    for (const due of await channelsToMatch(store.database, 100))
      while ((await matchChannel(store.database, due, true)) !== 'done');
  }
});
