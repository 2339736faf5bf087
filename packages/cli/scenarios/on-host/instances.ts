/** The instances of a scenario, as the host shows them. */
import { ApiError, unwrap, type Schemas } from '@perdure/client';
import { StepFailed, type Observation } from '@perdure/testkit';
import type { Host } from '../../host.js';
import { completedNodes } from './completed-nodes.js';

type State = Schemas['BpmnInstanceState'];
export type Wait = Schemas['BpmnInstanceWait'];

/** A model can call without end. */
const MAX_INSTANCES = 1_000;
const PAGE_SIZE = 100;

export interface HostInstance {
  readonly state: State;
  readonly waits: readonly Wait[];
  /** The call activity that waits for it; absent for the first instance. */
  readonly call?: string;
}

interface Page<Row> {
  data: Row[];
  pagination: { totalPages: number };
}

/**
 * The instance and all those that it waits for, directly or not: oldest call first.
 *
 * @returns undefined while the host has something to do for one of them: start it, evaluate a decision, or hand a result to
 * its caller
 */
export async function readInstances(host: Host, workflowID: string): Promise<HostInstance[] | undefined> {
  const found = [await readInstance(host, workflowID)];
  for (const instance of found) {
    if (isBusy(instance)) return undefined;
    for (const { kind, nodeID, workflowID: called } of instance.waits) {
      if (kind !== 'call' || called === undefined || nodeID === undefined) continue;
      if (found.length === MAX_INSTANCES) throw new StepFailed(`the model calls more than ${MAX_INSTANCES} instances`);
      const read = await readInstance(host, called).catch(ifRefused);
      if (!read) return undefined;
      found.push({ ...read, call: nodeID });
    }
  }
  return found;
}

function isBusy({ state, waits, call }: HostInstance): boolean {
  const hasEnded = call !== undefined && state.status !== 'RUNNING';
  return hasEnded || waits.some(({ kind }) => kind === 'begin' || kind === 'decision');
}

/** A call that the host refuses names an instance that it never starts; its incident follows. */
function ifRefused(error: unknown): undefined {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

export async function observe(host: Host, instances: readonly HostInstance[]): Promise<Observation> {
  const incidents = instances.flatMap(({ state }) => state.incidents);
  const [root] = instances;
  return {
    ...(root && { root: await observeRoot(host, root) }),
    incidents: incidents.map(({ nodeID, errorType, errorMessage }) => ({
      node: nodeID,
      errorType,
      message: errorMessage,
    })),
  };
}

async function observeRoot(host: Host, { state }: HostInstance): Promise<NonNullable<Observation['root']>> {
  const { workflowID, status, failureReason, activeScopes, variables } = state;
  const path = { projectID: host.projectID, workflowID };
  const history = await allPages((page) =>
    unwrap<Page<Schemas['BpmnActivityState']>>(
      host.client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/history', {
        params: { path, query: { page, pageSize: PAGE_SIZE } },
      }),
    ),
  );
  return {
    status,
    ...(failureReason !== undefined && { failureReason }),
    active: activeScopes.flatMap(({ activeNodes }) => Object.keys(activeNodes)),
    completed: completedNodes(history),
    variables: variables as NonNullable<Observation['root']>['variables'],
  };
}

async function readInstance(host: Host, workflowID: string): Promise<HostInstance> {
  const path = { projectID: host.projectID, workflowID };
  const state = await unwrap<State>(
    host.client.GET('/projects/{projectID}/bpmn/instances/{workflowID}', { params: { path } }),
  );
  const waits = await allPages((page) =>
    unwrap<Page<Wait>>(
      host.client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/waits', {
        params: { path, query: { page, pageSize: PAGE_SIZE } },
      }),
    ),
  );
  return { state, waits };
}

async function allPages<Row>(read: (page: number) => Promise<Page<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await read(page);
    rows.push(...data);
    if (page >= pagination.totalPages) return rows;
  }
}
