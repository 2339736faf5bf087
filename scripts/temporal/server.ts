import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { endLeftover } from '../processes/leftovers.js';
import { startProgram, type Child } from '../processes/child.js';
import { untilReady } from '../waiting.js';

/** What people search instances by in Temporal's own web UI. */
export const searchAttributes = {
  BpmnProject: 'Keyword',
  BpmnProcess: 'Keyword',
  BpmnBusinessId: 'Keyword',
  BpmnIncident: 'Bool',
} as const;

/**
 * The development server allows 100 visibility requests a second and host; the reconciler's scans want room beside people.
 *
 * Each new task of a shard's queue looks at all that the queue has not forgotten yet (1.29, seen), and it forgets what is
 * done every 30 seconds. The development server has one shard for everything: at 50 instances a second a fifth of its CPU.
 * What it reads of a queue it reads at most 20 times a second and shard: a signal waited up to 50 ms until its instance was
 * told. It also reads what search attributes there are for each workflow that starts; names are added in the namespace, which
 * is read anew in any case.
 *
 * The visibility queue is the other way around: nothing waits for it, and a start that is read once the instance has ended is
 * not written (ADR 63). So it is read once a second, in batches that hold a second's tasks, and two tasks at a time write
 * them: SQLite has one connection, which instances wait for too.
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
  'system.forceSearchAttributesCacheRefreshOnRead': false,
};

export interface TemporalServerOptions {
  executable: string;
  port: number;
  /** Where its web UI is served; without it there is none. */
  uiPort?: number;
  /** Where it keeps its data; without it in memory only. */
  databaseFile?: string;
  /** For its log and its process file. */
  folder: string;
  /** Settings of the server beside ours, such as `limit.historyCount.suggestContinueAsNew`. */
  dynamicConfiguration?: Record<string, unknown>;
}

export interface TemporalServer {
  address: string;
  uiUrl: string | undefined;
  child: Child;
}

/** Starts a Temporal development server on loopback and waits until it serves and knows our search attributes. */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const pidFile = join(options.folder, 'temporal.pid');
  const logFile = join(options.folder, 'temporal.log');
  mkdirSync(options.folder, { recursive: true });
  await endLeftover(pidFile);
  const child = startProgram(
    { command: options.executable, arguments: commandLine(options), pidFile, stopSignal: 'SIGTERM', stopWithinMilliseconds: 8_000 },
    { logFile },
  );
  const address = `127.0.0.1:${options.port}`;
  await untilReady({ name: 'The Temporal server', child, logFile, probe: () => probe(address), withinMilliseconds: 60_000 });
  return { address, uiUrl: options.uiPort === undefined ? undefined : `http://127.0.0.1:${options.uiPort}`, child };
}

function commandLine(options: TemporalServerOptions): string[] {
  const flags = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(options.port), '--log-level', 'warn', '--color', 'never'];
  flags.push(...(options.uiPort === undefined ? ['--headless'] : ['--ui-port', String(options.uiPort)]));
  if (options.databaseFile !== undefined) flags.push('--db-filename', options.databaseFile, ...durabilityFlags);
  for (const [name, type] of Object.entries(searchAttributes)) flags.push('--search-attribute', `${name}=${type}`);
  for (const [key, value] of Object.entries({ ...dynamicConfiguration, ...options.dynamicConfiguration })) {
    flags.push('--dynamic-config-value', `${key}=${JSON.stringify(value)}`);
  }
  return flags;
}

/**
 * With a write-ahead log, NORMAL keeps every committed transaction through a killed process, because the system
 * already holds it; only a power cut can take the last few. FULL would wait for the disk at each transaction.
 */
const durabilityFlags = ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=NORMAL'];

async function probe(address: string): Promise<void> {
  // Loaded here, while the server starts: it takes a while, and starts without a server of ours do not need it.
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
