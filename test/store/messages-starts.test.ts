import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { rows } from '../../store/database.js';
import { definitionsOfResource } from '../../store/definitions.js';
import { unstartedInstances } from '../../store/outbox.js';
import { channelsToMatch, matchChannel } from '../../store/messages-matching.js';
import { publish } from '../../store/messages.js';
import { createResource, deleteResource, deployResource } from '../../store/resources.js';
import type { PublicationType } from '../../store/messages-correlation.js';
import { resumeDefinition, suspendDefinition } from '../../store/suspension.js';
import { graphOf, projectID, useStore } from './support/store.js';

const store = useStore();

/** Deploys a version that the message or signal starts; returns its resource. */
async function deployStartedBy(processID: string, name: string, type: PublicationType = 'message'): Promise<string> {
  const xml = '<definitions/>';
  const { resourceID } = await createResource(store.pool, projectID, { name: processID, xml, definitionsID: processID }, 'eda');
  const startTriggers = [{ node: 'begin', trigger: 0, type, name }];
  await deployResource(store.pool, { projectID, resourceID, xml, deployedBy: 'eda', processes: [{ processID, graph: graphOf(processID), sha256: randomUUID(), startTriggers }] });
  return resourceID;
}

const definitionOf = async (resourceID: string) => (await definitionsOfResource(store.pool, projectID, resourceID))[0]!.definitionID;

const send = (name: string, type: PublicationType = 'message', ttl?: number) =>
  publish(store.pool, { projectID, type, name, correlation: type === 'message' ? 'any' : undefined, variables: { order: 1 }, ttl, publishedBy: 'eda' });

async function matchAll(): Promise<void> {
  for (let channels = await channelsToMatch(store.pool, 100); channels.length > 0; channels = await channelsToMatch(store.pool, 100)) {
    for (const channel of channels) await matchChannel(store.pool, channel, true);
  }
}

const versions = async (processID: string) =>
  (await rows<{ version: number }>(store.pool, 'SELECT version FROM instances i JOIN definitions d ON d.id = i.definition_id WHERE process_id = $1 ORDER BY i.number', [processID])).map(
    ({ version }) => version,
  );

it('a message starts one instance of the newest version, whatever its correlation key, and is used up', async () => {
  const [processID, name] = [randomUUID(), randomUUID()];
  await deployStartedBy(processID, name);
  await deployStartedBy(processID, name);
  await send(name);
  await matchAll();
  await matchAll();
  expect(await versions(processID)).toEqual([2]);
  expect(await rows(store.pool, 'SELECT 1 FROM publications WHERE name = $1', [name])).toEqual([]);
  const due = (await unstartedInstances(store.pool, 100)).filter((instance) => instance.processID === processID);
  expect(due).toMatchObject([{ start: { variables: {}, startNode: 'begin', startTrigger: 0, payload: { order: 1 } } }]);
});

it('a newer version without the message, and a deleted one, start nothing by it', async () => {
  const [processID, name] = [randomUUID(), randomUUID()];
  await deployStartedBy(processID, name);
  const newer = await deployStartedBy(processID, randomUUID());
  await send(name, 'message', 0);
  await matchAll();
  expect(await versions(processID)).toEqual([]);
  await deleteResource(store.pool, projectID, newer);
  await send(name);
  await matchAll();
  expect(await versions(processID)).toEqual([1]);
});

it('a message that was published before starts the process that is deployed later', async () => {
  const [processID, name] = [randomUUID(), randomUUID()];
  await send(name);
  await matchAll();
  await deployStartedBy(processID, name);
  await matchAll();
  expect(await versions(processID)).toEqual([1]);
});

it.each(['message', 'signal'] as const)('a %s for a suspended definition is kept until that is resumed, and starts one instance then', async (type) => {
  const [processID, name] = [randomUUID(), randomUUID()];
  const definition = { projectID, actor: 'eda', definitionID: await definitionOf(await deployStartedBy(processID, name, type)) };
  await suspendDefinition(store.pool, definition);
  await send(name, type);
  await matchAll();
  await matchAll();
  expect(await versions(processID)).toEqual([]);
  await resumeDefinition(store.pool, definition);
  await matchAll();
  await suspendDefinition(store.pool, definition);
  await resumeDefinition(store.pool, definition);
  await matchAll();
  expect(await versions(processID)).toEqual([1]);
});

it.each(['message', 'signal'] as const)('a %s that was kept for a suspended definition starts the version that is deployed meanwhile', async (type) => {
  const [processID, name] = [randomUUID(), randomUUID()];
  await suspendDefinition(store.pool, { projectID, actor: 'eda', definitionID: await definitionOf(await deployStartedBy(processID, name, type)) });
  await send(name, type);
  await matchAll();
  await deployStartedBy(processID, name, type);
  await matchAll();
  expect(await versions(processID)).toEqual([2]);
});

it('a signal that is kept for a suspended definition starts no other process again', async () => {
  const [suspended, running, name] = [randomUUID(), randomUUID(), randomUUID()];
  const definition = { projectID, actor: 'eda', definitionID: await definitionOf(await deployStartedBy(suspended, name, 'signal')) };
  await deployStartedBy(running, name, 'signal');
  await suspendDefinition(store.pool, definition);
  await send(name, 'signal');
  await matchAll();
  await rows(store.pool, 'DELETE FROM instances WHERE definition_id IN (SELECT id FROM definitions WHERE process_id = $1)', [running]);
  await resumeDefinition(store.pool, definition);
  await matchAll();
  expect([await versions(suspended), await versions(running)]).toEqual([[1], []]);
});

it('what has expired while its definition was suspended starts nothing', async () => {
  const [processID, name] = [randomUUID(), randomUUID()];
  const definition = { projectID, actor: 'eda', definitionID: await definitionOf(await deployStartedBy(processID, name)) };
  await suspendDefinition(store.pool, definition);
  await send(name, 'message', 1);
  await matchAll();
  await resumeDefinition(store.pool, definition);
  await matchAll();
  expect(await versions(processID)).toEqual([]);
});

it('a signal starts an instance of every process that waits for it', async () => {
  const [first, second, name] = [randomUUID(), randomUUID(), randomUUID()];
  await deployStartedBy(first, name, 'signal');
  await deployStartedBy(second, name, 'signal');
  await send(name, 'signal');
  await matchAll();
  expect([await versions(first), await versions(second)]).toEqual([[1], [1]]);
});
