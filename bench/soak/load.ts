/**
 * Arrivals at a fixed rate, whatever the host does in the meantime (an open loop): what is answered late counts as late from
 * the moment at which it should have begun.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { unwrap, workOnJobs, type PerdureClient } from '@perdure/client';
import { errorMessage } from '@perdure/lib/error-message.js';
import { JOB_TYPE, MESSAGE_NAME, mix, models, type Shape, type SoakVariables } from './models.js';

const PROJECT = 'demo';
const JOBS_AT_ONCE = 20;
const BETWEEN_LOOPS_MS = 5 * 60_000;
/** A list costs more than one instance, and is asked for less often. */
const READS_PER_LIST = 10;

export interface LoadOptions {
  /** One for each API; callers take turns. */
  clients: readonly PerdureClient[];
  perSecond: number;
}

/** Results that callers saw since the last call of this function; latencies in milliseconds from when the call should have begun. */
export interface Seen {
  offered: number;
  startMs: number[];
  readMs: number[];
  /** Messages of calls that failed. */
  errors: string[];
}

export class Load {
  readonly #options: LoadOptions;
  readonly #definitions: Record<Shape | 'loop', string>;
  readonly #stopping = new AbortController();
  readonly #underway = new Set<Promise<void>>();
  #seen = nothing();
  #newest: string | undefined;
  #loop: string | undefined;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(options: LoadOptions, definitions: Record<Shape | 'loop', string>) {
    this.#options = options;
    this.#definitions = definitions;
  }

  /** Deploys the models and begins. */
  static async begin(options: LoadOptions): Promise<Load> {
    const definitions: Record<string, string> = {};
    for (const [shape, xml] of Object.entries(models))
      definitions[shape] = await deploy(options.clients[0]!, shape, xml);
    const load = new Load(options, definitions as Record<Shape | 'loop', string>);
    const { signal } = load.#stopping;
    load.#running = Promise.all([
      ...options.clients.map((client) => work(client, signal)),
      load.#arrive(),
      load.#keepLooping(),
    ]);
    return load;
  }

  /** The newest of the instances that go round. */
  get loop(): string | undefined {
    return this.#loop;
  }

  take(): Seen {
    const seen = this.#seen;
    this.#seen = nothing();
    return seen;
  }

  /** No more arrivals; returns when every call has its answer. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await Promise.all(this.#underway);
  }

  async #arrive(): Promise<void> {
    const begin = Date.now();
    for (let number = 0; ; number += 1) {
      const scheduledAt = begin + (number * 1000) / this.#options.perSecond;
      await this.#until(scheduledAt);
      if (this.#stopping.signal.aborted) return;
      this.#call(() => this.#start(number, scheduledAt));
      this.#call(() => this.#read(number, scheduledAt));
    }
  }

  async #keepLooping(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const next = Date.now() + BETWEEN_LOOPS_MS;
      this.#call(async () => {
        this.#loop = await start(this.#clientOf(0), this.#definitions.loop, { turns: 0 });
      });
      await this.#until(next);
    }
  }

  async #start(number: number, scheduledAt: number): Promise<void> {
    this.#seen.offered += 1;
    const shape = mix[number % mix.length]!;
    const client = this.#clientOf(number);
    const variables: SoakVariables = { key: randomUUID(), scheduledAt };
    const workflowID = await start(client, this.#definitions[shape], { ...variables });
    this.#seen.startMs.push(Date.now() - scheduledAt);
    this.#newest = workflowID;
    if (shape === 'message') {
      const body = { messageName: MESSAGE_NAME, correlationKeys: variables.key, variables: {} };
      await unwrap(
        client.POST('/projects/{projectID}/bpmn/messages', { params: { path: { projectID: PROJECT } }, body }),
      );
    }
  }

  async #read(number: number, scheduledAt: number): Promise<void> {
    const [client, workflowID] = [this.#clientOf(number + 1), this.#newest];
    if (workflowID === undefined) return;
    if (number % READS_PER_LIST === 0) {
      const query = { page: 1, pageSize: 20 };
      await unwrap(
        client.GET('/projects/{projectID}/bpmn/instances', { params: { path: { projectID: PROJECT }, query } }),
      );
    } else {
      await unwrap(
        client.GET('/projects/{projectID}/bpmn/instances/{workflowID}', {
          params: { path: { projectID: PROJECT, workflowID } },
        }),
      );
    }
    this.#seen.readMs.push(Date.now() - scheduledAt);
  }

  #clientOf(number: number): PerdureClient {
    const { clients } = this.#options;
    return clients[number % clients.length]!;
  }

  /** Not awaited: the next arrival comes at its own time. */
  #call(work: () => Promise<void>): void {
    const call = work()
      .catch((error: unknown) => void this.#seen.errors.push(errorMessage(error)))
      .finally(() => this.#underway.delete(call));
    this.#underway.add(call);
  }

  async #until(time: number): Promise<void> {
    const left = time - Date.now();
    if (left > 0) await pause(left, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

function nothing(): Seen {
  return { offered: 0, startMs: [], readMs: [], errors: [] };
}

async function deploy(client: PerdureClient, name: string, xml: string): Promise<string> {
  const { id: resourceID } = await unwrap(
    client.POST('/projects/{projectID}/bpmn/resources', {
      params: { path: { projectID: PROJECT } },
      body: { name, xml },
    }),
  );
  const params = { path: { projectID: PROJECT, resourceID } };
  await unwrap(client.POST('/projects/{projectID}/bpmn/resources/{resourceID}/deploy', { params }));
  const { processes = [] } = await unwrap(client.GET('/projects/{projectID}/bpmn/resources/{resourceID}', { params }));
  return processes[0]!.id;
}

async function start(
  client: PerdureClient,
  processDefinitionID: string,
  variables: { [name: string]: unknown },
): Promise<string> {
  const body = { processDefinitionID, variables };
  const { workflowID } = await unwrap(
    client.POST('/projects/{projectID}/bpmn/instances', { params: { path: { projectID: PROJECT } }, body }),
  );
  return workflowID;
}

async function work(client: PerdureClient, signal: AbortSignal): Promise<void> {
  await workOnJobs(
    {
      client,
      projectID: PROJECT,
      clientID: randomUUID(),
      taskType: JOB_TYPE,
      jobsAtOnce: JOBS_AT_ONCE,
      handler: async () => ({}),
    },
    signal,
  );
}
