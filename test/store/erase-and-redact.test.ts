/** Redacting and erasing ended instances: every page of rows, also when a process is killed or two requests come at once. */
import { describe, expect, it } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Json } from '@perdure/engine/contract/json.js';
import { createLogger } from '../../telemetry/logger.js';
import { rows } from '../../store/sql/database.js';
import { readVariables } from '../../store/instances/instances.js';
import { overwriteSome } from '../../store/redaction/overwrite.js';
import { acceptRedaction, redactInstance } from '../../store/redaction/redact.js';
import { eraseInstance } from '../../store/retention/erase.js';
import { deleteBehindRemoved } from '../../store/retention/retention.js';
import { lockFold } from '../../store/statistics/fold-instances.js';
import { stateAt } from '../../store/steps/replay.js';
import { startChores } from '../../background/driver.js';
import { redactions } from '../../worker/erasure/redactions.js';
import { eventually } from '../support/eventually.js';
import { tablesWith } from '../support/tables-with.js';
import { killedAt } from './support/killed.js';
import {
  began,
  commitStep,
  foldAll,
  jobCreated,
  projectID,
  start,
  submit,
  useStore,
  valueOf,
} from './support/store.js';

const store = useStore();
const MARKER = 'marker-5c1d';

const redact = (workflowID: string, ...variables: string[]) =>
  redactInstance(store.database, { projectID, workflowID, variables });
const variablesOf = (workflowID: string) => readVariables(store.database, projectID, workflowID);
const set = (variables: { [name: string]: Json }, scope = 1): Fact => ({ kind: 'VARIABLES_SET', scope, variables });

/** An instance that has ended after `steps` steps, with the marker in each. */
async function ended(steps = 3, value: Json = MARKER): Promise<string> {
  const variables = { secret: value, kept: 1 };
  const workflowID = await start(store, { variables });
  await commitStep(store, workflowID, 1, [
    ...began,
    set(variables),
    ...jobCreated(2, 'work', { localVariables: { secret: value } }),
  ]);
  for (let number = 2; number < steps; number += 1) {
    await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: { secret: value } });
    // Every second one with a snapshot.
    const snapshot = number % 2 === 0 ? { snapshot: (await stateAt(store.database, workflowID)).state } : {};
    await commitStep(store, workflowID, number, [set({ secret: value, number })], { variables, ...snapshot });
  }
  await commitStep(store, workflowID, steps, [
    { kind: 'JOB_CANCELED', job: 3, reason: 'over' },
    { kind: 'ELEMENT_CANCELED', element: 2 },
    { kind: 'INSTANCE_COMPLETED' },
  ]);
  return workflowID;
}

describe('redacting an instance', () => {
  it('overwrites its values in every table and snapshot, and leaves all others', async () => {
    const workflowID = await ended(150);
    expect(await tablesWith(store.database, MARKER)).toEqual(['commands', 'instances', 'jobs', 'steps']);
    expect(await redact(workflowID, 'secret', 'unknown')).toEqual({ kind: 'done' });
    expect(await tablesWith(store.database, MARKER)).toEqual([]);
    expect(await variablesOf(workflowID)).toEqual({ secret: null, kept: 1 });
    for (const at of [4, 40, 150]) {
      const { state } = await stateAt(store.database, workflowID, at);
      expect(state.elements[1]!.variables).toMatchObject({ secret: null, kept: 1 });
    }
    const { state } = await stateAt(store.database, workflowID);
    expect(state.status).toBe('COMPLETED');
    const snapshots = 'SELECT count(snapshot)::int AS value FROM steps WHERE workflow_id = $1';
    expect(await valueOf(store, snapshots, [workflowID])).toBe(74);
    expect(
      await valueOf(store, 'SELECT redacted_variables AS value FROM instances WHERE workflow_id = $1', [workflowID]),
    ).toEqual(['secret', 'unknown']);
  });

  it('overwrites values of any shape, whatever text is in them', async () => {
    const value = { [MARKER]: ['\u0000', '\ud800', { __proto__: MARKER }], deep: [[[MARKER]]] };
    const workflowID = await ended(4, value);
    await redact(workflowID, 'secret');
    expect(await tablesWith(store.database, MARKER)).toEqual([]);
    expect(await variablesOf(workflowID)).toEqual({ secret: null, kept: 1 });
  });

  it('finds a variable of any name, such as __proto__', async () => {
    const variables = JSON.parse(`{ "__proto__": "${MARKER}", "constructor": "${MARKER}" }`) as {
      [name: string]: Json;
    };
    const workflowID = await start(store, { variables });
    await commitStep(store, workflowID, 1, [...began, set(variables), { kind: 'INSTANCE_COMPLETED' }]);
    await redact(workflowID, '__proto__', 'constructor');
    expect(await tablesWith(store.database, MARKER)).toEqual([]);
    expect(JSON.stringify(await variablesOf(workflowID))).toBe('{"__proto__":null,"constructor":null}');
  });

  it('is refused while it runs, and where it does not exist', async () => {
    const workflowID = await start(store);
    expect(await redact(workflowID, 'secret')).toMatchObject({ code: 'CONFLICT' });
    expect(await redact('unknown', 'secret')).toMatchObject({ code: 'NOT_FOUND' });
    const elsewhere = { projectID: 'other', workflowID, variables: ['secret'] };
    expect(await redactInstance(store.database, elsewhere)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is refused beyond 1,000 names', async () => {
    const workflowID = await ended();
    const names = (first: number) => Array.from({ length: 600 }, (_, index) => `name-${first + index}`);
    await redact(workflowID, ...names(0));
    expect(await redact(workflowID, ...names(600))).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('would have 1200 redacted variables, but can have at most 1000'),
    });
  });

  it('by two requests at once redacts the names of both', async () => {
    const workflowID = await ended(80);
    expect(await Promise.all([redact(workflowID, 'secret'), redact(workflowID, 'kept')])).toEqual([
      { kind: 'done' },
      { kind: 'done' },
    ]);
    expect(await variablesOf(workflowID)).toEqual({ secret: null, kept: null });
    expect((await stateAt(store.database, workflowID)).state.elements[1]!.variables).toMatchObject({
      secret: null,
      kept: null,
    });
  });

  it('and erasing it at once leaves nothing to overwrite', async () => {
    for (let round = 0; round < 5; round += 1) {
      const workflowID = await ended(40);
      const erased = eraseInstance(store.database, { projectID, workflowID });
      const [redacted] = await Promise.all([redact(workflowID, 'secret'), erased]);
      expect(['done', 'refused']).toContain(redacted.kind);
      expect(await erased).toEqual({ kind: 'changed' });
      expect(await overwriteSome(store.database, workflowID)).toBe(false);
    }
  });
});

describe('a redaction whose process is killed', () => {
  const accept = (workflowID: string) =>
    store.database.transaction((transaction) =>
      acceptRedaction(transaction, { projectID, workflowID, variables: ['secret'] }),
    );
  const isDone = async (workflowID: string) =>
    (await rows(store.database, 'SELECT 1 FROM redacting_instances WHERE workflow_id = $1', [workflowID])).length === 0;

  it('before it has overwritten anything is finished by a worker', async () => {
    const workflowID = await ended(60);
    await accept(workflowID);
    const logger = createLogger('silent');
    const loop = startChores({ chores: [redactions({ store: store.database, logger })], logger });
    while (!(await isDone(workflowID)));
    await loop.stop();
    expect(await variablesOf(workflowID)).toEqual({ secret: null, kept: 1 });
  });

  it('is finished by a worker, although the redactions of 20 older instances fail', async () => {
    const workflowID = await ended(3);
    await store.database.query(
      `INSERT INTO redacting_instances (workflow_id, root_workflow_id, part, due_at)
       SELECT workflow_id, workflow_id, 'unknown part', now() - interval '1 day' FROM unnest($1::text[]) AS given(workflow_id)`,
      [await Promise.all(Array.from({ length: 20 }, () => ended(3)))],
    );
    await accept(workflowID);
    const logger = createLogger('silent');
    const loop = startChores({ chores: [redactions({ store: store.database, logger })], logger });
    await eventually('the redaction', async () => (await isDone(workflowID)) || undefined);
    await loop.stop();
    expect(await variablesOf(workflowID)).toEqual({ secret: null, kept: 1 });
  });

  it('in the middle of a page is finished by another process', async () => {
    const value = `${MARKER}-killed`;
    const workflowID = await ended(60, value);
    await accept(workflowID);
    await killedAt(store, ['SELECT 1 FROM jobs WHERE workflow_id = $1 FOR UPDATE', [workflowID]], (database) =>
      overwriteSome(database, workflowID),
    );
    expect(await isDone(workflowID)).toBe(false);
    expect(await redact(workflowID, 'secret')).toEqual({ kind: 'done' });
    expect(await tablesWith(store.database, value)).toEqual([]);
    expect(await isDone(workflowID)).toBe(true);
  });
});

describe('an erasure whose process is killed', () => {
  const lockRow = (table: string, workflowID: string): [string, unknown[]] => [
    `SELECT 1 FROM ${table} WHERE workflow_id = $1 FOR UPDATE`,
    [workflowID],
  ];

  it('before its commit has changed nothing, and after it is finished by another process', async () => {
    const value = `${MARKER}-erased`;
    const workflowID = await ended(60, value);
    const before = await tablesWith(store.database, value);
    const request = { projectID, workflowID };
    await killedAt(store, lockRow('jobs', workflowID), (database) => eraseInstance(database, request));
    expect(await tablesWith(store.database, value)).toEqual(before);
    expect(await variablesOf(workflowID)).toMatchObject({ kept: 1 });

    expect(await eraseInstance(store.database, request)).toEqual({ kind: 'changed' });
    expect(await variablesOf(workflowID)).toBeUndefined();
    await killedAt(store, lockRow('commands', workflowID), (database) => deleteBehindRemoved(database));
    expect(await tablesWith(store.database, value)).toEqual(['commands', 'steps']);
    while (await deleteBehindRemoved(store.database));
    expect(await tablesWith(store.database, value)).toEqual([]);
  });
});

it('an erasure whose instance is in the statistics does not wait for the fold of others', async () => {
  const workflowID = await ended(3);
  await foldAll(store);
  await store.database.transaction(async (transaction) => {
    await lockFold(transaction);
    expect(await eraseInstance(store.database, { projectID, workflowID })).toEqual({ kind: 'changed' });
  });
});

it('an id that is erased again in another project has its turns there', async () => {
  const workflowID = await ended(3);
  await store.database.query("INSERT INTO erased_instances (workflow_id, project_id) VALUES ($1, 'earlier')", [
    workflowID,
  ]);
  await eraseInstance(store.database, { projectID, workflowID });
  const owner = 'SELECT project_id AS value FROM erased_instances WHERE workflow_id = $1';
  expect(await valueOf(store, owner, [workflowID])).toBe(projectID);
});
