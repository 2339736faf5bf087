import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findInstance, runningInstances } from '../../store/instances/instances.js';
import { listInstances } from '../../store/instances/lists.js';
import { markStarted, unstartedInstances, undeliveredCommands } from '../../store/instances/outbox.js';
import { findCommand, loadCommands, readOutcome } from '../../store/instances/commands.js';
import { submitCommand } from '../../store/instances/submit-command.js';
import { startInstance } from '../../store/instances/start.js';
import { writeStepCommit } from '../../store/steps/step-commit.js';
import { began, deploy, commitStep, projectID, start, submit, useStore, valueOf } from './support/store.js';

const store = useStore();
const page = { page: 1, pageSize: 100 };

/** Lets the outbox relay have everything of the instance now. */
async function fallDue(workflowID: string): Promise<void> {
  for (const table of ['instance_starts', 'commands']) {
    await store.database.query(`UPDATE ${table} SET deliver_at = now() - interval '1 hour' WHERE workflow_id = $1`, [
      workflowID,
    ]);
  }
}

describe('a start', () => {
  it('writes the instance with its variables and shows what the workflow needs', async () => {
    const { definitionID } = await deploy(store, 'ordering');
    const workflowID = randomUUID();
    const request = {
      projectID,
      definitionID,
      workflowID,
      variables: { x: 1 },
      businessID: 'b',
      startedBy: 'eda',
      startNode: 'begin',
    };
    expect(await startInstance(store.database, request)).toMatchObject({
      kind: 'started',
      instance: {
        workflowID,
        processID: 'ordering',
        version: 1,
        businessID: 'b',
        start: { variables: { x: 1 }, startNode: 'begin' },
      },
    });
    expect(await findInstance(store.database, projectID, workflowID)).toMatchObject({
      status: 'RUNNING',
      processID: 'ordering',
      processVersion: 1,
      businessID: 'b',
      startedBy: 'eda',
      hasIncident: false,
    });
  });

  it('finds no definition of another project', async () => {
    const { definitionID } = await deploy(store);
    const request = { projectID: 'elsewhere', definitionID, workflowID: randomUUID(), variables: {} };
    expect(await startInstance(store.database, request)).toMatchObject({ kind: 'refused', code: 'NOT_FOUND' });
  });

  it('comes wholly before or wholly after a suspension of its definition', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { definitionID } = await deploy(store);
      const attempt = () =>
        startInstance(store.database, { projectID, definitionID, workflowID: randomUUID(), variables: {} });
      const client = await store.pool.connect();
      try {
        await client.query('BEGIN');
        await client.query('UPDATE definitions SET suspended_at = now() WHERE id = $1', [definitionID]);
        const starts = Promise.all(Array.from({ length: 5 }, attempt));
        const seen = await valueOf<number>(
          store,
          'SELECT count(*)::int AS value FROM instances WHERE definition_id = $1',
          [definitionID],
        );
        await client.query('COMMIT');
        expect(seen).toBe(0);
        for (const answer of await starts)
          expect(answer).toMatchObject({ kind: 'refused', code: 'DEFINITION_SUSPENDED' });
      } finally {
        client.release();
      }
    }
  });

  it('is handed to the outbox relay when its workflow does not commit a step in time, to one outbox relay at a time', async () => {
    const workflowID = await start(store, { variables: { x: 1 } });
    const mine = async () =>
      (await unstartedInstances(store.database, 100)).filter((instance) => instance.workflowID === workflowID);
    expect(await mine()).toEqual([]);
    await fallDue(workflowID);
    const found = (await Promise.all([mine(), mine(), mine()])).flat();
    expect(found).toMatchObject([{ workflowID, projectID, start: { variables: { x: 1 } } }]);
    await fallDue(workflowID);
    await markStarted(store.database, workflowID);
    expect(await mine()).toEqual([]);
  });
});

describe('a command', () => {
  it('is numbered per instance without gaps however many come at once', async () => {
    const workflowID = await start(store);
    const written = await Promise.all(
      Array.from({ length: 30 }, () => submit(store, workflowID, { kind: 'SET_VARIABLES', variables: {} })),
    );
    expect(written.map(({ command }) => command.number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });

  it('can be read by the one who asks for it and by the workflow', async () => {
    const workflowID = await start(store);
    const request = {
      workflowID,
      projectID,
      awaited: false,
      actor: 'olga',
      reason: 'because',
      body: { kind: 'SET_VARIABLES' as const, variables: { a: 1 } },
    };
    const written = await submitCommand(store.database, request);
    if (written.kind === 'refused') throw new Error(written.message);
    expect((await loadCommands(store.database, workflowID, [1]))[0]).toEqual(written.command);
    expect(written.command).toEqual({
      kind: 'SET_VARIABLES',
      variables: { a: 1 },
      number: 1,
      actor: 'olga',
      reason: 'because',
    });
    const { commandID } = written;
    expect(await findCommand(store.database, { projectID, workflowID, commandID })).toMatchObject({
      kind: 'SET_VARIABLES',
      status: 'PENDING',
      actor: 'olga',
    });
    expect(await findCommand(store.database, { projectID: 'elsewhere', workflowID, commandID })).toBeUndefined();
    expect(await findCommand(store.database, { projectID, workflowID, commandID: 'not a uuid' })).toBeUndefined();
  });

  it('is refused by an instance that has ended, is unknown or of another project', async () => {
    const workflowID = await start(store);
    await commitStep(store, workflowID, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
    const give = (of: string, project = projectID) =>
      submitCommand(store.database, {
        workflowID: of,
        projectID: project,
        awaited: false,
        body: { kind: 'SET_VARIABLES', variables: {} },
      });
    expect(await give(workflowID)).toMatchObject({ code: 'INSTANCE_ENDED' });
    expect(await give('nobody')).toMatchObject({ code: 'NOT_FOUND' });
    expect(await give(await start(store), 'elsewhere')).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('without an answer is handed to one outbox relay at a time, and only the first of each instance', async () => {
    const workflowID = await start(store);
    await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: { a: 1 } });
    await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: { a: 2 } });
    const mine = async () =>
      (await undeliveredCommands(store.database, 100)).filter((due) => due.workflowID === workflowID);
    expect(await mine()).toEqual([]);
    await fallDue(workflowID);
    expect((await Promise.all([mine(), mine()])).flat().map(({ number }) => number)).toEqual([1]);
    expect(await mine()).toEqual([]);
    await commitStep(store, workflowID, 1, began, {
      inputs: { now: 1, lastCommand: 1 },
      outcomes: [{ number: 1, status: 'APPLIED' }],
    });
    await fallDue(workflowID);
    expect(await mine()).toMatchObject([{ command: { number: 2, kind: 'SET_VARIABLES', variables: { a: 2 } } }]);
    expect(await readOutcome(store.database, workflowID, 1)).toMatchObject({ status: 'APPLIED' });
  });

  it('is signaled only if the instance has read every command before it', async () => {
    const workflowID = await start(store);
    const deliveries = async () => (await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: {} })).delivery;
    expect([await deliveries(), await deliveries(), await deliveries()]).toEqual([
      'signal',
      'withEarlier',
      'withEarlier',
    ]);
    await writeStepCommit(store.database, {
      workflowID,
      number: 1,
      inputs: { now: 1, lastCommand: 1 },
      facts: began,
      outcomes: [{ number: 1, status: 'APPLIED' }],
    });
    expect(await deliveries(), 'the second has been written and not been read').toBe('withEarlier');
    await writeStepCommit(
      store.database,
      { workflowID, number: 2, inputs: { now: 2, lastCommand: 3 }, facts: [], outcomes: [] },
      4,
    );
    expect([await deliveries(), await deliveries()]).toEqual(['signal', 'withEarlier']);
  });
});

describe('the list of instances', () => {
  it('is narrowed by every filter, newest first', async () => {
    const { definitionID } = await deploy(store, 'filtered');
    const first = await start(store, { definitionID, businessID: 'one' });
    const second = await start(store, { definitionID, businessID: 'two' });
    const third = await start(store, { definitionID });
    await commitStep(store, first, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
    await commitStep(store, second, 1, [
      ...began,
      { kind: 'INCIDENT_RAISED', incident: 2, element: 1, node: 'n', errorType: 'Unknown', message: 'm' },
    ]);
    await store.database.query('UPDATE instances SET suspended_at = now() WHERE workflow_id = $1', [third]);
    const list = async (filter: Parameters<typeof listInstances>[2]) =>
      (await listInstances(store.database, projectID, { definitionID, ...filter }, page)).data.map(
        ({ workflowID }) => workflowID,
      );
    expect(await list({})).toEqual([third, second, first]);
    expect(await list({ processId: 'filtered' })).toHaveLength(3);
    expect(await list({ processId: 'other' })).toEqual([]);
    expect(await list({ status: ['COMPLETED'] })).toEqual([first]);
    expect(await list({ status: ['RUNNING'] })).toEqual([third, second]);
    expect(await list({ hasIncident: true })).toEqual([second]);
    expect(await list({ hasIncident: false })).toEqual([third, first]);
    expect(await list({ suspended: true })).toEqual([third]);
    expect(await list({ suspended: false })).toEqual([second, first]);
    expect(await list({ businessId: 'two' })).toEqual([second]);
    expect(await list({ createdAfter: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
    expect((await listInstances(store.database, 'elsewhere', { definitionID }, page)).total).toBe(0);
  });

  it('names as suspended what is so through its definition', async () => {
    const { definitionID } = await deploy(store);
    const workflowID = await start(store, { definitionID });
    await store.database.query("UPDATE definitions SET suspended_at = now(), suspended_by = 'eda' WHERE id = $1", [
      definitionID,
    ]);
    const { data } = await listInstances(store.database, projectID, { definitionID, suspended: true }, page);
    expect(data).toMatchObject([{ workflowID, suspendedAt: null, definitionSuspendedBy: 'eda' }]);
  });

  it('gives the reconciler running instances page by page', async () => {
    const { definitionID } = await deploy(store);
    const ids = [
      await start(store, { definitionID }),
      await start(store, { definitionID }),
      await start(store, { definitionID }),
    ];
    await commitStep(store, ids[1]!, 1, began);
    const first = await start(store, { definitionID });
    await commitStep(store, first, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
    const found: { workflowID: string; stepCount: number }[] = [];
    for (let after = 0; ;) {
      const batch = await runningInstances(store.database, { after, limit: 2, olderThanMilliseconds: 0 });
      if (batch.length === 0) break;
      found.push(...batch);
      after = batch.at(-1)!.number;
    }
    const mine = found.filter(({ workflowID }) => ids.includes(workflowID) || workflowID === first);
    expect(mine.map(({ workflowID, stepCount }) => [workflowID, stepCount])).toEqual([
      [ids[0], 0],
      [ids[1], 1],
      [ids[2], 0],
    ]);
    expect(await runningInstances(store.database, { after: 0, limit: 2, olderThanMilliseconds: 3_600_000 })).toEqual(
      [],
    );
  });
});
