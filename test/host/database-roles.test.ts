/** deploy/postgres/roles.sql: hosts with one role each work with the rights of that role, and with no others. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { endEvent, element, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { repositoryRoot } from '../../dev/repository.js';
import { migrate, SchemaRightsError } from '../../store/migrate.js';
import { answerWith, startService, type Service } from '../connectors/support/service.js';
import { eventually } from '../support/eventually.js';
import { startHostProcess, type HostProcess } from '../support/hosts/host-process.js';
import { createEmptyDatabase, tokenFor, uniqueName, type TestDatabase } from '../support/infrastructure.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const names = ['owner', 'api', 'worker', 'connectors'] as const;
type Name = (typeof names)[number];

/** Roles belong to the whole server, so those of the test have another prefix. */
const prefix = `r${randomBytes(5).toString('hex')}_`;
const password = randomBytes(12).toString('hex');
const script = readFileSync(join(repositoryRoot, 'deploy/postgres/roles.sql'), 'utf8').replaceAll('perdure_', prefix);

let database: TestDatabase;
let service: Service;
const hosts: HostProcess[] = [];
let api = '';
let refusalBeforeMigration: unknown;

beforeAll(async () => {
  database = await createEmptyDatabase();
  service = await startService();
  await asAdministrator(script);
  for (const name of names) await asAdministrator(`ALTER ROLE ${prefix}${name} PASSWORD '${password}'`);
  refusalBeforeMigration = await migrate(urlOf('worker')).catch((error: unknown) => error);
  await migrate(urlOf('owner'));
  await asAdministrator(script);
  await startHosts();
});
afterAll(async () => {
  for (const { child } of hosts) child.kill('SIGKILL');
  await Promise.all(hosts.map(({ exited }) => exited));
  await service?.close();
  // Rights are in the database, so it goes before its roles.
  await database?.drop();
  const other = await createEmptyDatabase();
  await query(other.url, names.map((name) => `DROP ROLE IF EXISTS ${prefix}${name}`).join('; '));
  await other.drop();
});

function urlOf(name: Name): string {
  const url = new URL(database.url);
  url.username = `${prefix}${name}`;
  url.password = password;
  return url.href;
}

async function query(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

const asAdministrator = (statement: string) => query(database.url, statement);

async function startHosts(): Promise<void> {
  const common = { TEMPORAL_TASK_QUEUE: uniqueName('roles'), LOG_LEVEL: 'warn', EGRESS_ALLOW: service.url };
  const secrets = JSON.stringify({
    demo: { EVENTS: { values: [Buffer.from('signs the events of the project').toString('base64')] } },
  });
  const started = await Promise.all(
    (['api', 'worker', 'connectors'] as const).map((name) =>
      startHostProcess({ ...common, DATABASE_URL: urlOf(name), PERDURE_ROLES: name, SECRETS: secrets }),
    ),
  );
  hosts.push(...started);
  const [first] = await Promise.all(started.map(readyOrEnded));
  api = first!.api!;
}

function readyOrEnded({ ready, exited, output }: HostProcess): Promise<{ api?: string }> {
  return Promise.race([ready, exited.then((code) => expect.fail(`A host ended with ${code}: ${output()}`))]);
}

/** Fails if the request is refused. */
async function call(account: string, method: string, path: string, json?: object): Promise<any> {
  const headers = { authorization: `Bearer ${await tokenFor(account)}`, 'content-type': 'application/json' };
  const response = await fetch(`${api}/projects/demo${path}`, {
    method,
    headers,
    ...(json && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(
      `${method} ${path} answered ${response.status}: ${text}\n${hosts.map(({ output }) => output()).join('\n')}`,
    );
  return text === '' ? undefined : JSON.parse(text);
}

const model = processModel(
  'roles',
  [
    startEvent('start'),
    serviceTask('call', {
      type: 'perdure:http',
      inputs: { url: '=url', method: 'GET' },
      headers: { retryBackoff: 'PT0S' },
    }),
    element('userTask', { id: 'look', name: 'Look at it' }),
    endEvent('end'),
  ],
  'start -> call -> look -> end',
);

async function begin(path: string, businessId: string): Promise<string> {
  const { workflowID } = await call('executor', 'POST', '/bpmn/instances', {
    processId: 'roles',
    businessId,
    variables: { url: `${service.url}${path}` },
  });
  return workflowID;
}

const firstOf = (path: string) =>
  eventually(`something at ${path}`, async () => (await call('admin', 'GET', path)).data[0]);

it('all roles together carry out what a fleet does, and nothing of it is denied', async () => {
  service.on('/broken', answerWith(500, {}));
  await call('admin', 'PATCH', '/settings', { eventRetention: 'P1D', auditRetention: 'P400D' });
  await call('admin', 'POST', '/events/subscriptions', {
    name: 'warehouse',
    url: `${service.url}/events`,
    secret: 'EVENTS',
    types: ['perdure.instance.started', 'perdure.instance.completed'],
  });
  await call('editor', 'POST', '/bpmn/deployments', { files: [{ name: 'roles.bpmn', content: model }] });

  const completed = await begin('/', 'order-1');
  const { executionKey } = await firstOf(`/bpmn/instances/${completed}/user-tasks?status=CREATED`);
  await call('admin', 'POST', `/bpmn/instances/${completed}/suspend`, { reason: 'stocktaking' });
  await call('executor', 'POST', `/bpmn/user-tasks/${executionKey}/comments`, { text: 'looked' });
  await call('admin', 'POST', `/bpmn/instances/${completed}/resume`, {});
  await call('executor', 'POST', `/bpmn/user-tasks/${executionKey}/complete`, { variables: { seen: true } });

  const failed = await begin('/broken', 'order-2');
  await firstOf(`/bpmn/instances/${failed}/incidents`);
  await call('editor', 'PUT', `/bpmn/instances/${failed}/variables`, { variables: { url: service.url } });
  await call('editor', 'DELETE', `/bpmn/instances/${failed}`);

  const statusOf = async (workflowID: string) => (await call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).status;
  await eventually(
    () => statusOf(completed),
    (status) => status === 'COMPLETED',
  );
  await eventually(
    () => statusOf(failed),
    (status) => status === 'CANCELED',
  );
  await eventually(
    async () => service.received.filter(({ url }) => url === '/events').length,
    (count) => count >= 3,
  );
  const entries = await call('admin', 'GET', '/audit');
  expect(entries.data.length).toBeGreaterThan(4);
  for (const { output } of hosts) expect(output()).not.toMatch(/permission denied|42501/);
});

it.each<[Name, string]>([
  ['api', 'DROP TABLE instances'],
  ['api', 'TRUNCATE instances'],
  ['api', 'CREATE TABLE mine ()'],
  ['api', 'ALTER TABLE instances DISABLE TRIGGER ALL'],
  ['api', 'DELETE FROM audit_entries'],
  ['api', "UPDATE audit_entries SET actor = 'nobody'"],
  ['api', 'DELETE FROM schema_migrations'],
  ['worker', 'DROP TABLE instances'],
  ['worker', "UPDATE audit_entries SET actor = 'nobody'"],
  ['connectors', 'DELETE FROM definitions'],
  ['connectors', 'DELETE FROM audit_entries'],
  ['connectors', "UPDATE projects SET name = 'mine'"],
  ['connectors', 'SELECT * FROM search_cursor_key'],
])('%s may not: %s', async (name, statement) => {
  await expect(query(urlOf(name), statement)).rejects.toMatchObject({ code: '42501' });
});

it('other roles of the server cannot even connect', async () => {
  await asAdministrator(`CREATE ROLE ${prefix}other LOGIN PASSWORD '${password}'`);
  try {
    const url = urlOf('api').replace(`${prefix}api`, `${prefix}other`);
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: '42501' });
  } finally {
    await asAdministrator(`DROP ROLE ${prefix}other`);
  }
});

it('workers can analyze tables', async () => {
  const before = await asAdministrator("SELECT last_analyze FROM pg_stat_user_tables WHERE relname = 'batches'");
  await query(urlOf('worker'), 'ANALYZE batches');
  const after = await asAdministrator("SELECT last_analyze FROM pg_stat_user_tables WHERE relname = 'batches'");
  expect(after.rows).not.toEqual(before.rows);
});

it('a host without the schema says what is missing and who can create it', () => {
  expect(refusalBeforeMigration).toBeInstanceOf(SchemaRightsError);
  expect(String(refusalBeforeMigration)).toMatch(
    new RegExp(`lacks 0001_baseline, and role ${prefix}worker may not create it. Run npm run migrate`),
  );
});

it('a complete schema needs no rights to change it', async () => {
  expect(await migrate(urlOf('connectors'))).toEqual([]);
});
