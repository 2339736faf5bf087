/** A separate database with a deployed process, and short ways to write what the tests are about. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Pool } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { CommandBody } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { StepCommit, CommitResult } from '@perdure/engine/contract/step-commit.js';
import { submitCommand, type Submitted } from '../../../store/instances/submit-command.js';
import { PooledDatabase } from '../../../store/connections/pooled-database.js';
import { rows } from '../../../store/sql/database.js';
import { definitionsOfResource } from '../../../store/definitions/definitions.js';
import { executionKey } from '../../../store/sql/ids.js';
import { listJobs } from '../../../store/work/job-lists.js';
import type { Job } from '../../../store/work/jobs.js';
import { writeStepCommit } from '../../../store/steps/step-commit.js';
import { ensureProject } from '../../../store/projects/projects.js';
import { StoreClient } from '../../../store/sql/store-client.js';
import { createResource, deployResource } from '../../../store/definitions/resources.js';
import { startInstance } from '../../../store/instances/start.js';
import { findUnfolded, foldNext } from '../../../store/statistics/fold.js';
import { createDatabase, type TestDatabase } from '../../support/infrastructure.js';

export const projectID = 'shop';

export interface TestStore {
  /** The driver's pool, for connections that a test holds. */
  pool: Pool;
  /** The arguments of functions of the store. */
  database: PooledDatabase;
  databaseUrl: string;
}

/** Opens a store for all tests of a file; use it inside tests and hooks only. */
export function useStore(): TestStore {
  const store = {} as TestStore;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
    store.databaseUrl = database.url;
    store.pool = new pg.Pool({ connectionString: database.url, max: 60, Client: StoreClient });
    // Dropping the database cuts connections that are still saying goodbye after the pool has ended.
    store.pool.on('error', () => undefined);
    store.database = new PooledDatabase(store.pool);
    await ensureProject(store.database, projectID);
  });
  afterAll(async () => {
    await store.pool?.end();
    await database?.drop();
  });
  return store;
}

/** A graph that is only stored, never run. */
export function graphOf(processID: string): Graph {
  const node = { incoming: [], outgoing: [] };
  return {
    format: 1,
    processID,
    nodes: [
      { kind: 'process', id: processID, ...node },
      { kind: 'startEvent', id: 'begin', parent: processID, triggers: [], interrupting: false, ...node },
    ],
    flows: [],
  };
}

export interface Deployment {
  resourceID: string;
  definitionID: string;
}

/** Deploys one process; each call makes a new version. */
export async function deploy(
  { database }: TestStore,
  processID = `process-${randomUUID()}`,
  {
    project = projectID,
    versionTag,
    graph = graphOf(processID),
  }: { project?: string; versionTag?: string; graph?: Graph } = {},
): Promise<Deployment> {
  await ensureProject(database, project);
  const xml = `<definitions id="${processID}"/>`;
  const { resourceID } = await createResource(
    database,
    project,
    { name: processID, xml, definitionsID: processID },
    'eda',
  );
  const processes = [{ processID, versionTag, graph, sha256: randomUUID(), compilerVersion: 1 }];
  await deployResource(database, { projectID: project, resourceID, xml, deployedBy: 'eda', processes });
  const [definition] = await definitionsOfResource(database, project, resourceID);
  return { resourceID, definitionID: definition!.definitionID };
}

export interface StartOptions {
  project?: string;
  definitionID?: string;
  variables?: Variables;
  businessID?: string;
}

/** Starts an instance, by default of a separate process. */
export async function start(store: TestStore, options: StartOptions = {}): Promise<string> {
  const { project = projectID, variables = {}, businessID } = options;
  const definitionID = options.definitionID ?? (await deploy(store, undefined, { project })).definitionID;
  const workflowID = randomUUID();
  const started = await startInstance(store.database, {
    projectID: project,
    definitionID,
    workflowID,
    variables,
    businessID,
    startedBy: 'eda',
  });
  if (started.kind !== 'started') throw new Error(started.message);
  return workflowID;
}

/** Commits step `number` with these facts. */
export async function commitStep(
  store: TestStore,
  workflowID: string,
  number: number,
  facts: Fact[],
  rest: Partial<StepCommit> = {},
): Promise<CommitResult> {
  const { answer } = await writeStepCommit(store.database, {
    workflowID,
    number,
    inputs: { now: 1_000_000 + number, lastCommand: 0 },
    facts,
    outcomes: [],
    ...rest,
  });
  return answer;
}

/** Gives a command that nothing refuses. */
export async function submit(
  store: TestStore,
  workflowID: string,
  body: CommandBody,
  awaited = false,
): Promise<Submitted> {
  const written = await submitCommand(store.database, { workflowID, projectID, body, awaited });
  if (written.kind === 'refused') throw new Error(written.message);
  return written;
}

export const began: Fact[] = [
  { kind: 'INSTANCE_STARTED' },
  { kind: 'ELEMENT_ACTIVATED', element: 1, node: 'process', scope: 0 },
];

/** Facts of a service task as element `element` with the job after it. */
export function jobCreated(
  element = 2,
  taskType = 'pack',
  more: {
    localVariables?: Variables;
    retries?: number;
    priority?: number;
    limitKey?: string | number | boolean;
  } = {},
): Fact[] {
  return [
    { kind: 'ELEMENT_ACTIVATED', element, node: 'task', scope: 1 },
    { kind: 'JOB_CREATED', job: element + 1, element, node: 'task', taskType, retries: 3, ...more },
  ];
}

/** An instance that waits for one job: number 3, element 2. */
export async function startWithJob(
  store: TestStore,
  taskType: string,
  options: StartOptions & { retries?: number; localVariables?: Variables } = {},
): Promise<string> {
  const { retries = 3, localVariables, ...rest } = options;
  const workflowID = await start(store, rest);
  await commitStep(store, workflowID, 1, [
    ...began,
    ...jobCreated(2, taskType, { retries, ...(localVariables && { localVariables }) }),
  ]);
  return workflowID;
}

/** Brings the statistics up to date; retention does not remove an instance before. */
export async function foldAll({ database }: Pick<TestStore, 'database'>): Promise<void> {
  await database.query("UPDATE statistics_progress SET checked_through = '', checked_at = 'epoch'");
  while ((await findUnfolded(database)) === 'more');
  while ((await foldNext(database)).hasMore);
}

/** A job by instance and number. */
export async function jobOf({ database }: TestStore, workflowID: string, number: number): Promise<Job | undefined> {
  const { data } = await listJobs(database, projectID, { workflowID }, { page: 1, pageSize: 100 });
  return data.find((job) => job.executionKey === executionKey(workflowID, number));
}

/** The only value of the only row. */
export async function valueOf<T>({ database }: TestStore, text: string, values: unknown[] = []): Promise<T> {
  const [row] = await rows<{ value: T }>(database, text, values);
  if (!row) throw new Error(`No row for ${text}`);
  return row.value;
}
