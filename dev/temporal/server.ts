import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { endLeftover } from '../processes/leftovers.js';
import { startProgram, type Child } from '../processes/child.js';
import { untilReady } from '../waiting.js';

/** The attributes by which people search for instances in Temporal's web UI. */
export const searchAttributes = {
  BpmnProject: 'Keyword',
  BpmnProcess: 'Keyword',
  BpmnBusinessId: 'Keyword',
  BpmnIncident: 'Bool',
} as const;

/**
 * The development server allows 100 visibility requests per second and host; this leaves room for people in addition to
 * the reconciler's scans.
 *
 * Each new task of a shard's queue reads everything that the queue has not yet forgotten (seen in 1.29), and finished
 * tasks are forgotten every 30 seconds. With one shard for everything, that is a fifth of the development server's CPU
 * at 50 instances per second. It reads a queue at most 20 times per second and shard, so a signal waited up to 50 ms to
 * reach its instance. It also reads the list of search attributes for each workflow that starts; names are added in the
 * namespace, which is re-read in any case.
 *
 * The visibility queue is different: nothing waits for it, and a start that is read after the instance has ended is not
 * written (ADR 63). It is read once per second, in batches that hold a second's tasks, and two tasks at a time write
 * them: SQLite has one connection, which instances wait for too.
 *
 * The server allows for clocks of its hosts that differ by a second: a timer that is due sooner may fire up to a second
 * late. A rotation takes such a timer. The development server is one process with one clock.
 */
const dynamicConfiguration = {
  'frontend.namespaceRPS.visibility': 1_000,
  'frontend.namespaceRPS': 20_000,
  'frontend.rps': 20_000,
  'worker.schedulerNamespaceStartWorkflowRPS': 1_000,
  'history.transferProcessorMaxPollRPS': 500,
  'history.transferProcessorUpdateAckInterval': '1s',
  'history.visibilityProcessorUpdateAckInterval': '1s',
  'history.visibilityProcessorMaxPollRPS': 1,
  'history.visibilityTaskBatchSize': 1_000,
  'history.visibilityProcessorSchedulerWorkerCount': 2,
  'history.timerProcessorUpdateAckInterval': '1s',
  'history.timerProcessorMaxTimeShift': '50ms',
  'system.forceSearchAttributesCacheRefreshOnRead': false,
};

export interface TemporalServerOptions {
  executable: string;
  port: number;
  /** The port of its web UI; undefined disables it. */
  uiPort?: number;
  /** The file of its data; undefined keeps the data in memory. */
  databaseFile?: string;
  /** For its log and its process file. */
  folder: string;
  /** Additional settings of the server, for example `limit.historyCount.suggestContinueAsNew`. */
  dynamicConfiguration?: Record<string, unknown>;
}

export interface TemporalServer {
  address: string;
  uiUrl: string | undefined;
  child: Child;
}

/** Starts a Temporal development server on loopback, and waits until it serves and has Perdure's search attributes. */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const pidFile = join(options.folder, 'temporal.pid');
  const logFile = join(options.folder, 'temporal.log');
  mkdirSync(options.folder, { recursive: true });
  await endLeftover(pidFile);
  const child = startProgram(
    {
      command: options.executable,
      arguments: commandLine(options),
      pidFile,
      stopSignal: 'SIGTERM',
      stopWithinMilliseconds: 8_000,
    },
    { logFile },
  );
  const address = `127.0.0.1:${options.port}`;
  await untilReady({
    name: 'The Temporal server',
    child,
    logFile,
    probe: () => probe(address),
    withinMilliseconds: 60_000,
  });
  return { address, uiUrl: options.uiPort === undefined ? undefined : `http://127.0.0.1:${options.uiPort}`, child };
}

function commandLine(options: TemporalServerOptions): string[] {
  const flags = [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--port',
    String(options.port),
    '--log-level',
    'warn',
    '--color',
    'never',
  ];
  flags.push(...(options.uiPort === undefined ? ['--headless'] : ['--ui-port', String(options.uiPort)]));
  if (options.databaseFile !== undefined) flags.push('--db-filename', options.databaseFile, ...durabilityFlags);
  for (const [name, type] of Object.entries(searchAttributes)) flags.push('--search-attribute', `${name}=${type}`);
  for (const [key, value] of Object.entries({ ...dynamicConfiguration, ...options.dynamicConfiguration })) {
    flags.push('--dynamic-config-value', `${key}=${JSON.stringify(value)}`);
  }
  return flags;
}

/**
 * With a write-ahead log, NORMAL keeps every committed transaction when the process is killed, because the operating
 * system already has the data; only a power failure can lose the last ones. FULL would wait for the disk on each
 * transaction.
 */
const durabilityFlags = ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=NORMAL'];

async function probe(address: string): Promise<void> {
  // Loaded here, while the server starts: loading takes a while, and starts without a local server do not need it.
  const { Connection } = await import('@temporalio/client');
  const connection = await Connection.connect({ address, connectTimeout: '1s' });
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'default' });
    const missing = Object.keys(searchAttributes).filter((name) => !(name in (customAttributes ?? {})));
    if (missing.length > 0) throw new Error(`search attributes ${missing.join(', ')} are not registered`);
  } finally {
    await connection.close();
  }
}
