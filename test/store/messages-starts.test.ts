import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { rows } from '../../store/sql/database.js';
import { definitionsOfResource } from '../../store/definitions/definitions.js';
import { unstartedInstances } from '../../store/instances/outbox.js';
import { channelsToMatch, matchChannel } from '../../store/messages/matching.js';
import { publish } from '../../store/messages/messages.js';
import { createResource, deleteResource, deployResource } from '../../store/definitions/resources.js';
import type { PublicationType } from '../../store/messages/correlation.js';
import { resumeDefinition, suspendDefinition } from '../../store/suspension/definitions.js';
import { graphOf, projectID, useStore } from './support/store.js';

const store = useStore();

/** Deploys a version that the message or signal starts; returns its resource. */
async function deployStartedBy(processID: string, name: string, type: PublicationType = 'message'): Promise<string> {
  const xml = '<definitions/>';
  const { resourceID } = await createResource(
    store.database,
    projectID,
    { name: processID, xml, definitionsID: processID },
    'eda',
  );
  const startTriggers = [{ node: 'begin', trigger: 0, type, name }];
  await deployResource(store.database, {
    projectID,
    resourceID,
    xml,
    deployedBy: 'eda',
    processes: [{ processID, graph: graphOf(processID), sha256: randomUUID(), compilerVersion: 1, startTriggers }],
  });
  return resourceID;
}

const definitionOf = async (resourceID: string) =>
  (await definitionsOfResource(store.database, projectID, resourceID))[0]!.definitionID;

const send = (name: string, type: PublicationType = 'message', ttl?: number) =>
  publish(store.database, {
    projectID,
    type,
    name,
    correlation: type === 'message' ? 'any' : undefined,
    variables: { order: 1 },
    ttl,
    publishedBy: 'eda',
  });

async function matchAll(): Promise<void> {
  for (
    let channels = await channelsToMatch(store.database, 100);
    channels.length > 0;
    channels = await channelsToMatch(store.database, 100)
  ) {
    for (const channel of channels) await matchChannel(store.database, channel, true);
  }
}

const versions = async (processID: string) =>
  (
    await rows<{ version: number }>(
      store.database,
      'SELECT version FROM instances i JOIN definitions d ON d.id = i.definition_id WHERE process_id = $1 ORDER BY i.number',
      [processID],
    )
  ).map(({ version }) => version);

it('a message starts one instance of the newest version, whatever its correlation key, and is used up', async () => {
  const [processID, name] = [randomUUID(), randomUUID()];
  await deployStartedBy(processID, name);
  await deployStartedBy(processID, name);
  await send(name);
  await matchAll();
  await matchAll();
  expect(await versions(processID)).toEqual([2]);
  expect(await rows(store.database, 'SELECT 1 FROM publications WHERE name = $1', [name])).toEqual([]);
  const due = (await unstartedInstances(store.database, 100)).filter((instance) => instance.processID === processID);
  expect(due).toMatchObject([{ start: { variables: {}, startNode: 'begin', startTrigger: 0, payload: { order: 1 } } }]);
});

it('a newer version without the message, and a deleted one, start nothing by it', async () => {
  const [processID, name] = [randomUUID(), randomUUID()];
  await deployStartedBy(processID, name);
  const newer = await deployStartedBy(processID, randomUUID());
  await send(name, 'message', 0);
  await matchAll();
  expect(await versions(processID)).toEqual([]);
  await deleteResource(store.database, projectID, newer);
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

it.each(['message', 'signal'] as const)(
  'a %s for a suspended definition is kept until that is resumed, and starts one instance then',
  async (type) => {
    const [processID, name] = [randomUUID(), randomUUID()];
    const definition = {
      projectID,
      actor: 'eda',
      definitionID: await definitionOf(await deployStartedBy(processID, name, type)),
    };
    await suspendDefinition(store.database, definition);
    await send(name, type);
    await matchAll();
    await matchAll();
    expect(await versions(processID)).toEqual([]);
    await resumeDefinition(store.database, definition);
    await matchAll();
    await suspendDefinition(store.database, definition);
    await resumeDefinition(store.database, definition);
    await matchAll();
    expect(await versions(processID)).toEqual([1]);
  },
);

it.each(['message', 'signal'] as const)(
  'a %s for a definition whose starts are suspended is kept until the resume, and not beyond its time to live',
  async (type) => {
    const [processID, name, expired] = [randomUUID(), randomUUID(), randomUUID()];
    const resourceID = await deployStartedBy(processID, name, type);
    const definition = { projectID, actor: 'eda', definitionID: await definitionOf(resourceID) };
    const other = { ...definition, definitionID: await definitionOf(await deployStartedBy(expired, expired, type)) };
    for (const each of [definition, other]) await suspendDefinition(store.database, { ...each, instances: false });
    await send(name, type);
    await send(expired, type, 1);
    await matchAll();
    expect([await versions(processID), await versions(expired)]).toEqual([[], []]);
    for (const each of [definition, other]) await resumeDefinition(store.database, each);
    await matchAll();
    expect([await versions(processID), await versions(expired)]).toEqual([[1], []]);
  },
);

it.each(['message', 'signal'] as const)(
  'a %s that was kept for a suspended definition starts the version that is deployed in the meantime',
  async (type) => {
    const [processID, name] = [randomUUID(), randomUUID()];
    await suspendDefinition(store.database, {
      projectID,
      actor: 'eda',
      definitionID: await definitionOf(await deployStartedBy(processID, name, type)),
    });
    await send(name, type);
    await matchAll();
    await deployStartedBy(processID, name, type);
    await matchAll();
    expect(await versions(processID)).toEqual([2]);
  },
);

it('a signal that is kept for a suspended definition starts no other process again', async () => {
  const [suspended, running, name] = [randomUUID(), randomUUID(), randomUUID()];
  const definition = {
    projectID,
    actor: 'eda',
    definitionID: await definitionOf(await deployStartedBy(suspended, name, 'signal')),
  };
  await deployStartedBy(running, name, 'signal');
  await suspendDefinition(store.database, definition);
  await send(name, 'signal');
  await matchAll();
  await rows(
    store.database,
    'DELETE FROM instances WHERE definition_id IN (SELECT id FROM definitions WHERE process_id = $1)',
    [running],
  );
  await resumeDefinition(store.database, definition);
  await matchAll();
  expect([await versions(suspended), await versions(running)]).toEqual([[1], []]);
});

it('a message that expired while its definition was suspended starts nothing', async () => {
  const [processID, name] = [randomUUID(), randomUUID()];
  const definition = {
    projectID,
    actor: 'eda',
    definitionID: await definitionOf(await deployStartedBy(processID, name)),
  };
  await suspendDefinition(store.database, definition);
  await send(name, 'message', 1);
  await matchAll();
  await resumeDefinition(store.database, definition);
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

describe('a parallel multiple start event', () => {
  /** A process that begins when a message of every name and a signal of every name have arrived; returns its definition. */
  async function deployTogether(processID: string, messages: string[], signals: string[] = []): Promise<string> {
    const xml = '<definitions/>';
    const { resourceID } = await createResource(
      store.database,
      projectID,
      { name: processID, xml, definitionsID: processID },
      'eda',
    );
    const named = [
      ...messages.map((name) => ({ name, type: 'message' as const })),
      ...signals.map((name) => ({ name, type: 'signal' as const })),
    ];
    const startTriggers = named.map((given, trigger) => ({ ...given, node: 'begin', trigger, together: true }));
    await deployResource(store.database, {
      projectID,
      resourceID,
      xml,
      deployedBy: 'eda',
      processes: [{ processID, graph: graphOf(processID), sha256: randomUUID(), compilerVersion: 1, startTriggers }],
    });
    return definitionOf(resourceID);
  }

  const publishOne = (
    name: string,
    correlation: Json | undefined,
    variables: Variables,
    type: PublicationType = 'message',
    ttl?: number,
  ) => publish(store.database, { projectID, type, name, correlation, variables, ttl, publishedBy: 'eda' });
  const payloads = async (processID: string) =>
    (await unstartedInstances(store.database, 1000))
      .filter((instance) => instance.processID === processID)
      .map(({ start }) => start.payload);
  const kept = (name: string) => rows(store.database, 'SELECT 1 FROM publications WHERE name = $1', [name]);

  it('creates one instance when messages of one correlation have all arrived, in any order, and uses them up', async () => {
    const [processID, one, two] = [randomUUID(), randomUUID(), randomUUID()];
    await deployTogether(processID, [one, two]);
    await publishOne(two, { order: 1, line: { a: 1 } }, { b: 1 });
    await publishOne(two, { order: 2 }, { b: 2 });
    await publishOne(one, 2, { a: 0 });
    await matchAll();
    expect(await payloads(processID)).toEqual([]);
    await publishOne(one, { line: { a: 1 }, order: 1 }, { a: 1 });
    await matchAll();
    expect(await payloads(processID)).toEqual([{ a: 1, b: 1 }]);
    expect([await kept(one), await kept(two)].map((found) => found.length)).toEqual([1, 1]);
  });

  it('creates one instance for each pair when everything arrives at once', async () => {
    const [processID, one, two] = [randomUUID(), randomUUID(), randomUUID()];
    await deployTogether(processID, [one, two]);
    const keys = Array.from({ length: 30 }, (_, key) => key);
    await Promise.all(keys.flatMap((key) => [publishOne(one, key, { key }), publishOne(two, key, { other: key })]));
    await Promise.all([matchAll(), matchAll(), matchAll()]);
    await matchAll();
    const found = (await payloads(processID)) as { key: number; other: number }[];
    expect(found.toSorted((a, b) => a.key - b.key)).toEqual(keys.map((key) => ({ key, other: key })));
  });

  it('takes two messages of one name for two definitions of that name', async () => {
    const [processID, name] = [randomUUID(), randomUUID()];
    await deployTogether(processID, [name, name]);
    for (const key of [1, 1, 1]) await publishOne(name, key, {});
    await matchAll();
    expect(await payloads(processID)).toHaveLength(1);
    expect(await kept(name)).toHaveLength(1);
  });

  it('uses a signal that is kept for one instance, whichever comes first', async () => {
    const [processID, message, signal] = [randomUUID(), randomUUID(), randomUUID()];
    await deployTogether(processID, [message], [signal]);
    await publishOne(signal, undefined, { s: 1 }, 'signal');
    await matchAll();
    for (const m of [1, 2, 3]) await publishOne(message, m, { m });
    await matchAll();
    expect(await payloads(processID)).toEqual([{ m: 1, s: 1 }]);
    await publishOne(signal, undefined, { s: 2 }, 'signal');
    await matchAll();
    // A row that was read is left to its reader for a while.
    expect(await payloads(processID)).toEqual([{ m: 2, s: 2 }]);
  });

  it('does not begin by what has expired', async () => {
    const [processID, one, two] = [randomUUID(), randomUUID(), randomUUID()];
    await deployTogether(processID, [one, two]);
    await publishOne(one, 1, {}, 'message', 0);
    await publishOne(two, 1, {});
    await matchAll();
    expect(await payloads(processID)).toEqual([]);
  });

  it('begins after its definition is resumed', async () => {
    const [processID, one, two] = [randomUUID(), randomUUID(), randomUUID()];
    const definition = { projectID, actor: 'eda', definitionID: await deployTogether(processID, [one, two]) };
    await suspendDefinition(store.database, definition);
    await publishOne(one, 1, {});
    await publishOne(two, 1, {});
    await matchAll();
    expect(await payloads(processID)).toEqual([]);
    await resumeDefinition(store.database, definition);
    await matchAll();
    expect(await payloads(processID)).toHaveLength(1);
  });
});
