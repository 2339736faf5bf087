/** That the comparison of rows, facts and Temporal finds what it is there to find. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compiledScript } from '../../dev/repository.js';
import { heldCommands } from '@perdure/engine/state/element-data.js';
import type { Discrepancy } from '../../host/admin/verify/discrepancy.js';
import { findDiscrepancies } from '../../host/admin/verify/find-discrepancies.js';
import { findLastingDiscrepancies } from '../../host/admin/verify/find-lasting-discrepancies.js';
import { failInstance } from '../../store/steps/fail-instance.js';
import { stateAt } from '../../store/steps/replay.js';
import { startTestHost, type TestHost } from '../api/operations/support/host.js';
import { deploy, start, takeJob, untilStatus } from '../api/operations/support/steps.js';
import { scriptTask, sequenceModel, serviceTask, taskListeners, userTask } from '@perdure/testkit/models';
import { eventually } from '../support/eventually.js';
import { simpleModel } from '../support/models.js';
import { untilAllAgree } from '../support/agreement.js';
import { temporalAddress } from '../support/infrastructure.js';

let host: TestHost;
let connection: Connection;
/** One that has ended, and one that waits for a person. */
let ended: string;
let waiting: string;

beforeAll(async () => {
  host = await startTestHost();
  connection = await Connection.connect({ address: await temporalAddress() });
  ended = await start(host, await deploy(host, sequenceModel('short', [serviceTask('work')])));
  await workOn('work');
  await untilStatus(host, ended, 'COMPLETED');
  waiting = await start(host, await deploy(host, sequenceModel('long', [serviceTask('prepare'), userTask('decide')])));
  await workOn('prepare');
});
afterAll(async () => {
  await connection?.close();
  await host?.close();
});

async function workOn(taskType: string): Promise<void> {
  const { executionKey, workflowID } = await takeJob(host, taskType);
  const completed = await host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, {
    json: { workflowID, clientID: 'worker-1', variables: { done: taskType } },
  });
  expect(completed.status).toBe(200);
}

async function discrepancies(): Promise<Discrepancy[]> {
  return (await findDiscrepancies(host.store, new Client({ connection }))).discrepancies;
}

/** `npm run verify` over the host's database. */
async function runVerify(): Promise<{ code: number | null; output: string }> {
  const environment = {
    ...process.env,
    DATABASE_URL: host.databaseUrl,
    TEMPORAL_ADDRESS: await temporalAddress(),
  };
  const verify = spawn(process.execPath, [compiledScript('host/admin/verify.js')], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(verify, 'close');
  const output = await text(verify.stdout);
  return { code: (await exited)[0] as number | null, output };
}

/** Facts that have not happened, at the end of the first step commit. */
function addFacts(...facts: object[]): string {
  return `UPDATE steps SET facts = (facts::jsonb || '${JSON.stringify(facts)}')::json, fact_count = fact_count + ${facts.length} WHERE number = 1 AND workflow_id = $1`;
}

it.each<[string, string, () => string, Discrepancy['invariant']]>([
  [
    'an instance that waits for nothing',
    "UPDATE steps SET facts = (SELECT json_agg(f) FROM json_array_elements(facts) f WHERE f ->> 'kind' <> 'USER_TASK_CREATED') WHERE workflow_id = $1",
    () => waiting,
    'R2',
  ],
  [
    'an element that ended twice',
    `UPDATE steps SET facts = (facts::jsonb || '[{"kind":"ELEMENT_COMPLETED","element":1}]')::json, fact_count = fact_count + 1 WHERE number = 1 AND workflow_id = $1`,
    () => ended,
    'R3',
  ],
  ['a job that is open again', "UPDATE jobs SET status = 'PENDING' WHERE workflow_id = $1", () => ended, 'R4'],
  ['a task without a claim', "UPDATE user_tasks SET status = 'COMPLETED' WHERE workflow_id = $1", () => waiting, 'R4'],
  ['a completion counted twice', 'UPDATE instances SET command_count = 2 WHERE workflow_id = $1', () => ended, 'R13'],
  ['a completion that was lost', "UPDATE commands SET status = 'PENDING' WHERE workflow_id = $1", () => ended, 'R4'],
  ['a step that is missing', 'DELETE FROM steps WHERE number = 2 AND workflow_id = $1', () => ended, 'R13'],
  [
    'an instance that runs in its row only',
    "UPDATE instances SET status = 'RUNNING' WHERE workflow_id = $1",
    () => ended,
    'R13',
  ],
  [
    'an instance that has ended in its row only',
    "UPDATE instances SET status = 'COMPLETED' WHERE workflow_id = $1",
    () => waiting,
    'R13',
  ],
  [
    'a variable that no fact has set',
    `UPDATE instances SET variables = '{"done":"without an actor"}' WHERE workflow_id = $1`,
    () => waiting,
    'R13',
  ],
  [
    'a message that two have taken',
    addFacts(
      ...[7, 8].flatMap((subscription) => [
        { kind: 'SUBSCRIPTION_OPENED', subscription, type: 'message' },
        { kind: 'SUBSCRIPTION_CLOSED', subscription, reason: 'CONSUMED', publicationID: 'm' },
      ]),
    ),
    () => ended,
    'R6',
  ],
  [
    'a signal that one has taken twice',
    addFacts(
      ...[7, 8].flatMap((subscription) => [
        { kind: 'SUBSCRIPTION_OPENED', subscription, element: 7, node: 'gate', type: 'signal' },
        { kind: 'SUBSCRIPTION_CLOSED', subscription, reason: 'CONSUMED', publicationID: 's' },
      ]),
    ),
    () => ended,
    'R7',
  ],
  [
    'an instance that continues after its cancellation',
    addFacts({ kind: 'INSTANCE_CANCELED' }, { kind: 'ELEMENT_COMPLETED', element: 1 }),
    () => ended,
    'R10',
  ],
  [
    'a child that outlives its canceled caller',
    "WITH canceled AS (UPDATE instances SET status = 'CANCELED' WHERE status = 'COMPLETED' RETURNING workflow_id) UPDATE instances SET parent_workflow_id = (SELECT workflow_id FROM canceled) WHERE workflow_id = $1",
    () => waiting,
    'R10',
  ],
  [
    'an incident that was resolved twice',
    `INSERT INTO commands (workflow_id, project_id, number, body, awaited, status, deliver_at) SELECT $1, 'p', n, '{"kind":"RESOLVE_INCIDENT","incident":7}', false, 'APPLIED', now() FROM generate_series(8, 9) n`,
    () => ended,
    'R11',
  ],
  [
    'a timer that fired early',
    addFacts({ kind: 'TIMER_STARTED', timer: 7, due: 4_000_000_000_000 }, { kind: 'TIMER_FIRED', timer: 7 }),
    () => ended,
    'R12',
  ],
  [
    'a child that outlives its caller',
    "UPDATE instances SET parent_workflow_id = (SELECT workflow_id FROM instances WHERE status = 'COMPLETED') WHERE workflow_id = $1",
    () => waiting,
    'R17',
  ],
  [
    'the end of a child told twice',
    addFacts({ kind: 'CHILD_ENDED', child: 7 }, { kind: 'CHILD_ENDED', child: 7 }),
    () => ended,
    'R17',
  ],
  [
    'an instance with other active nodes',
    "UPDATE instances SET active_nodes = '{prepare}' WHERE workflow_id = $1",
    () => waiting,
    'R13',
  ],
  [
    'an incident that is not counted',
    'UPDATE instances SET open_incidents = 1 WHERE workflow_id = $1',
    () => waiting,
    'R13',
  ],
])('verify finds %s, and says which instance', async (_what, damage, instance, invariant) => {
  await untilAllAgree(host.store, new Client({ connection }));
  const tables = ['instances', 'steps', 'jobs', 'user_tasks', 'commands'];
  for (const table of tables) await host.store.query(`CREATE TABLE kept_${table} AS TABLE ${table}`);

  await host.store.query(damage, [instance()]);
  const found = await discrepancies();

  expect(found).toContainEqual({ invariant, workflowID: instance(), found: expect.any(String) });
  expect(JSON.stringify(found)).not.toContain('without an actor');
  for (const table of tables) {
    await host.store.query(`DELETE FROM ${table}`);
    const columns = await insertableColumns(table);
    await host.store.query(
      `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM kept_${table}`,
    );
    await host.store.query(`DROP TABLE kept_${table}`);
  }
});

it('at the command line names what is wrong for longer than a moment, while instances work', async () => {
  await untilAllAgree(host.store, new Client({ connection }));
  expect(await runVerify()).toEqual({
    code: 0,
    output: expect.stringMatching(/^\d+ instances compared, 0 discrepancies\n$/),
  });

  await host.store.query('UPDATE instances SET open_incidents = 1 WHERE workflow_id = $1', [waiting]);
  const { code, output } = await runVerify();
  await host.store.query('UPDATE instances SET open_incidents = 0 WHERE workflow_id = $1', [waiting]);
  expect(code).toBe(1);
  expect(output).toMatch(new RegExp(`^R13 ${waiting}: .*\n\\d+ instances compared, 1 discrepancies\n$`));
});

it('verify does not report a discrepancy that is gone at the second check', async () => {
  await untilAllAgree(host.store, new Client({ connection }));
  await host.store.query('UPDATE instances SET open_incidents = 1 WHERE workflow_id = ANY($1)', [[waiting, ended]]);
  const repaired = () => host.store.query('UPDATE instances SET open_incidents = 0 WHERE workflow_id = $1', [ended]);

  const { discrepancies: lasting } = await findLastingDiscrepancies(host.store, new Client({ connection }), repaired);

  await host.store.query('UPDATE instances SET open_incidents = 0 WHERE workflow_id = $1', [waiting]);
  expect(lasting).toEqual([{ invariant: 'R13', workflowID: waiting, found: expect.any(String) }]);
});

it('verify reads past text that Postgres stores and cannot decode', async () => {
  const spoilt = await start(
    host,
    await deploy(host, simpleModel([scriptTask('spoil', String.raw`="a\u0000b"`, 'spoilt')], ['f1: s -> spoil'])),
  );
  await untilStatus(host, spoilt, 'COMPLETED');
  await untilAllAgree(host.store, new Client({ connection }));
});

it('verify finds nothing wrong with a paused instance that keeps a result, nor with one that fails then', async () => {
  const paused = await start(host, await deploy(host, sequenceModel('paused', [serviceTask('kept')])));
  const { executionKey } = await takeJob(host, 'kept');
  const suspended = await host.call('admin', 'POST', `/bpmn/instances/${paused}/suspend`);
  expect(suspended.status).toBe(204);
  const kept = await host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, {
    json: { workflowID: paused, clientID: 'worker-1' },
  });
  expect(kept.status).toBe(202);
  await eventually(
    () => stateAt(host.store, paused),
    ({ state }) => state.deferred !== undefined,
  );
  await untilAllAgree(host.store, new Client({ connection }));
  await new Client({ connection }).workflow.getHandle(paused).terminate();
  expect(await failInstance(host.store, paused, 'ended from outside')).toBe(true);
  expect(await discrepancies()).toEqual([]);
}, 60_000);

it('verify finds nothing wrong with a task whose listeners decide, nor with an instance that fails then', async () => {
  const extensions = taskListeners({ assigning: ['agree'], completing: ['check'] });
  const asked = await start(host, await deploy(host, sequenceModel('asked', [userTask('review', { extensions })])));
  const [{ executionKey }] = (
    await eventually(
      () => host.call('executor', 'GET', `/bpmn/instances/${asked}/user-tasks`),
      ({ body }) => body.data.length === 1,
    )
  ).body.data;
  const claimed = host.call('executor', 'POST', `/bpmn/user-tasks/${executionKey}/claim`);
  await workOn('agree');
  expect((await claimed).status).toBe(200);
  const held = await host.call('executor', 'POST', `/bpmn/user-tasks/${executionKey}/complete`, {
    json: {},
    headers: { prefer: 'wait=0' },
  });
  expect(held.status).toBe(202);
  await eventually(
    () => stateAt(host.store, asked),
    ({ state }) => heldCommands(state).length === 1,
  );
  await untilAllAgree(host.store, new Client({ connection }));
  await new Client({ connection }).workflow.getHandle(asked).terminate();
  expect(await failInstance(host.store, asked, 'ended from outside')).toBe(true);
  expect(await discrepancies()).toEqual([]);
  const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${asked}/commands/${held.body.commandID}`);
  expect(body).toMatchObject({ status: 'REJECTED', code: 'INSTANCE_ENDED' });
}, 60_000);

/** SQL: the columns of the table that are not computed from others. */
async function insertableColumns(table: string): Promise<string> {
  const { rows } = await host.store.query<{ names: string }>(
    "SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER'",
    [table],
  );
  return rows[0]!.names;
}
