/** The files of the image, outside of the repository, run by a user without rights whose file systems are read-only. */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createClient, unwrap } from '@perdure/client';
import { endEvent, processModel, startEvent } from '@perdure/testkit/models';
import { nodeFlags } from '../../dev/processes/node-flags.js';
import { repositoryRoot } from '../../dev/repository.js';
import { createEmptyDatabase, tokenFor, type TestDatabase } from '../support/infrastructure.js';
import { hostEnvironment } from '../support/hosts/environment.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

/** Megabytes of 2^20 bytes. The tree had 214 of dependencies alone when the image installed them with npm. */
const MAX_TREE_MB = 70;

/** An id that no password file has, in the group 0, as OpenShift does it. */
const asAnyUser = ['setpriv', '--reuid=54321', '--regid=0', '--clear-groups', '--no-new-privs', '--bounding-set=-all'];
const readOnly = ['unshare', '--mount', 'sh', '-ec', 'mount -o remount,bind,ro /; exec "$@"', 'sh'];

let folder: string;
let tree: string;
let database: TestDatabase;
let host: ChildProcess | undefined;
let output = '';

beforeAll(async () => {
  // While it waits, the process must notice that servers close connections.
  await promisify(execFile)(process.execPath, ['tools/image/assemble.mjs'], { cwd: repositoryRoot });
  folder = mkdtempSync(join(tmpdir(), 'perdure-image-'));
  chmodSync(folder, 0o755);
  tree = join(folder, 'perdure');
  cpSync(join(repositoryRoot, 'image'), tree, { recursive: true, verbatimSymlinks: true });
  database = await createEmptyDatabase();
});
afterAll(async () => {
  host?.kill('SIGKILL');
  await database?.drop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

it('the tree has no bundler, compiler, or types, and is small', () => {
  const files = readdirSync(tree, { recursive: true, encoding: 'utf8' });
  for (const name of ['webpack', '@swc', 'memfs', 'typescript', '@temporalio/testing'])
    expect(existsSync(join(tree, 'node_modules', name)), name).toBe(false);
  expect(files.filter((file) => file.startsWith('node_modules/') && file.endsWith('.d.ts'))).toEqual([]);
  const bytes = files.reduce((sum, file) => sum + (statSync(join(tree, file)).isFile() ? sizeOf(file) : 0), 0);
  expect(bytes / 1024 ** 2).toBeLessThan(MAX_TREE_MB);
});

it('the host migrates an empty database, serves the console, and runs an instance', async () => {
  const { api } = await start();
  expect((await fetch(`${api}/console/`)).status).toBe(200);

  const client = createClient({ api, accessToken: () => tokenFor('editor') });
  const params = { path: { projectID: 'demo' } };
  const content = processModel('tree', [startEvent('start'), endEvent('end')], ['a: start -> end']);
  await unwrap(
    client.POST('/projects/{projectID}/bpmn/deployments', {
      params,
      body: { files: [{ name: 'tree.bpmn', content }] },
    }),
  );
  const started = await unwrap(
    client.POST('/projects/{projectID}/bpmn/instances', {
      params,
      headers: { Prefer: 'wait=60' },
      body: { processId: 'tree' },
    }),
  );
  expect(started).toMatchObject({ result: { status: 'COMPLETED' } });
});

async function start(): Promise<{ api: string }> {
  const [program = '', ...arguments_] = [...restrictions(), process.execPath, ...nodeFlags, 'dist/host/main.js'];
  host = spawn(program, arguments_, {
    cwd: tree,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      TZ: 'UTC',
      LC_ALL: 'C.UTF-8',
      NODE_ENV: 'production',
      ...(await hostEnvironment()),
      DATABASE_URL: database.url,
    },
  });
  for (const stream of [host.stdout!, host.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(host, 'exit').then(() => expect.fail(`The host ended: ${output}`));
  const [message] = await Promise.race([once(host, 'message'), ended]);
  return message as { api: string };
}

/** Only root can take rights from a process. Elsewhere, the host runs as the user of the test. */
function restrictions(): string[] {
  if (process.getuid?.() !== 0) return [];
  const possible = spawnSync(readOnly[0]!, [...readOnly.slice(1), ...asAnyUser, 'true']).status === 0;
  return possible ? [...readOnly, ...asAnyUser] : asAnyUser;
}

function sizeOf(file: string): number {
  return statSync(join(tree, file)).size;
}
