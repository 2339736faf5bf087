/** The parts of a host that runs instances, in the process of the test: a database, clients, and how they end. */
import { Client, type WorkflowClientInterceptor } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { google } from '@temporalio/proto';
import { NativeConnection } from '@temporalio/worker';
import { pino } from 'pino';
import { GraphCache } from '../../store/definitions/graph-cache.js';
import { Notifications } from '../../store/notifications.js';
import { TemporalInstances } from '../../temporal/instances.js';
import { StoredPayloadCodec } from '../../temporal/stored-payload-codec.js';
import { openDatabase } from './database.js';
import { createDatabase, temporalAddress, uniqueName } from './infrastructure.js';
import { quietRuntime } from './quiet-runtime.js';

export interface HostServicesOptions {
  /** Address of a Temporal server (default: the one that all tests share). */
  temporal?: string;
  codecs?: readonly PayloadCodec[];
  maxRotations?: number;
  /** Names of the search attributes that are set. */
  searchAttributes: ReadonlySet<string>;
  eagerStart: boolean;
  /** How the worker reaches Postgres, given the URL of the test's database. */
  databaseUrlOfWorker?: (url: string) => string;
  /**
   * Seconds after which the server gives up on a workflow task (default: the server's ten), for tests that wait for that.
   * A worker asks for more time after four fifths of them.
   */
  workflowTaskSeconds?: number;
}

export type HostServices = Awaited<ReturnType<typeof openHostServices>>;

/** Instead of the machine's name: histories are kept. */
export const identity = 'test';
export const silent = pino({ level: 'silent' });

export async function openHostServices(options: HostServicesOptions) {
  quietRuntime();
  const database = await createDatabase();
  const store = openDatabase(database.url, { max: 20 });
  const workerUrl = options.databaseUrlOfWorker?.(database.url) ?? database.url;
  const workerStore = openDatabase(workerUrl, { connectionTimeoutMillis: 2_000 });
  const notifications = await Notifications.open(store, database.url);
  const dataConverter = { payloadCodecs: [...(options.codecs ?? []), new StoredPayloadCodec(workerStore)] };
  const connection = await NativeConnection.connect({ address: options.temporal ?? (await temporalAddress()) });
  const { workflowTaskSeconds } = options;
  const client = new Client({
    connection,
    identity,
    dataConverter,
    ...(workflowTaskSeconds !== undefined && { interceptors: { workflow: [givingTasks(workflowTaskSeconds)] } }),
  });
  const taskQueue = uniqueName('instances');
  const graphs = new GraphCache(workerStore);
  const { maxRotations = 1000, searchAttributes, eagerStart } = options;
  const instances = new TemporalInstances({ client, taskQueue, graphs, maxRotations, searchAttributes, eagerStart });
  return {
    databaseUrl: database.url,
    store,
    workerStore,
    notifications,
    dataConverter,
    connection,
    client,
    taskQueue,
    graphs,
    instances,
    /** After everything that uses them has stopped. */
    async close(): Promise<void> {
      await notifications.close();
      await connection.close();
      await store.end();
      await workerStore.end();
      await database.drop();
    },
  };
}

/** Gives workflow tasks of workflows that start as many seconds. */
function givingTasks(seconds: number): WorkflowClientInterceptor {
  const workflowTaskTimeout = google.protobuf.Duration.fromObject({ seconds });
  return {
    startWithDetails: (input, next) => next({ ...input, options: { ...input.options, workflowTaskTimeout } }),
  };
}
