/** Imports next to starts, ends, suspensions, and changes of settings of the same process. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { writeImport, type ImportOutcome } from '../../store/imports/import.js';
import { encodeInstance } from '../../store/imports/instance.js';
import { readViolations, violationsSince } from '../../store/processes/violations.js';
import { resumeDefinition, suspendDefinition } from '../../store/suspension/definitions.js';
import { untilBlocked } from './support/blocked.js';
import { deployControlled, set } from './support/controlled.js';
import { began, commitStep, deploy, projectID, start, useStore, valueOf } from './support/store.js';

const store = useStore();

const holders = new Set<pg.PoolClient>();
afterEach(async () => void (await Promise.all([...holders].map(letGo))));

/** Something outside that holds what its statement locks. */
async function holding(statement: string, values: unknown[]): Promise<pg.PoolClient> {
  const holder = await store.pool.connect();
  holders.add(holder);
  await holder.query('BEGIN');
  await holder.query(statement, values);
  return holder;
}

async function letGo(holder: pg.PoolClient): Promise<void> {
  holders.delete(holder);
  await holder.query('ROLLBACK');
  holder.release();
}

interface Process {
  processID: string;
  definitionID: string;
}

interface Given {
  businessID?: string;
  dryRun?: boolean;
  workflowID?: string;
}

/** Of one instance. */
function importInto({ processID, definitionID }: Process, given: Given = {}): Promise<ImportOutcome> {
  const { businessID, dryRun = false, workflowID = randomUUID() } = given;
  const source = { system: 'old', id: randomUUID() };
  const fact = { kind: 'INSTANCE_IMPORTED' as const, source, facts: began };
  const instance = { workflowID, definitionID, source, depth: 0, variables: {}, fact, activeNodes: [], taskTimes: [] };
  return writeImport(store.database, {
    projectID,
    root: { workflowID, processID, businessID, source },
    definitionIDs: [definitionID],
    instances: [encodeInstance({ ...instance, comments: [] })],
    now: Date.now(),
    flags: [],
    importedBy: 'eda',
    dryRun,
    audit: undefined,
  });
}

/** An import that has come to the end of its tree, where something outside holds it up. */
async function heldUp(process: Process, given: Given = {}) {
  const workflowID = randomUUID();
  const holder = await holding(
    "INSERT INTO instance_starts (workflow_id, project_id, input, deliver_at) VALUES ($1, $2, '{}', 'infinity')",
    [workflowID, projectID],
  );
  const outcome = importInto(process, { ...given, workflowID });
  await untilBlocked(store);
  return {
    workflowID,
    async release(): Promise<ImportOutcome> {
      await letGo(holder);
      return outcome;
    },
  };
}

const runningIn = ({ processID }: Process) =>
  valueOf<number | null>(
    store,
    'SELECT (SELECT running FROM concurrency_groups WHERE project_id = $1 AND process_id = $2) AS value',
    [projectID, processID],
  );
const exists = (workflowID: string) =>
  valueOf<boolean>(store, 'SELECT EXISTS (SELECT FROM instances WHERE workflow_id = $1) AS value', [workflowID]);

async function deployed(): Promise<Process> {
  const processID = `process-${randomUUID()}`;
  return { processID, ...(await deploy(store, processID)) };
}

describe('while an import writes its tree', () => {
  it('instances of the process start and end, and the import takes its place at its end', async () => {
    const process = await deployControlled(store, { concurrentInstances: 10 });
    const older = await start(store, process);
    await start(store, process);
    const { release } = await heldUp(process);
    await start(store, process);
    await commitStep(store, older, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
    expect(await runningIn(process)).toBe(2);
    expect(await release()).toEqual({ kind: 'imported' });
    expect(await runningIn(process)).toBe(3);
  });

  it('a suspension of its process takes effect, and the import is refused', async () => {
    const process = await deployed();
    const { release, workflowID } = await heldUp(process);
    await suspendDefinition(store.database, { projectID, definitionID: process.definitionID, actor: 'eda' });
    expect(await release()).toMatchObject({ kind: 'refused', code: 'DEFINITION_SUSPENDED' });
    expect(await exists(workflowID)).toBe(false);
  });

  it('a suspension that is lifted again does not keep it from its end', async () => {
    const process = await deployed();
    const { release, workflowID } = await heldUp(process);
    const request = { projectID, definitionID: process.definitionID, actor: 'eda' };
    await suspendDefinition(store.database, request);
    await resumeDefinition(store.database, request);
    expect(await release()).toEqual({ kind: 'imported' });
    expect(await exists(workflowID)).toBe(true);
  });

  it('a business id that another instance takes under a new rule is refused', async () => {
    const process = await deployed();
    const { release, workflowID } = await heldUp(process, { businessID: 'order-1' });
    await set(store, process.processID, { uniqueBusinessID: 'RUNNING' });
    await start(store, { ...process, businessID: 'order-1' });
    expect(await release()).toMatchObject({ kind: 'refused', code: 'BUSINESS_ID_TAKEN' });
    expect(await exists(workflowID)).toBe(false);
  });

  it('a new rule of uniqueness that has read the instances before finds the imported one', async () => {
    const process = await deployed();
    await start(store, { ...process, businessID: 'order-2' });
    const { release } = await heldUp(process, { businessID: 'order-2' });
    await start(store, process);
    const read = await readViolations(store.database, { projectID, ...process }, 'RUNNING');
    expect(read.businessIDs).toEqual([]);
    expect(await release()).toEqual({ kind: 'imported' });
    const found = await store.database.transaction((transaction) =>
      violationsSince(transaction, { projectID, ...process }, 'RUNNING', read),
    );
    expect(found).toEqual(['order-2']);
  });
});

it('an import holds its business id under the rule of the process', async () => {
  const process = await deployControlled(store, { uniqueBusinessID: 'RUNNING' });
  expect(await importInto(process, { businessID: 'order-3' })).toEqual({ kind: 'imported' });
  expect(await importInto(process, { businessID: 'order-3' })).toMatchObject({ code: 'BUSINESS_ID_TAKEN' });
});

it('a dry run does not wait for the places of its process', async () => {
  const process = await deployControlled(store, { concurrentInstances: 10 });
  await start(store, process);
  await holding('SELECT FROM concurrency_groups WHERE process_id = $1 FOR UPDATE', [process.processID]);
  expect(await importInto(process, { dryRun: true })).toEqual({ kind: 'imported' });
  expect(await runningIn(process)).toBe(1);
});
