import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { compiledScript, repositoryRoot } from '../../dev/repository.js';
import { familyOf, killAll, survivors, untilGone } from './processes.js';
import { createDatabase, temporalAddress, uniqueName, type TestDatabase } from '../support/infrastructure.js';
import { TestHome, type Ready } from './start-command.js';

vi.setConfig({ testTimeout: 120_000 });

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function temporalNamespaces(address: string): Promise<string[]> {
  const connection = await Connection.connect({ address });
  try {
    const { namespaces } = await connection.workflowService.listNamespaces({});
    return namespaces.map(({ namespaceInfo }) => namespaceInfo?.name ?? '');
  } finally {
    await connection.close();
  }
}

/** Leaves a trace in each part that keeps data. */
async function leaveTraces({ postgres, temporal }: Ready): Promise<void> {
  await query(postgres, 'CREATE TABLE trace (said text)');
  await query(postgres, "INSERT INTO trace VALUES ('still here')");
  const connection = await Connection.connect({ address: temporal });
  await connection.workflowService.registerNamespace({
    namespace: 'trace',
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  await connection.close();
}

async function expectTraces({ postgres, temporal }: Ready): Promise<void> {
  expect(await query(postgres, 'SELECT said FROM trace')).toEqual([{ said: 'still here' }]);
  expect(await temporalNamespaces(temporal)).toContain('trace');
}

describe('npm start', () => {
  let home: TestHome;
  let started: ReturnType<TestHome['start']>;
  let ready: Ready;

  beforeAll(async () => {
    home = new TestHome();
    started = home.start();
    ready = await started.ready();
    await leaveTraces(ready);
  });
  afterAll(() => home.remove());

  it('says in one line where everything is', () => {
    expect(Object.keys(ready).sort()).toEqual([
      'api',
      'console',
      'issuer',
      'postgres',
      'temporal',
      'temporalUi',
      'tokenEndpoint',
    ]);
    expect(started.output.match(/^READY /gm)).toHaveLength(1);
  });

  it('serves every part on loopback', async () => {
    const [discovery, ui] = await Promise.all([
      fetch(`${ready.issuer}/.well-known/openid-configuration`),
      fetch(ready.temporalUi),
    ]);

    expect([discovery.status, ui.status]).toEqual([200, 200]);
    expect(await query(ready.postgres, 'SELECT current_database() AS name')).toEqual([{ name: 'perdure' }]);
    expect(await temporalNamespaces(ready.temporal)).toContain('default');
    expect(Object.values(ready).join()).not.toMatch(/0\.0\.0\.0|localhost/);
  });

  it('closes its folder, and the files in it, to other accounts', () => {
    // The account of Postgres, which is not root, passes through the folder.
    expect(statSync(home.folder).mode & 0o066).toBe(0);
    const files = readdirSync(home.folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['temporal.db', 'secrets.json', 'ready.json']),
    );
    for (const { parentPath, name } of files) {
      const path = join(parentPath, name);
      expect(statSync(path).mode & 0o077, path).toBe(0);
    }
  });

  it('prints commands that deploy the example and start an order as pasted', async () => {
    const lines = started.output.split('\n').filter((line) => /^(npx perdure deploy|ORDER=)/.test(line));
    expect(lines).toHaveLength(2);

    // The folder of the test is not the one in which the command line looks, so the profile names the host.
    const script = ['. "$0"', ...lines, 'echo "$ORDER"'].join('\n');
    const { stdout } = await promisify(execFile)('sh', ['-ec', script, join(home.folder, 'env')], {
      cwd: repositoryRoot,
    });
    expect(stdout.trim().split('\n').at(-1)).toMatch(/^[\w-]{20,}$/);
  });

  it('writes a profile that only its user can read, with which programs sign in', async () => {
    const profile = join(home.folder, 'env');
    expect(statSync(profile).mode & 0o777).toBe(0o600);

    const cli = compiledScript('packages/cli/main.js');
    const lines = ['. "$0" && "$1" "$2" list', '"$1" --env-file="$0" "$2" list'];
    const signedIn = lines.map((line) =>
      promisify(execFile)('sh', ['-c', line, profile, process.execPath, cli], {
        cwd: home.folder,
        env: { PATH: process.env['PATH'] },
      }),
    );
    for (const { stdout } of await Promise.all(signedIn)) expect(stdout).toMatch(/\d+ instances?, page 1 of 1\n$/);
  });

  it('lets the command line in its checkout find the host and sign in', async () => {
    const checkout = mkdtempSync(join(tmpdir(), 'perdure-checkout-'));
    symlinkSync(home.folder, join(checkout, '.perdure'));
    writeFileSync(join(checkout, 'package.json'), readFileSync(join(repositoryRoot, 'package.json')));
    const { stdout } = await promisify(execFile)(process.execPath, [compiledScript('packages/cli/main.js'), 'list'], {
      cwd: checkout,
      env: { PATH: process.env['PATH'] },
    });
    expect(stdout).toMatch(/\d+ instances?, page 1 of 1\n$/);
    rmSync(checkout, { recursive: true });
  });

  it('keeps data safe from a power cut', async () => {
    expect(await query(ready.postgres, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
  });

  it('is refused on the same home a second time', async () => {
    const second = home.start();

    expect(await second.exitCode()).toBe(1);
    expect(second.errors.trim()).toBe(
      `Another host (process ${started.process.pid}) uses ${home.folder}. Stop it, or set PERDURE_HOME to another folder.`,
    );
  });

  it('starts a part again that has died', async () => {
    const [before] = await query(ready.postgres, 'SELECT pg_postmaster_start_time() AS at');
    const postmaster = started.family().find((identity) => survivors([identity])[0]?.includes('/postgres -D'));
    killAll([postmaster ?? '']);

    await vi.waitFor(
      async () => expect(await query(ready.postgres, 'SELECT pg_postmaster_start_time() AS at')).not.toEqual([before]),
      { timeout: 20_000, interval: 100 },
    );
    expect(started.errors).toContain('Postgres ended (exit code 1); restarting in 0.5 s');
  });

  /** Ends it without a process that is left. */
  async function end(way: 'SIGTERM' | 'SIGINT' | 'SIGKILL' | 'SIGKILL of everything'): Promise<void> {
    const family = started.family();
    if (way === 'SIGKILL of everything') killAll(family);
    const exitCode = await started.end(way === 'SIGKILL of everything' ? 'SIGKILL' : way);
    if (!way.startsWith('SIGKILL')) expect(existsSync(join(home.folder, 'env'))).toBe(false);
    if (way.startsWith('SIGKILL')) await untilGone(family);

    expect(survivors(family)).toEqual([]);
    expect(exitCode).toBe(way.startsWith('SIGKILL') ? null : 0);
  }

  it.each(['SIGTERM', 'SIGKILL', 'SIGKILL of everything'] as const)(
    'starts again with its data on the same ports after %s, which leaves no process',
    async (way) => {
      await end(way);
      started = home.start();
      const again = await started.ready();
      expect(again).toEqual(ready);
      await expectTraces(again);
    },
  );

  it('ends on SIGINT as on SIGTERM', () => end('SIGINT'));
});

describe('npm start with parts that are given', () => {
  let home: TestHome;
  let database: TestDatabase;
  beforeEach(async () => {
    home = new TestHome();
    database = await createDatabase();
  });
  afterEach(async () => {
    await home.remove();
    await database.drop();
  });

  it('starts nothing but the worker where there is to be nothing else, and its log says when it served and when it stopped', async () => {
    const taskQueue = uniqueName('worker-only');
    const started = home.start({
      PERDURE_ROLES: 'worker',
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: await temporalAddress(),
      TEMPORAL_TASK_QUEUE: taskQueue,
    });

    expect(await started.ready()).toEqual({});
    expect(started.family()).toHaveLength(2);
    expect(await started.end('SIGTERM')).toBe(0);
    const log = started.errors
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(log.map(({ msg }) => msg)).toEqual(['host started', 'host stopping', 'host stopped']);
    expect(log[0]).toMatchObject({
      component: 'host',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      roles: ['worker'],
      namespace: 'default',
      taskQueue,
    });
  });

  it('leaves no process when npm is killed', async () => {
    const given = {
      PERDURE_ROLES: 'worker',
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: await temporalAddress(),
      TEMPORAL_TASK_QUEUE: uniqueName('npm'),
    };
    const command = ['sh', '-c', `${process.execPath} dist/dev/start.js & wait`];
    const npm = home.start({ npm_lifecycle_event: 'start', ...given }, command);
    await npm.ready();
    const family = familyOf(npm.process.pid ?? 0);
    expect(family).toHaveLength(3);

    npm.process.kill('SIGKILL');
    await untilGone(family);
  });
});

describe('npm start, not getting there,', () => {
  let home: TestHome;
  beforeEach(() => (home = new TestHome()));
  afterEach(() => home.remove());

  it('names every mistake of the configuration at once', async () => {
    const started = home.start({
      PORT: 'http',
      PERDURE_ROLES: 'boss',
      PERDURE_ISSUER_PORT: '99999',
      OIDC_PRESET: 'mine',
    });

    expect(await started.exitCode()).toBe(1);
    for (const variable of ['PORT', 'PERDURE_ROLES', 'PERDURE_ISSUER_PORT', 'OIDC_PRESET'])
      expect(started.errors).toMatch(new RegExp(`^- ${variable}`, 'm'));
    expect(started.errors).not.toMatch(/^ {4}at /m);
    expect(started.output).toBe('');
  });

  it('says which port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const started = home.start({ PORT: String(port) });

    expect(await started.exitCode()).toBe(1);
    expect(started.errors.trim()).toBe(
      `Port ${port} of 127.0.0.1, for the API, is in use. Stop the program that uses it, or set PORT to another port.`,
    );
    other.close();
  });

  it('says what is wrong with the Temporal command it was asked to use, and stops the rest', async () => {
    const started = home.start({ TEMPORAL_CLI: '/no/such/temporal' });

    expect(await started.exitCode()).toBe(1);
    expect(started.errors.trim().split('\n').at(-1)).toBe(
      'Cannot use TEMPORAL_CLI: there is no command /no/such/temporal',
    );
  });

  it('names every way to a Temporal server when none works', async () => {
    const started = home.start({
      // Nothing else is started.
      PERDURE_ROLES: 'worker',
      DATABASE_URL: 'postgres://127.0.0.1:1/perdure',
      TEMPORAL_CLI: '',
      PATH: '/nowhere',
      XDG_CACHE_HOME: home.folder,
      HTTPS_PROXY: 'http://127.0.0.1:1',
    });

    expect(await started.exitCode()).toBe(1);
    expect(started.errors).toMatch(/TEMPORAL_ADDRESS.*TEMPORAL_CLI.*PATH.*cache.*download.*Go/);
    expect(started.errors).not.toMatch(/^ {4}at /m);
  });

  it('says that its home cannot be written', async () => {
    const started = home.start({ PERDURE_HOME: '/dev/null/home' });

    expect(await started.exitCode()).toBe(1);
    expect(started.errors).toMatch(
      /^Cannot use the folder \/dev\/null\/home \(.*\)\. Set PERDURE_HOME to another folder\.$/m,
    );
  });

  it('leaves no process when it is stopped half way', async () => {
    const started = home.start();
    await vi.waitFor(() => expect(started.family().length).toBeGreaterThan(2), { timeout: 20_000, interval: 5 });
    const family = started.family();

    expect(await started.end('SIGINT')).toBe(0);
    await untilGone(family);
  });
});
