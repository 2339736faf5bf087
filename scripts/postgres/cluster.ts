import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { Failure } from '../failure.js';
import { startProgram, type Child } from '../processes/child.js';
import { endLeftover } from '../processes/leftovers.js';
import type { Account } from '../processes/program.js';
import { runProgram } from '../processes/run-program.js';
import { untilReady } from '../waiting.js';
import { canReach, makePrivateFolder, postgresAccount } from './account.js';
import { findPostgresBinaries, type PostgresBinaries } from './binaries.js';

const superuser = 'perdure';
/** Where data goes that another account has to reach when the home of the one who runs us is closed to it. */
const sharedFolder = '/var/lib/perdure';

export interface PostgresOptions {
  /** Where it keeps its data; made when missing. */
  dataFolder: string;
  /** For its log and its process file. */
  folder: string;
  port: number;
  /** Of the only user, `perdure`; has to be the one the data was made with. */
  password: string;
  /** Settings of the server beside ours, such as `fsync`. */
  settings?: Record<string, string>;
}

export interface Postgres {
  /** The URL of one database of this server, whether it exists or not. */
  databaseUrl(name: string): string;
  child: Child;
}

/** Starts Postgres on loopback, making its data folder first when there is none, and waits until it serves. */
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
    { command: binaries.postgres, arguments: commandLine(dataFolder, options), ...(account && { account }), pidFile, stopSignal: 'SIGINT', stopWithinMilliseconds: 15_000 },
    { logFile },
  );
  const databaseUrl = (name: string) => `postgres://${superuser}:${options.password}@127.0.0.1:${options.port}/${name}`;
  await untilReady({ name: 'Postgres', child, logFile, probe: () => probe(databaseUrl('postgres')), withinMilliseconds: 60_000 });
  return { databaseUrl, child };
}

/** Creates a database unless it exists already. */
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
    // Our queries are short; compiling them costs more than running them.
    jit: 'off',
    ...options.settings,
  };
  return ['-D', dataFolder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** The folder itself, or, when the account cannot reach it, one that it can, with a link from here to there. */
function reachableFolder(dataFolder: string, account: Account | undefined): string {
  const folder = dirname(dataFolder);
  mkdirSync(folder, { recursive: true });
  const linked = linkTarget(dataFolder);
  if (linked !== undefined) return linked;
  // The folder right above is ours. To pass through is not to read: what it holds keeps its own rights.
  if (account !== undefined) chmodSync(folder, statSync(folder).mode | 0o111);
  if (canReach(account, dataFolder)) return dataFolder;
  const elsewhere = join(sharedFolder, `postgres-${randomBytes(6).toString('hex')}`);
  mkdirSync(sharedFolder, { recursive: true, mode: 0o755 });
  symlinkSync(elsewhere, dataFolder);
  process.stderr.write(`Postgres cannot run as root and its account cannot enter ${folder}, so its data is kept in ${elsewhere}.\n`);
  return elsewhere;
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Makes the data in a draft folder, so that one half made is never taken for a whole one. */
async function createCluster({ initdb }: PostgresBinaries, dataFolder: string, password: string, account: Account | undefined): Promise<void> {
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
  if (code !== 0) throw new Failure(`Postgres could not make its data folder ${dataFolder}: ${lastWords}`);
  renameSync(data, dataFolder);
  rmSync(draft, { recursive: true, force: true });
}

/**
 * After a crash the lock file of Postgres names a process that is gone. If its number has been given to somebody else
 * since, Postgres would refuse to start; no Postgres of ours runs on this data here, the leftover has been ended.
 */
function removeStaleLock(dataFolder: string): void {
  const file = join(dataFolder, 'postmaster.pid');
  // Elsewhere the command line of a process is not to be had from a file; Postgres decides alone there.
  if (process.platform !== 'linux' || !existsSync(file)) return;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  if (!commandLineOf(pid).includes(dataFolder)) rmSync(file, { force: true });
}

/** Empty for a process that is gone or belongs to somebody who does not tell. */
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
  // A connection that breaks fails the query it breaks under; unheard, its event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
