/** A whole host in the test's process: the API over a database of its own, and a worker that runs its instances. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pg from 'pg';
import { pino } from 'pino';
import { GraphCache } from '../../../../store/definitions/graph-cache.js';
import type { ProjectRole } from '../../../../api/contract/roles.js';
import { openLingers } from '../../../../worker/hot-instances.js';
import { createInstanceStarter } from '../../../../host/instance-starter.js';
import { Notifications } from '../../../../store/notifications.js';
import { startOutboxRelay } from '../../../../worker/outbox-relay.js';
import { startScheduleLoop } from '../../../../worker/schedules.js';
import { startInstanceWorker } from '../../../../worker/temporal-worker.js';
import { StoredPayloadCodec } from '../../../../temporal/stored-payload-codec.js';
import { TemporalInstances } from '../../../../temporal/instances.js';
import { createDatabase, temporalAddress, uniqueName } from '../../../support/infrastructure.js';
import { startTestApi, type RequestOptions, type TestApi } from '../../support/api.js';

// One process, one test file: what the worker says of its own coming and going is no news.
Runtime.install({ logger: new DefaultLogger('ERROR') });

/** The project that most tests work in. */
export const project = 'p1';

export interface TestHost {
  readonly api: TestApi;
  readonly store: pg.Pool;
  /** A token of somebody with this role in `p1`; the subject is the role unless said. */
  token(role: ProjectRole, claims?: Record<string, unknown>): Promise<string>;
  /** Sends a request to a path under `/projects/p1` as somebody with the role and reads the JSON. */
  call(role: ProjectRole, method: string, path: string, options?: Omit<RequestOptions, 'token'>): Promise<Called>;
  /** Takes the worker away: what is asked for waits. */
  stopWorker(): Promise<void>;
  startWorker(): Promise<void>;
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

/** @param temporal address of a Temporal server; the one that all tests share unless given */
export async function startTestHost({ temporal }: { temporal?: string } = {}): Promise<TestHost> {
  const database = await createDatabase();
  const store = new pg.Pool({ connectionString: database.url, max: 20 });
  const notifications = await Notifications.open(store, database.url);
  const connection = await NativeConnection.connect({ address: temporal ?? (await temporalAddress()) });
  const taskQueue = uniqueName('api');
  const graphs = new GraphCache(store);
  const bundle = await writeBundle();
  const dataConverter = { payloadCodecs: [new StoredPayloadCodec(store)] };
  const client = new Client({ connection, dataConverter });
  const instances = new TemporalInstances({
    client,
    taskQueue,
    graphs,
    maxRotations: 1000,
    searchAttributes: new Set(),
    eagerStart: true,
  });
  const starter = createInstanceStarter({ instances, store, logger: pino({ level: 'silent' }) });
  const api = await startTestApi({ store, context: { notifications, instances: starter } });
  // What the API writes reaches the worker by notification, as it does between two processes.
  const startWorker = async () => {
    const lingers = await openLingers({ longestMs: 1_000, slotShare: 0.6 }, notifications, () => undefined);
    return startInstanceWorker({
      connection,
      namespace: 'default',
      taskQueue,
      store,
      graphs,
      lingers,
      dataConverter,
      bundlePath: bundle.path,
    });
  };
  let worker = await startWorker();
  const outboxRelay = startOutboxRelay({ store, notifications, instances, logger: api.context.logger });
  const scheduleLoop = startScheduleLoop({ store, client, taskQueue, logger: api.context.logger });

  const token = (role: ProjectRole, claims: Record<string, unknown> = {}) =>
    api.issuer.sign({ sub: role, projects: [{ id: project, roles: [role] }], ...claims });

  return {
    api,
    store,
    token,
    async call(role, method, path, options = {}) {
      return read(await api.request(method, `/projects/${project}${path}`, { ...options, token: await token(role) }));
    },
    stopWorker: () => worker.stop(),
    async startWorker() {
      worker = await startWorker();
    },
    async replayLongest(count) {
      const { rows } = await store.query<{ id: string }>(
        'SELECT workflow_id AS id FROM instances ORDER BY fact_count DESC LIMIT $1',
        [count],
      );
      for (const { id } of rows)
        await Worker.runReplayHistory(
          { workflowBundle: { codePath: bundle.path }, dataConverter },
          await client.workflow.getHandle(id).fetchHistory(),
          id,
        );
    },
    async close() {
      await worker.stop();
      await outboxRelay.stop();
      await scheduleLoop.stop();
      await api.close();
      await notifications.close();
      await connection.close();
      await store.end();
      await database.drop();
      bundle.remove();
    },
  };
}

/** Status, JSON body (undefined without one) and headers. */
export async function read(response: Response): Promise<Called> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, body: isJson ? JSON.parse(text) : text || undefined, headers: response.headers };
}

/** The workflows as the sources are now, so that a single test file needs no build before it. */
async function writeBundle(): Promise<{ path: string; remove(): void }> {
  const entry = fileURLToPath(new URL('../../../../workflows/index.ts', import.meta.url));
  const silent = () => undefined;
  const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent };
  const { code } = await bundleWorkflowCode({ workflowsPath: entry, preloadModules: [entry], logger });
  const folder = mkdtempSync(join(tmpdir(), 'perdure-bundle-'));
  const path = join(folder, 'workflow-bundle.js');
  writeFileSync(path, code);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
