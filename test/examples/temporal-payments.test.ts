/** Payments as activities, and workflows that call the process, in each language as the README of the example has it. */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { compiledScript, repositoryRoot } from '../../dev/repository.js';
import { createEndpoint } from '../connectors/support/nexus.js';
import { createDatabase, temporalAddress, tokenFor, uniqueName, type TestDatabase } from '../support/infrastructure.js';
import { startHost, type Host } from '../support/hosts/host.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

const example = 'examples/temporal-payments';
const run = promisify(execFile);
const areAllAsked = process.env['EXAMPLE_LANGUAGES'] === 'all';

interface Language {
  readonly name: string;
  /** Makes the worker, and returns its command. */
  build(): Promise<[command: string, ...given: string[]]>;
  /** The toolchain is here, as far as it is asked for. */
  readonly isHere: boolean;
}

const languages: Language[] = [
  {
    name: 'typescript',
    isHere: true,
    build: async () => [process.execPath, compiledScript(`${example}/typescript/worker.js`)],
  },
  {
    name: 'go',
    isHere: areAllAsked && runs('go', 'version'),
    async build() {
      const file = compiledScript('payments-go');
      await run('go', ['build', '-o', file, '.'], { cwd: source('go') });
      return [file];
    },
  },
  {
    name: 'python',
    isHere: areAllAsked && runs('python3', '-m', 'venv', '--help'),
    async build() {
      const folder = compiledScript('payments-python');
      await run('python3', ['-m', 'venv', folder]);
      const pip = join(folder, 'bin', 'pip');
      await run(pip, ['install', '--quiet', '-r', join(source('python'), 'requirements.txt')]);
      return [join(folder, 'bin', 'python'), join(source('python'), 'worker.py')];
    },
  },
  {
    name: 'java',
    isHere: areAllAsked && runs('mvn', '--version'),
    async build() {
      const folder = compiledScript('payments-java');
      await run('mvn', ['--quiet', 'package', `-Dtarget=${folder}`], { cwd: source('java') });
      const classes = [join(folder, 'classes'), join(folder, 'libraries', '*')].join(delimiter);
      return ['java', '-cp', classes, 'payments.Main'];
    },
  },
];

function source(language: string): string {
  return join(repositoryRoot, example, language);
}

function runs(command: string, ...given: string[]): boolean {
  try {
    execFileSync(command, given, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const endpoint = uniqueName('shop-processes');
let host: Host;
let database: TestDatabase;
let connection: NativeConnection;

beforeAll(async () => {
  const skipped = languages.filter(({ isHere }) => !isHere).map(({ name }) => name);
  if (areAllAsked && skipped.length > 0)
    process.stdout.write(`Skipped, because their toolchains are missing: ${skipped.join(', ')}\n`);
  const address = await temporalAddress();
  database = await createDatabase();
  connection = await NativeConnection.connect({ address });
  await createEndpoint(connection, endpoint, `perdure-nexus-${endpoint}`);
  host = await startHost({
    DATABASE_URL: database.url,
    PERDURE_ROLES: 'api,worker,connectors',
    LOG_LEVEL: 'warn',
    NEXUS_ALLOW: JSON.stringify({ [endpoint]: 'demo' }),
    TEMPORAL_TASKS_ALLOW: JSON.stringify({ demo: { taskQueues: languages.map(({ name }) => `payments-${name}`) } }),
  });
  await deploy();
});
afterAll(async () => {
  await host?.stop();
  await connection?.close();
  await database?.drop();
});

async function deploy(): Promise<void> {
  const headers = { authorization: `Bearer ${await tokenFor('editor')}`, 'content-type': 'application/json' };
  const post = (path: string, body?: object) =>
    fetch(`${host.api}/projects/demo/bpmn/resources${path}`, {
      method: 'POST',
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
  const xml = readFileSync(join(repositoryRoot, example, 'order-with-payment.bpmn'), 'utf8');
  const { id } = (await (await post('', { name: 'order-with-payment', xml })).json()) as { id: string };
  expect((await post(`/${id}/deploy`)).status).toBe(204);
}

async function buy(language: string, amount: number): Promise<string> {
  const env = { ...process.env, TEMPORAL_ADDRESS: await temporalAddress(), NEXUS_ENDPOINT: endpoint };
  const script = compiledScript(`${example}/buy.js`);
  const { stdout } = await run(process.execPath, [script, language, String(amount)], { env });
  return stdout.trim();
}

describe.each(languages)('in $name', ({ name, isHere, build }) => {
  let worker: ChildProcess;
  beforeAll(async () => {
    if (!isHere) return;
    const [command, ...given] = await build();
    const env = { ...process.env, TEMPORAL_ADDRESS: await temporalAddress() };
    worker = spawn(command, given, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }, 600_000);
  afterAll(() => void worker?.kill('SIGKILL'));

  it.runIf(isHere)('a workflow calls the process, whose payment is an activity', async () => {
    expect(await buy(name, 120)).toMatch(/^payment-order-/);
  });

  it.runIf(isHere)('a card that is declined is an error that the process catches', async () => {
    expect(await buy(name, 5_000)).toBe('not paid');
  });
});
