/**
 * That named statements look rows up by their keys. Postgres keeps their plans; one that was made in a quiet hour must
 * not read an index of all that is open when much is.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import { sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { deploy, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

/** They look for what they do not know the key of, each by the indexes that were made for it. */
const SEARCHES = new Map([
  ['poll jobs', ['jobs_of_type_by_priority', 'jobs_of_type_prioritized', 'jobs_hot', 'definitions_suspended']],
  ['poll jobs by path', ['jobs_by_priority', 'jobs_prioritized', 'jobs_hot', 'definitions_suspended']],
  ['subscribers of a message', ['subscriptions_open']],
]);
/** Keys in all but name: what an instance has claimed, and whether its tree follows. */
const KEYS = ['publications_claimed', 'parents_to_follow_by_root'];

interface NamedStatement {
  name: string;
  text: string;
  values: unknown[];
}

interface Plan {
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

const statements = new Map<string, NamedStatement>();
let host: TestHost;

beforeAll(async () => {
  const query = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [Partial<NamedStatement> | undefined];
    if (asked?.name !== undefined) statements.set(asked.name, { values: [], ...asked } as NamedStatement);
    return Reflect.apply(query, this, given) as unknown;
  } as never);
  host = await startTestHost();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await host?.close();
});

it('named statements have plans that look rows up by their key, though in a quiet hour an index of all that is open is as small', async () => {
  // Automatic statistics of Postgres would change the plans.
  const { rows: tables } = await host.store.query<{ name: string }>(
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  for (const { name } of tables) await host.store.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
  const definitionID = await deploy(host, model());
  await runToTheEnd(definitionID, 'first');
  const unrelated = await deploy(host, sequenceModel('unrelated', [serviceTask('other')]));
  await expectSuccess('admin', 'POST', `/bpmn/definitions/${unrelated}/suspend`, {});
  await runToTheEnd(definitionID, 'second');

  const found = await withClient(async (client) => {
    const indexes = await readIndexes(client);
    const used: string[] = [];
    for (const statement of statements.values()) {
      for (const { index, condition } of await lookupsOf(client, statement)) {
        const { isKey, column } = indexes.get(index)!;
        const isRight = isKey || KEYS.includes(index) || SEARCHES.get(statement.name)?.includes(index);
        if (!isRight || !condition.includes(column)) used.push(`${statement.name}: ${index} ${condition}`);
      }
    }
    return used;
  });

  expect([...statements.keys()]).toEqual(
    expect.arrayContaining([
      'start instance',
      'end job',
      'resolve incident',
      'end user task',
      'submit command',
      'give message',
      ...SEARCHES.keys(),
    ]),
  );
  expect(found).toEqual([]);
});

function model(): string {
  const message =
    '<bpmn:intermediateCatchEvent id="wait"><bpmn:messageEventDefinition messageRef="root" /></bpmn:intermediateCatchEvent>';
  const root =
    '<bpmn:message id="root" name="continue"><bpmn:extensionElements><zeebe:subscription correlationKey="=key" /></bpmn:extensionElements></bpmn:message>';
  return sequenceModel('everything', [serviceTask('work', { retries: 1 }), userTask('decide'), message], root);
}

/** A job that fails once, a task, and a message that comes before it is waited for, or after. */
async function runToTheEnd(definitionID: string, key: string): Promise<void> {
  const workflowID = await start(host, definitionID, { variables: { key } });
  const failed = await takeJob(host, 'work');
  await expectSuccess('executor', 'POST', `/bpmn/external-jobs/${failed.executionKey}/error`, {
    errorCode: 'E',
    retryable: false,
  });
  const { body: incidents } = await eventually(
    () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/incidents`),
    ({ body }) => body.data?.length === 1,
  );
  await expectSuccess('editor', 'PUT', `/bpmn/instances/${workflowID}/variables`, { variables: { by: 'hand' } });
  await expectSuccess(
    'editor',
    'POST',
    `/bpmn/instances/${workflowID}/incidents/${incidents.data[0].incidentID}/resolve`,
    {},
  );
  const job = await takeJob(host, 'work');
  await expectSuccess('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
    workflowID,
    clientID: 'worker-1',
  });
  const { body: tasks } = await eventually(
    () => host.call('executor', 'GET', `/bpmn/user-tasks?workflowID=${workflowID}`),
    ({ body }) => body.data.length === 1,
  );
  if (key === 'first') await publish(key);
  await expectSuccess('executor', 'POST', `/bpmn/user-tasks/${tasks.data[0].executionKey}/complete`, {});
  if (key === 'second') {
    await eventually(
      async () => (await host.store.query('SELECT 1 FROM subscriptions WHERE workflow_id = $1', [workflowID])).rowCount,
      (count) => count === 1,
    );
    await publish(key);
  }
  await untilStatus(host, workflowID, 'COMPLETED');
}

async function publish(key: string): Promise<void> {
  await expectSuccess('executor', 'POST', '/bpmn/messages', {
    messageName: 'continue',
    correlationKeys: key,
    variables: {},
    ttl: 'PT1M',
  });
}

async function expectSuccess(
  role: 'executor' | 'editor' | 'admin',
  method: string,
  path: string,
  json: object,
): Promise<void> {
  const { status, body } = await host.call(role, method, path, { json });
  expect(status, `${path} answered ${JSON.stringify(body)}`).toBeLessThan(300);
}

async function withClient<Value>(work: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ connectionString: host.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Of each index its first column, and whether it is a key. */
async function readIndexes(client: pg.Client): Promise<Map<string, { column: string; isKey: boolean }>> {
  const { rows } = await client.query<{ name: string; column: string; isKey: boolean }>(
    'SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid, 1, false) AS column, indisunique AS "isKey" FROM pg_index',
  );
  return new Map(rows.map(({ name, ...index }) => [name, index]));
}

interface Lookup {
  index: string;
  condition: string;
}

/** How indexes are read by the plan that Postgres keeps for any values. */
async function lookupsOf(client: pg.Client, { text, values }: NamedStatement): Promise<Lookup[]> {
  await client.query('SET plan_cache_mode = force_generic_plan');
  await client.query(`PREPARE looked_at AS ${text}`);
  const given = values.length === 0 ? '' : `(${values.map(() => 'NULL').join(', ')})`;
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (FORMAT JSON) EXECUTE looked_at${given}`,
  );
  await client.query('DEALLOCATE looked_at');
  return lookupsIn(rows[0]!['QUERY PLAN'][0].Plan);
}

function lookupsIn({
  'Index Name': index,
  'Index Cond': condition = 'from end to end',
  Plans: plans = [],
}: Plan): Lookup[] {
  return [...(index === undefined ? [] : [{ index, condition }]), ...plans.flatMap(lookupsIn)];
}
