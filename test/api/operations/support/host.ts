/** A whole host in the test's process: the API over its own database, and a worker that runs its instances. */
import type { History } from '@temporalio/common/lib/proto-utils.js';
import type { Client } from '@temporalio/client';
import type { Lingers } from '../../../../hot-instances/lingers.js';
import type { ProjectRole } from '../../../../api/contract/roles.js';
import { createInstanceGateway } from '../../../../host/instance-gateway.js';
import { createEgress } from '../../../../outbound/egress/egress.js';
import { parseEgressEntry } from '../../../../outbound/egress/entry.js';
import { createSecrets } from '../../../../outbound/secrets/secrets.js';
import { openLingers } from '../../../../hot-instances/open-lingers.js';
import { batchRunner } from '../../../../worker/chores/batches.js';
import { eventFeed } from '../../../../worker/chores/event-feed.js';
import { startChores } from '../../../../background/driver.js';
import { outboxRelay } from '../../../../worker/outbox-relay.js';
import { redactions } from '../../../../worker/erasure/redactions.js';
import { scheduledSuspensions } from '../../../../worker/schedules/scheduled-suspensions.js';
import { schedules } from '../../../../worker/schedules/schedules.js';
import { startInstanceWorker, type InstanceWorker } from '../../../../worker/temporal-worker.js';
import type { InstanceGateway } from '../../../../store/instances/start.js';
import { openDatabase } from '../../../support/database.js';
import { openHostServices, silent, type HostServices } from '../../../support/host-services.js';
import { expectReplays } from '../../../support/replays.js';
import { workflowThread } from '../../../support/workflow-thread.js';
import { workflowBundle } from '../../../support/workflow-bundle.js';
import { startTestApi, type RequestOptions, type TestApi } from '../../support/api.js';
import type { Notifications } from '../../../../store/notifications.js';
import type { PooledDatabase } from '../../../../store/connections/pooled-database.js';
import type { Database } from '../../../../store/sql/database.js';

/** The project that most tests work in. */
export const project = 'p1';

export interface TestHost {
  readonly api: TestApi;
  readonly store: PooledDatabase;
  readonly notifications: Notifications;
  readonly databaseUrl: string;
  readonly client: Client;
  /** A token with this role in `p1`; the subject is the role by default. */
  token(role: ProjectRole, claims?: Record<string, unknown>): Promise<string>;
  /** Sends a request to a path under `/projects/p1` as a member with the role and reads the JSON. */
  call(role: ProjectRole, method: string, path: string, options?: Omit<RequestOptions, 'token'>): Promise<Called>;
  /** Takes the worker away: what is asked for waits. */
  stopWorker(): Promise<void>;
  startWorker(): Promise<void>;
  /** Temporal's history of an instance. */
  historyOf(workflowID: string): Promise<History>;
  /** Replays the histories of the instances that did most; throws where this build goes another way than it went. */
  replayLongest(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface Called {
  readonly status: number;
  /** Tests look into bodies of every shape. */
  readonly body: any;
  readonly headers: Headers;
}

/** Egress rules of the projects. */
const outbound = {
  egress: createEgress([parseEgressEntry('events.example.com')!]),
  secrets: createSecrets(
    undefined,
    Object.fromEntries(
      [project, 'p2'].map((id) => [
        id,
        {
          EVENTS: { values: [Buffer.from('signs all events of the project').toString('base64')], hosts: [] },
          PASSWORD: { values: ['easy to guess'], hosts: [] },
        },
      ]),
    ),
  ),
};

export interface TestHostOptions {
  /** Address of a Temporal server (default: the one that all tests share). */
  temporal?: string;
  /** Commits of the worker receive results from the API as if both were one process. */
  isOneProcess?: boolean;
  /** Name of the connections of the API in Postgres, which tells its changes from those of workers. */
  application?: string;
}

export async function startTestHost({
  temporal,
  isOneProcess = false,
  application,
}: TestHostOptions = {}): Promise<TestHost> {
  const services = await openHostServices({ temporal, searchAttributes: new Set(), eagerStart: true });
  const { store, notifications, instances, client, taskQueue, dataConverter } = services;
  const bundlePath = await workflowBundle();
  const startWorker = () => startWorkerOf(services, bundlePath);
  let worker = await startWorker();
  const local = () => (isOneProcess ? worker.lingers : undefined);
  const starter: InstanceGateway = {
    start: (instance) => starterOf(services, undefined).start(instance),
    deliver: (...sent) => starterOf(services, local()).deliver(...sent),
  };
  const lingers: Pick<Lingers, 'handOver'> = { handOver: async (...handed) => local()?.handOver(...handed) };
  const own = application && openDatabase(`${services.databaseUrl}?application_name=${application}`, { max: 20 });
  const context = { notifications, instances: starter, lingers, ...outbound };
  const api = await startTestApi({ store: own || store, context });
  const { logger } = api.context;
  const chores = startChores({
    chores: [
      ...outboxRelay({ store, notifications, instances, logger }),
      batchRunner({ store, logger }),
      redactions({ store, logger }),
      scheduledSuspensions({ store, logger }),
      ...eventFeed({ store }),
      ...schedules({ store, client, taskQueue, logger }),
    ],
    logger,
  });

  const token = (role: ProjectRole, claims: Record<string, unknown> = {}) =>
    api.issuer.sign({ sub: role, projects: [{ id: project, roles: [role] }], ...claims });

  const ofRoles = new Map<ProjectRole, { token: Promise<string>; until: number }>();
  /** One that is used for a minute. */
  const tokenOf = (role: ProjectRole): Promise<string> => {
    const found = ofRoles.get(role);
    if (found && performance.now() < found.until) return found.token;
    const signed = { token: token(role), until: performance.now() + 60_000 };
    ofRoles.set(role, signed);
    return signed.token;
  };

  return {
    api,
    store,
    notifications,
    databaseUrl: services.databaseUrl,
    client,
    token,
    async call(role, method, path, options = {}) {
      return read(await api.request(method, `/projects/${project}${path}`, { ...options, token: await tokenOf(role) }));
    },
    stopWorker: () => worker.stop(),
    async startWorker() {
      worker = await startWorker();
    },
    async replayLongest(count) {
      const recorded = (await longestInstances(store, count)).map(async (workflowID) => ({
        workflowID,
        history: await client.workflow.getHandle(workflowID).fetchHistory(),
      }));
      await expectReplays({ bundlePath, dataConverter }, await Promise.all(recorded));
    },
    historyOf: (workflowID) => client.workflow.getHandle(workflowID).fetchHistory(),
    async close() {
      await worker.stop();
      await chores.stop();
      await api.close();
      if (own) await own.end();
      await services.close();
    },
  };
}

function starterOf({ instances, store }: HostServices, lingers: Lingers | undefined): InstanceGateway {
  return createInstanceGateway({ instances, store, lingers, logger: silent });
}

/** Commands of the API reach it by notification, as they do between two processes. */
async function startWorkerOf(
  services: HostServices,
  bundlePath: string,
): Promise<Pick<InstanceWorker, 'stop'> & { lingers: Lingers }> {
  const { connection, taskQueue, store, graphs, notifications, dataConverter } = services;
  // Also on a busy machine, where commits are slow and results come late, a commit waits for the result.
  const hot = { maxMs: 2_000, slotShare: 0.3, slowCommitMs: Infinity };
  const lingers = await openLingers(hot, undefined, notifications, () => undefined);
  const namespace = 'default';
  const worker = await startInstanceWorker({
    connection,
    namespace,
    taskQueue,
    store,
    graphs,
    lingers,
    dataConverter,
    bundlePath,
    threadFile: workflowThread,
  });
  return { stop: () => worker.stop(), lingers };
}

async function longestInstances(store: Database, count: number): Promise<string[]> {
  const { rows } = await store.query<{ id: string }>(
    'SELECT workflow_id AS id FROM instances ORDER BY fact_count DESC LIMIT $1',
    [count],
  );
  return rows.map(({ id }) => id);
}

/** Status, JSON body (undefined without one) and headers. */
export async function read(response: Response): Promise<Called> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, body: isJson ? JSON.parse(text) : text || undefined, headers: response.headers };
}
