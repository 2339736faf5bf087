/** Plays scripts of moving processes on a host, and reads how its instances ended. */
import { BpmnError, unwrap, workOnJobs, type Job, type PerdureClient, type Schemas } from '@perdure/client';
import { projectID, type ClientHost } from '../../../client/support/host.js';
import { eventually } from '../../../support/eventually.js';
import { modelsHere, type MovingProcess, type Step } from './processes.js';
import type { Ending } from './there.js';

type Wait = Schemas['BpmnInstanceWait'] & { of: string };

const header = { Prefer: 'wait=30' };
const JOBS_AT_ONCE = 5;

export class Here {
  readonly #client: PerdureClient;

  constructor(private readonly host: ClientHost) {
    this.#client = host.client('admin');
  }

  async deploy({ models, ...process }: MovingProcess): Promise<void> {
    for (const xml of modelsHere({ models, ...process })) await this.host.deploy(xml);
  }

  /** The instances that were imported as this one of Operaton. */
  async imported(id: string): Promise<Schemas['BpmnInstance'][]> {
    const query = { importedFrom: 'camunda7', importedFromID: id };
    const { data } = await unwrap<Schemas['BpmnInstancePaginatedResponse']>(
      this.#client.GET('/projects/{projectID}/bpmn/instances', { params: { path: { projectID }, query } }),
    );
    return data;
  }

  async erase(workflowID: string): Promise<void> {
    const path = { projectID, workflowID };
    await eventually(
      () => this.#instance(workflowID),
      ({ status }) => status === 'CANCELED',
    );
    await unwrap(
      this.#client.DELETE('/projects/{projectID}/bpmn/instances/{workflowID}/history', { params: { path } }),
    );
  }

  /** Job workers of a process, until the signal is aborted. They answer as its script says. */
  async work(process: MovingProcess, signal: AbortSignal): Promise<void> {
    const types = new Set(process.after.flatMap(({ do: what, at }) => (what === 'job' ? [at] : [])));
    const all = [...types, ...Object.keys(process.code ?? {})].map((taskType) =>
      workOnJobs(
        {
          client: this.#client,
          projectID,
          clientID: `${process.key}-${taskType}`,
          taskType,
          jobsAtOnce: JOBS_AT_ONCE,
          handler: async (job) => answerOf(process, taskType, job),
        },
        signal,
      ),
    );
    await Promise.all(all);
  }

  async signal(name: string): Promise<void> {
    const params = { path: { projectID }, header };
    await unwrap(
      this.#client.POST('/projects/{projectID}/bpmn/signals', { params, body: { signalName: name, ttl: 'PT0S' } }),
    );
  }

  /** Until no wait of a signal is left. */
  async untilHeard(workflowID: string, name: string): Promise<void> {
    await this.#until(workflowID, (waits) => waits.every(({ kind, name: its }) => kind !== 'signal' || its !== name));
  }

  /** Acts on what waits in the instance or in what it calls. */
  async act(workflowID: string, step: Step): Promise<void> {
    if (step.do === 'job') return this.#untilWorked(workflowID, step);
    if (step.do === 'set') return this.#set(workflowID, step.variables ?? {});
    const before = await this.#until(workflowID, () => true);
    const own = before.filter((wait) => isAt(wait, step)).slice(0, step.times);
    if (own.length === 0) return;
    for (const wait of own) await this.#acts[step.do](wait, step);
    const known = new Set(before.map(keyOf));
    // A listener that interrupts nothing listens again.
    await this.#until(
      workflowID,
      (waits) => waits.length !== before.length || waits.some((wait) => !known.has(keyOf(wait))),
    );
  }

  async ending(workflowID: string): Promise<Ending> {
    const params = { path: { projectID, workflowID }, query: { pageSize: 100 } };
    const { status } = await eventually(
      async () => ({ ...(await this.#instance(workflowID)), waits: await this.#waits(workflowID) }),
      (instance) => instance.status !== 'RUNNING',
    );
    const history = await unwrap<{ data: Schemas['BpmnActivityState'][] }>(
      this.#client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/history', { params }),
    );
    const { variables } = await unwrap(
      this.#client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/variables', {
        params: { path: params.path },
      }),
    );
    return {
      status,
      ends: history.data
        .filter((entry) => entry.nodeType === 'endEvent' && entry.status === 'Completed')
        .map(({ nodeID }) => nodeID)
        .toSorted(),
      variables,
    };
  }

  readonly #acts: Record<
    'task' | 'timer' | 'message' | 'incident' | 'signal',
    (wait: Wait, step: Step) => Promise<unknown>
  > = {
    task: ({ executionKey }, { variables = {} }) => {
      const params = { path: { projectID, executionKey: executionKey! }, header };
      return unwrap<unknown>(
        this.#client.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/complete', {
          params,
          body: { variables },
        }),
      );
    },
    timer: ({ of, timerID }) => {
      const params = { path: { projectID, workflowID: of, timerID: timerID! }, header };
      return unwrap<unknown>(
        this.#client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/timers/{timerID}/fire', { params }),
      );
    },
    message: ({ name, correlationKeys }) => {
      const body = { messageName: name!, correlationKeys: correlationKeys as string, ttl: 'PT0S' };
      return unwrap<unknown>(
        this.#client.POST('/projects/{projectID}/bpmn/messages', { params: { path: { projectID }, header }, body }),
      );
    },
    incident: async ({ of, incidentID }, { variables }) => {
      // Those of the request would belong to the node.
      if (variables) await this.#put(of, variables);
      const params = { path: { projectID, workflowID: of, incidentID: incidentID! }, header };
      await unwrap<unknown>(
        this.#client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/incidents/{incidentID}/resolve', {
          params,
          body: {},
        }),
      );
    },
    signal: () => Promise.reject(new Error('A signal reaches all instances')),
  };

  async #set(workflowID: string, variables: Record<string, unknown>): Promise<void> {
    await this.#until(workflowID, (waits) => waits.every(({ kind }) => kind !== 'job'));
    await this.#put(workflowID, variables);
  }

  async #put(workflowID: string, variables: Record<string, unknown>): Promise<void> {
    const params = { path: { projectID, workflowID }, header };
    await unwrap(
      this.#client.PUT('/projects/{projectID}/bpmn/instances/{workflowID}/variables', {
        params,
        body: { variables, reason: 'the script' },
      }),
    );
  }

  /** Workers do the jobs; one without attempts is given to them again. */
  async #untilWorked(workflowID: string, step: Step): Promise<void> {
    const isOpen = (wait: Wait) => wait.nodeID === step.at && ['job', 'incident'].includes(wait.kind);
    const waits = await this.#until(workflowID, () => true);
    for (const wait of waits)
      if (isOpen(wait) && wait.kind === 'incident') await this.#acts.incident(wait, { do: 'incident', at: step.at });
    await this.#until(workflowID, (later) => !later.some(isOpen));
  }

  #until(workflowID: string, isReached: (waits: Wait[]) => boolean): Promise<Wait[]> {
    return eventually(
      () => this.#waits(workflowID),
      (waits) => waits !== undefined && isReached(waits),
    ) as Promise<Wait[]>;
  }

  /** Of the instance and what it calls; undefined while one of them begins or its caller has not heard of its end. */
  async #waits(workflowID: string): Promise<Wait[] | undefined> {
    const params = { path: { projectID, workflowID }, query: { pageSize: 100 } };
    const { data } = await unwrap<Schemas['BpmnInstanceWaitPaginatedResponse']>(
      this.#client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/waits', { params }),
    );
    const all: Wait[] = data.map((wait) => ({ ...wait, of: workflowID }));
    if (all.some(({ kind }) => kind === 'begin')) return undefined;
    for (const { kind, workflowID: called } of data) {
      if (kind !== 'call') continue;
      const below = await this.#waits(called!).catch(() => undefined);
      if (below === undefined || below.length === 0) return undefined;
      all.push(...below);
    }
    return all;
  }

  async #instance(workflowID: string): Promise<{ status: string }> {
    const params = { path: { projectID, workflowID } };
    return unwrap<{ status: string }>(
      this.#client.GET('/projects/{projectID}/bpmn/instances/{workflowID}', { params }),
    );
  }
}

const KINDS = { task: 'userTask', timer: 'timer', message: 'message', signal: 'signal', incident: 'incident' } as const;

function isAt({ kind, nodeID, name }: Wait, { do: what, at }: Step): boolean {
  if (what === 'job' || what === 'set' || kind !== KINDS[what]) return false;
  return what === 'message' || what === 'signal' ? name === at : nodeID === at;
}

function keyOf({ of, kind, nodeID, scopeID, since, executionKey }: Wait): string {
  return JSON.stringify([of, kind, nodeID, scopeID, since, executionKey]);
}

/** @throws BpmnError if the script has one for the instance */
function answerOf({ after, code = {} }: MovingProcess, type: string, { variables = {} }: Job): Record<string, unknown> {
  const own = code[type];
  if (own) return own(variables);
  const number = Number(String(variables['orderID']).split('-').at(-1));
  const step = after.find(({ do: what, at, of }) => what === 'job' && at === type && (of?.(number) ?? true));
  if (step?.errorCode !== undefined) throw new BpmnError(step.errorCode, 'by the script');
  return { ...step?.variables };
}
