/** The cost of pausing a definition with many instances: the pause itself, polls that skip its jobs, and the resume. */
import { randomUUID } from 'node:crypto';
import { deleteWokenWaiters, waitersToWake } from '../../store/steps/pause-waiters.js';
import { listInstances } from '../../store/instances/lists.js';
import { MAX_COUNTED } from '../../store/sql/page.js';
import { pollJobs } from '../../store/work/job-queue.js';
import { writeStepCommit } from '../../store/steps/step-commit.js';
import { resumeDefinition, suspendDefinition } from '../../store/suspension/definitions.js';
import { withDatabase } from './dedicated-database.js';
import { quantile } from '../statistics.js';
import type { Database } from '../../store/sql/database.js';

export interface SuspensionFigures {
  instances: number;
  /** From the request to the commit. */
  suspendMs: number;
  /** From the request until a poll leases nothing of it and a step commit of it is refused. */
  inForceMs: number;
  /** Taking one job, p95: when every job can be leased, and when all but a few belong to what is paused. */
  pollP95Ms: { running: number; paused: number };
  /** First page of `suspended=true`, with its total. */
  listMs: number;
  resumeMs: number;
  /** Held instances that the outbox relay takes to tell them, without Temporal. */
  releasedPerSecond: number;
}

const PROJECT = 'bench';
const POLLS = 200;
const WAKES_AT_ONCE = 100;

/** @param instances of the definition that is paused, written by SQL, with one open job each */
export async function measureSuspension(instances: number): Promise<SuspensionFigures> {
  return withDatabase('suspension', (database) => measure(database, instances));
}

async function measure(database: Database, instances: number): Promise<SuspensionFigures> {
  await database.query('INSERT INTO projects (id, name) VALUES ($1, $1)', [PROJECT]);
  const definitionID = await seedDefinition(database, 'paused');
  const [workflowID] = await seedInstances(database, definitionID, instances);
  await seedInstances(database, await seedDefinition(database, 'running'), POLLS);
  await database.query('VACUUM ANALYZE');
  const running = await pollP95(database);
  const request = { projectID: PROJECT, definitionID, actor: 'bench' };

  const begin = performance.now();
  await suspendDefinition(database, request);
  const suspendMs = performance.now() - begin;
  const { answer } = await writeStepCommit(database, {
    workflowID: workflowID!,
    number: 1,
    inputs: { now: Date.now(), lastCommand: 0 },
    facts: [],
    outcomes: [],
  });
  const [handedOut] = await poll(database);
  const inForceMs = performance.now() - begin;
  if (answer.kind !== 'paused' || handedOut === undefined)
    throw new Error(`The pause is not in force: a step commit was ${answer.kind}`);

  const paused = await pollP95(database, handedOut.workflowID);
  const listMs = await timed(async () => {
    const { total } = await listInstances(database, PROJECT, { suspended: true }, { page: 1, pageSize: 20 });
    // More than are counted are an estimate.
    if (total < Math.min(instances, MAX_COUNTED))
      throw new Error(`${total} instances are listed as paused, expected ${instances}`);
  });
  await database.query(
    'INSERT INTO pause_waiters (workflow_id, blocked_by) SELECT workflow_id, $1 FROM instances WHERE definition_id = $2 ON CONFLICT DO NOTHING',
    [definitionID, definitionID],
  );
  const resumeMs = await timed(() => resumeDefinition(database, request));
  const seconds = (await timed(() => releaseAll(database))) / 1000;
  return {
    instances,
    suspendMs,
    inForceMs,
    pollP95Ms: { running, paused },
    listMs,
    resumeMs,
    releasedPerSecond: instances / seconds,
  };
}

async function seedDefinition(database: Database, processID: string): Promise<string> {
  await database.query("INSERT INTO graphs (sha256, graph) VALUES ('bench', '{}') ON CONFLICT DO NOTHING");
  const { rows } = await database.query<{ id: string }>(
    `WITH resource AS (INSERT INTO resources (project_id, name, xml, definitions_id, created_by) VALUES ($1, $2, '', $2, 'bench') RETURNING id)
     INSERT INTO definitions (project_id, resource_id, process_id, version, graph_sha256, compiler_version) SELECT $1, id, $2, 1, 'bench', 1 FROM resource RETURNING id`,
    [PROJECT, processID],
  );
  return rows[0]!.id;
}

async function seedInstances(database: Database, definitionID: string, count: number): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `WITH made AS (
       INSERT INTO instances (workflow_id, root_workflow_id, project_id, definition_id, variables)
       SELECT id, id, $1, $2, '{}' FROM (SELECT $4 || n AS id FROM generate_series(1, $3::int) AS n) AS ids RETURNING workflow_id
     ), jobs AS (
       INSERT INTO jobs (workflow_id, number, project_id, definition_path, element, node_id, task_type, retries, created_at, available_at)
       SELECT workflow_id, 3, $1, ARRAY[$2::uuid], 2, 'work', 'work', 3, now(), now() FROM made
     )
     SELECT workflow_id AS id FROM made LIMIT 1`,
    [PROJECT, definitionID, count, `${randomUUID()}-`],
  );
  return rows.map(({ id }) => id);
}

function poll(database: Database) {
  return pollJobs(database, {
    projectID: PROJECT,

    clientID: 'bench',
    types: [{ taskType: 'work', lockDurationMilliseconds: 3_600_000 }],
    maxJobs: 1,
  });
}

/** @param like every job taken must belong to the definition of this instance */
async function pollP95(database: Database, like?: string): Promise<number> {
  const times: number[] = [];
  for (let count = 1; count < POLLS; count += 1) {
    const begin = performance.now();
    const [job] = await poll(database);
    times.push(performance.now() - begin);
    if (job === undefined || (like !== undefined && job.workflowID.slice(0, 36) !== like.slice(0, 36)))
      throw new Error('A poll took no job, or one of what is paused');
  }
  return quantile(times, 0.95);
}

async function releaseAll(database: Database): Promise<void> {
  for (
    let page = await waitersToWake(database, WAKES_AT_ONCE);
    page.length > 0;
    page = await waitersToWake(database, WAKES_AT_ONCE)
  )
    await deleteWokenWaiters(database, page);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
