/** Finds instances and workflows that have diverged because one side was restored and the other was not. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { rows, type Database } from '../../../store/sql/database.js';
import { UnavailablePayload } from '../../../store/steps/stored-payloads.js';
import { runningInstances, type RunningInstance } from '../../../store/instances/instances.js';
import { PROCESS_INSTANCE } from '../../../workflows/messages.js';
import { findWorkflow } from '../verify/temporal-rules.js';

export interface DivergedInstance {
  workflowID: string;
  found: string;
  /** Whether Postgres has the instance, so that its workflow can be restarted from the rows. */
  hasRows: boolean;
}

export interface DivergedOptions {
  store: Database;
  client: Client;
  /** The task queue of the host: other workflows of the namespace are not Perdure's. */
  taskQueue: string;
  /**
   * A difference is checked again after this time, and counts if it has not changed: a workflow task has ten seconds.
   */
  settleMilliseconds: number;
}

const AT_ONCE = 10;
const PER_PAGE = 500;

/** Reads only. */
export async function findDiverged(
  options: DivergedOptions,
): Promise<{ checked: number; diverged: DivergedInstance[] }> {
  const first = await look(options);
  if (first.diverged.length === 0) return first;
  await delay(options.settleMilliseconds);
  const found = new Set(first.diverged.map(({ workflowID, found }) => `${workflowID} ${found}`));
  const second = await look(options);
  return {
    checked: second.checked,
    diverged: second.diverged.filter((diverged) => found.has(`${diverged.workflowID} ${diverged.found}`)),
  };
}

/** Every running instance, as if each had diverged, and the workflows without an instance. */
export async function takeAllAsDiverged(
  options: DivergedOptions,
): Promise<{ checked: number; diverged: DivergedInstance[] }> {
  const diverged: DivergedInstance[] = [];
  for await (const page of pagesOfInstances(options.store)) {
    diverged.push(
      ...page.map(({ workflowID, stepCount }): DivergedInstance => ({
        workflowID,
        found: `RUNNING, at step ${stepCount}`,
        hasRows: true,
      })),
    );
  }
  return { checked: diverged.length, diverged: [...diverged, ...(await findLeftovers(options))] };
}

async function look(options: DivergedOptions): Promise<{ checked: number; diverged: DivergedInstance[] }> {
  const diverged: DivergedInstance[] = [];
  let checked = 0;
  for await (const page of pagesOfInstances(options.store)) {
    checked += page.length;
    for (let first = 0; first < page.length; first += AT_ONCE) {
      const found = await Promise.all(
        page.slice(first, first + AT_ONCE).map((instance) => compare(options.client, instance)),
      );
      diverged.push(...found.filter((one) => one !== undefined));
    }
  }
  diverged.push(...(await findLeftovers(options)));
  return { checked, diverged };
}

async function* pagesOfInstances(store: Database): AsyncGenerator<RunningInstance[]> {
  for (let after = 0; ;) {
    const page = await runningInstances(store, { after, limit: PER_PAGE, olderThanMilliseconds: 0 });
    yield page;
    if (page.length < PER_PAGE) return;
    after = page.at(-1)!.number;
  }
}

async function compare(
  client: Client,
  { workflowID, stepCount, awaitsStart }: RunningInstance,
): Promise<DivergedInstance | undefined> {
  const diverged = (found: string): DivergedInstance => ({ workflowID, found, hasRows: true });
  const workflow = await findWorkflow(client, workflowID);
  // The outbox relay starts it.
  if (workflow === undefined && awaitsStart) return undefined;
  if (workflow === undefined) return diverged(`RUNNING, at step ${stepCount}; Temporal has no such workflow`);
  if (workflow.status === 'COMPLETED')
    return diverged(`RUNNING, at step ${stepCount}; its workflow has completed: the later steps are lost in Postgres`);
  // The reconciler records this, unless there are too many at once.
  if (workflow.status !== 'RUNNING')
    return diverged(
      `RUNNING, at step ${stepCount}; its workflow was closed from outside: Temporal reports ${workflow.status}`,
    );
  const steps = await workflow.countSteps().catch((error: unknown) => {
    if (error instanceof UnavailablePayload) return error;
    throw error;
  });
  if (steps instanceof UnavailablePayload) return diverged(`RUNNING, at step ${stepCount}; ${steps.message}`);
  const { count } = steps;
  if (count < stepCount) return diverged(`at step ${stepCount}, its workflow at ${count}: Temporal is older`);
  if (count > stepCount)
    return diverged(`at step ${stepCount}, its workflow at ${count}: the later steps are lost in Postgres`);
  return undefined;
}

/** Workflows that are running although their instance has ended or does not exist. */
async function findLeftovers({ store, client, taskQueue }: DivergedOptions): Promise<DivergedInstance[]> {
  const diverged: DivergedInstance[] = [];
  const query = `WorkflowType = '${PROCESS_INSTANCE}' AND ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue}'`;
  let page: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query, pageSize: PER_PAGE })) {
    page.push(workflowId);
    if (page.length < PER_PAGE) continue;
    diverged.push(...(await withoutRunningInstance(store, client, page)));
    page = [];
  }
  return [...diverged, ...(await withoutRunningInstance(store, client, page))];
}

async function withoutRunningInstance(
  store: Database,
  client: Client,
  workflowIDs: readonly string[],
): Promise<DivergedInstance[]> {
  const found = await rows<{ workflowID: string; status: string | null }>(
    store,
    'SELECT w.id AS "workflowID", i.status FROM unnest($1::text[]) w(id) LEFT JOIN instances i ON ' +
      `i.workflow_id = w.id WHERE i.status IS DISTINCT FROM 'RUNNING'`,
    [workflowIDs],
  );
  const diverged: DivergedInstance[] = [];
  for (const { workflowID, status } of found) {
    // Temporal's list can lag a little.
    if ((await findWorkflow(client, workflowID))?.status !== 'RUNNING') continue;
    if (status === null)
      diverged.push({
        workflowID,
        found: 'its workflow is running; Postgres has no such instance: its start is lost',
        hasRows: false,
      });
    else diverged.push({ workflowID, found: `${status}; its workflow is running: Temporal is older`, hasRows: true });
  }
  return diverged;
}
