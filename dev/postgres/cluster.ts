import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { Failure } from '@perdure/lib/failure.js';
import { startProgram, type Child } from '../processes/child.js';
import { endLeftover } from '../processes/leftovers.js';
import type { Account } from '../processes/program.js';
import { runProgram } from '../processes/run-program.js';
import { untilReady } from '../waiting.js';
import { canReach, makePrivateFolder, postgresAccount } from './account.js';
import { findPostgresBinaries, type PostgresBinaries } from './binaries.js';

const superuser = 'perdure';
/** Location for data of another account when the home folder of the current user is closed to it. */
const sharedFolder = '/var/lib/perdure';

export interface PostgresOptions {
  /** The data folder; created if missing. */
  dataFolder: string;
  /** For its log and its process file. */
  folder: string;
  port: number;
  /** The password of the only user, `perdure`; must be the one that the data was created with. */
  password: string;
  /** Additional settings of the server, for example `fsync`. */
  settings?: Record<string, string>;
}

export interface Postgres {
  /** The URL of one database of this server, whether it exists or not. */
  databaseUrl(name: string): string;
  child: Child;
}

/** Starts Postgres on loopback, initializes its data folder if necessary, and waits until it serves. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const account = postgresAccount();
  const binaries = await findPostgresBinaries(account);
  const pidFile = join(options.folder, 'postgres.pid');
  const logFile = join(options.folder, 'postgres.log');
  mkdirSync(options.folder, { recursive: true });
  await endLeftover(pidFile);
  const dataFolder = reachableFolder(options.dataFolder, account);
  if (!existsSync(dataFolder)) await createCluster(binaries, dataFolder, options.password, account);
  removeStaleLock(dataFolder);
  const child = startProgram(
    {
      command: binaries.postgres,
      arguments: commandLine(dataFolder, options),
      ...(account && { account }),
      pidFile,
      stopSignal: 'SIGINT',
      stopWithinMilliseconds: 15_000,
    },
    { logFile },
  );
  const databaseUrl = (name: string) => `postgres://${superuser}:${options.password}@127.0.0.1:${options.port}/${name}`;
  await untilReady({
    name: 'Postgres',
    child,
    logFile,
    probe: () => probe(databaseUrl('postgres')),
    withinMilliseconds: 60_000,
  });
  return { databaseUrl, child };
}

/** Creates a database unless it exists. */
export async function createDatabaseIfMissing(postgres: Postgres, name: string): Promise<void> {
  await withClient(postgres.databaseUrl('postgres'), async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  });
}

function commandLine(dataFolder: string, options: PostgresOptions): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(options.port),
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The queries are short; compiling them costs more than running them.
    jit: 'off',
    ...options.settings,
  };
  return ['-D', dataFolder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** The folder itself, or, if the account cannot reach it, a reachable folder with a link from the original path. */
function reachableFolder(dataFolder: string, account: Account | undefined): string {
  const folder = dirname(dataFolder);
  mkdirSync(folder, { recursive: true });
  const linked = linkTarget(dataFolder);
  if (linked !== undefined) return linked;
  // The parent folder belongs to this process. Traversal is not reading: its content keeps its own permissions.
  if (account !== undefined) chmodSync(folder, statSync(folder).mode | 0o111);
  if (canReach(account, dataFolder)) return dataFolder;
  const elsewhere = join(sharedFolder, `postgres-${randomBytes(6).toString('hex')}`);
  mkdirSync(sharedFolder, { recursive: true });
  // Whatever the umask: the account of Postgres enters it.
  chmodSync(sharedFolder, 0o755);
  symlinkSync(elsewhere, dataFolder);
  process.stderr.write(
    `Postgres cannot run as root and its account cannot enter ${folder}, so its data is kept in ${elsewhere}\n`,
  );
  return elsewhere;
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Initializes the data in a draft folder, so that incomplete data is never mistaken for complete data. */
async function createCluster(
  { initdb }: PostgresBinaries,
  dataFolder: string,
  password: string,
  account: Account | undefined,
): Promise<void> {
  const draft = `${dataFolder}.creating`;
  const passwordFile = join(draft, 'password');
  const data = join(draft, 'data');
  rmSync(draft, { recursive: true, force: true });
  makePrivateFolder(draft, account);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) chownSync(passwordFile, account.uid, account.gid);
  const flags = ['-D', data, '--username', superuser, '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
  const locale = ['--encoding', 'UTF8', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'];
  const { code, lastWords } = await runProgram({
    command: initdb,
    arguments: [...flags, ...locale, '--no-instructions'],
    ...(account && { account }),
    stopSignal: 'SIGTERM',
    stopWithinMilliseconds: 5_000,
  });
  if (code !== 0) throw new Failure(`Postgres cannot create its data folder ${dataFolder}: ${lastWords}`);
  renameSync(data, dataFolder);
  rmSync(draft, { recursive: true, force: true });
}

/**
 * After a crash, the lock file of Postgres names a dead process. If another process has its number now, Postgres would
 * refuse to start. No Postgres of this host uses the data at this point, because leftovers have been ended.
 */
function removeStaleLock(dataFolder: string): void {
  const file = join(dataFolder, 'postmaster.pid');
  // On other systems the command line of a process is not available as a file, so Postgres alone decides.
  if (process.platform !== 'linux' || !existsSync(file)) return;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  if (!commandLineOf(pid).includes(dataFolder)) rmSync(file, { force: true });
}

/** Empty for a process that has ended or belongs to a user who hides it. */
function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function probe(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('SELECT 1');
  });
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A connection that breaks fails the running query. Without a listener, its error event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
