/** Starts by messages, signals, and timers of a process with a limit: queued, then kept or skipped and counted, never lost. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createResource, deployResource } from '../../store/definitions/resources.js';
import { definitionsOfResource } from '../../store/definitions/definitions.js';
import { offerStartAgain, unstartedInstances } from '../../store/instances/outbox.js';
import { runningInstances } from '../../store/instances/instances.js';
import type { PublicationType } from '../../store/messages/correlation.js';
import { channelsToMatch, matchChannel } from '../../store/messages/matching.js';
import { publish } from '../../store/messages/messages.js';
import { startTimersOfDefinition, tickStartTimer } from '../../store/messages/start-timers.js';
import { beginQueued, dueGroups, offerAgain, overflowedProcesses } from '../../store/processes/queue.js';
import { cancelInstance } from '../../store/instances/cancellation.js';
import { rows } from '../../store/sql/database.js';
import { checkRows } from '../../host/admin/verify/row-rules.js';
import { set } from './support/controlled.js';
import { began, commitStep, graphOf, projectID, useStore } from './support/store.js';

const store = useStore();

/** A process that a message, a signal, and a timer start, with one place and one rank in its queue. */
async function deployed(): Promise<{ processID: string; definitionID: string; name: string }> {
  const [processID, name, xml] = [`process-${randomUUID()}`, randomUUID(), '<definitions/>'];
  const content = { name: processID, xml, definitionsID: processID };
  const { resourceID } = await createResource(store.database, projectID, content, 'eda');
  const trigger = (type: PublicationType) => ({ node: 'begin', trigger: 0, type, name: `${type} ${name}` });
  const timer = { node: 'begin', trigger: 0, type: 'cycle' as const, timer: 'R/PT1H' };
  const common = { processID, graph: graphOf(processID), sha256: randomUUID(), compilerVersion: 1 };
  await deployResource(store.database, {
    projectID,
    resourceID,
    xml,
    deployedBy: 'eda',
    processes: [
      { ...common, startTriggers: [trigger('message'), { ...trigger('signal'), trigger: 1 }], startTimers: [timer] },
    ],
  });
  await set(store, processID, { concurrentInstances: 1, maxQueued: 1, whenFull: 'REFUSE' });
  return {
    processID,
    name,
    definitionID: (await definitionsOfResource(store.database, projectID, resourceID))[0]!.definitionID,
  };
}

const send = (type: PublicationType, name: string) =>
  publish(store.database, {
    projectID,
    type,
    name: `${type} ${name}`,
    variables: { order: 1 },
    ttl: 600_000,
    publishedBy: 'eda',
  });

async function relay(): Promise<void> {
  for (let round = 0; round < 6; round += 1) {
    for (const process of await overflowedProcesses(store.database, 100)) await offerAgain(store.database, process);
    for (const channel of await channelsToMatch(store.database, 100)) await matchChannel(store.database, channel, true);
    for (const process of await dueGroups(store.database, 100)) await beginQueued(store.database, process);
  }
}

const instancesOf = (processID: string) =>
  rows<{ workflowID: string; queued: boolean; status: string }>(
    store.database,
    `SELECT workflow_id AS "workflowID", queued, status FROM instances i JOIN definitions d ON d.id = i.definition_id
     WHERE d.process_id = $1 ORDER BY number`,
    [processID],
  );
const runningOf = async (processID: string) =>
  (await instancesOf(processID)).filter(({ status }) => status === 'RUNNING');
const endFirst = async (processID: string) => {
  const [first] = await runningOf(processID);
  await commitStep(store, first!.workflowID, 1, [
    ...began,
    { kind: 'ELEMENT_COMPLETED', element: 1 },
    { kind: 'INSTANCE_COMPLETED' },
  ]);
};

it.each(['message', 'signal'] as const)('each %s starts one instance, however full the queue was', async (type) => {
  const { processID, name } = await deployed();
  for (let count = 0; count < 4; count += 1) {
    await send(type, name);
    await relay();
  }
  expect((await runningOf(processID)).map(({ queued }) => queued)).toEqual([false, true]);
  for (let count = 0; count < 4; count += 1) {
    await endFirst(processID);
    await relay();
    expect((await runningOf(processID)).filter(({ queued }) => !queued)).toHaveLength(count < 3 ? 1 : 0);
  }
  expect(await instancesOf(processID)).toHaveLength(4);
});

it('a kept message is offered again when the queue shrinks by a cancel', async () => {
  const { processID, name } = await deployed();
  for (let count = 0; count < 3; count += 1) {
    await send('message', name);
    await relay();
  }
  const [, queued] = await runningOf(processID);
  await cancelInstance(store.database, { projectID, workflowID: queued!.workflowID, awaited: false });
  await relay();
  expect(await instancesOf(processID)).toHaveLength(3);
});

it('a tick that finds the queue full is skipped and counted', async () => {
  const { processID, definitionID } = await deployed();
  const address = { projectID, definitionID, node: 'begin', trigger: 0 };
  const outcomes = [];
  for (const tick of [1, 2, 3, 3]) outcomes.push(await tickStartTimer(store.database, address, tick * 3_600_000));
  expect(outcomes).toEqual(['started', 'started', 'skipped', 'skipped']);
  expect((await runningOf(processID)).map(({ queued }) => queued)).toEqual([false, true]);
  expect(await startTimersOfDefinition(store.database, definitionID)).toMatchObject([{ skippedTicks: 1 }]);
});

it('neither the relay nor the reconciler starts the workflow of a queued instance', async () => {
  const { processID, name } = await deployed();
  for (let count = 0; count < 2; count += 1) await send('message', name);
  await relay();
  const [first, queued] = await runningOf(processID);
  const unstarted = (await unstartedInstances(store.database, 100)).map(({ workflowID }) => workflowID);
  expect(unstarted).toContain(first!.workflowID);
  expect(unstarted).not.toContain(queued!.workflowID);
  const given = { after: 0, limit: 1_000, olderThanMilliseconds: 0 };
  const compared = (await runningInstances(store.database, given)).map(({ workflowID }) => workflowID);
  expect(compared).toContain(first!.workflowID);
  expect(compared).not.toContain(queued!.workflowID);
  expect(await offerStartAgain(store.database, queued!.workflowID)).toBe(false);
});

it('verify finds places that are counted wrong, and nothing before', async () => {
  const { processID, name } = await deployed();
  for (let count = 0; count < 2; count += 1) await send('message', name);
  await relay();
  const found = async () => (await checkRows(store.database)).map((one) => `${one.workflowID} ${one.found}`);
  expect(await found()).toEqual([]);
  await store.database.query('UPDATE concurrency_groups SET running = 2 WHERE process_id = $1', [processID]);
  expect(await found()).toEqual([expect.stringMatching(/counts 2 running and 1 queued instances; there are 1 and 1/)]);
  await store.database.query('UPDATE concurrency_groups SET running = 1 WHERE process_id = $1', [processID]);
});
