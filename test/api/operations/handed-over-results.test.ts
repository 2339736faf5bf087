/** Results of jobs that a step commit of the same process waits for: it writes them together with the next step. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  callActivity,
  endEvent,
  parallelGateway,
  processModel,
  sequenceModel,
  scriptTask,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, start, takeJob, untilStatus } from './support/steps.js';
import { untilAllAgree } from '../../support/agreement.js';
import { eventually } from '../../support/eventually.js';
import { replayAll, type RecordedHistory } from '../../support/replays.js';
import { workflowBundle } from '../../support/workflow-bundle.js';

let host: TestHost;
/** Histories of the instances of all tests, replayed at the end. */
const recorded: RecordedHistory[] = [];

beforeAll(async () => {
  host = await startTestHost({ isOneProcess: true });
});
afterAll(() => host.close());

interface Taken {
  executionKey: string;
  workflowID: string;
  leaseToken: string;
}

const complete = ({ executionKey, workflowID }: Taken, more: Record<string, unknown> = {}, query = '') =>
  host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete${query}`, {
    json: { workflowID, clientID: 'worker-1', ...more },
  });
const oneJob = (type: string) => sequenceModel(`process-${type}`, [serviceTask('work', { type })]);

/** An instance whose commit waits for its first job, and that job. */
async function startLingering(definitionID: string, taskType: string): Promise<{ workflowID: string; job: Taken }> {
  const polled = takeJob(host, taskType);
  const workflowID = await start(host, definitionID);
  return { workflowID, job: await polled };
}

interface CommandRow {
  number: number;
  kind: string;
  status: string;
  actor: string | null;
  /** Written by the commit that applied it. */
  isHandedOver: boolean;
}

async function commandsOf(workflowID: string): Promise<CommandRow[]> {
  const { rows } = await host.store.query<CommandRow>(
    `SELECT number, body ->> 'kind' AS kind, status, actor, created_at = applied_at AS "isHandedOver" FROM commands WHERE workflow_id = $1 ORDER BY number`,
    [workflowID],
  );
  return rows;
}

/** Numbered without gaps, none pending, and a history to replay. */
async function expectWhole(workflowID: string): Promise<CommandRow[]> {
  const commands = await commandsOf(workflowID);
  expect(commands.map(({ number }) => number)).toEqual(commands.map((_, index) => index + 1));
  expect(commands.filter(({ status }) => status === 'PENDING')).toEqual([]);
  await eventually(
    () => host.client.workflow.getHandle(workflowID).describe(),
    ({ status }) => status.name !== 'RUNNING',
  );
  recorded.push({ workflowID, history: await host.historyOf(workflowID) });
  return commands;
}

test('a result is written by the commit of its step, under the name of its worker', async () => {
  const definitionID = await deploy(host, oneJob('plain'));
  const { workflowID, job } = await startLingering(definitionID, 'plain');
  const { status, body } = await complete(job, { variables: { packed: true }, leaseToken: job.leaseToken });
  expect([status, body.status]).toEqual([200, 'APPLIED']);
  await untilStatus(host, workflowID, 'COMPLETED');
  const [command, ...others] = await expectWhole(workflowID);
  expect(others).toEqual([]);
  expect(command).toEqual({
    number: 1,
    kind: 'COMPLETE_JOB',
    status: 'APPLIED',
    actor: 'executor',
    isHandedOver: true,
  });
  const { body: found } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/commands/${body.commandID}`);
  expect(found).toMatchObject({ commandID: body.commandID, status: 'APPLIED' });
  const { body: variables } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/variables`);
  expect(variables.variables).toEqual({ packed: true });
  const { body: jobs } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/external-jobs`);
  expect(jobs.data).toMatchObject([{ status: 'COMPLETED', completedBy: 'executor' }]);
});

test('five results in sequence are five commands, each written with its step', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const definitionID = await deploy(
    host,
    sequenceModel(
      'process-sequence',
      names.map((name) => serviceTask(name, { type: 'sequence' })),
    ),
  );
  const { workflowID, job } = await startLingering(definitionID, 'sequence');
  let next: Taken = job;
  for (const name of names.slice(1)) {
    const { body } = await complete(next, { poll: { taskType: 'sequence', timeout: '20s' } });
    expect(body.jobs).toMatchObject([{ workflowID, nodeID: name }]);
    next = body.jobs[0];
  }
  expect((await complete(next)).status).toBe(200);
  await untilStatus(host, workflowID, 'COMPLETED');
  const commands = await expectWhole(workflowID);
  expect(commands).toHaveLength(5);
  expect(commands.every(({ isHandedOver }) => isHandedOver)).toBe(true);
});

test('a repeated completion returns the first response, and another client is refused', async () => {
  const definitionID = await deploy(host, oneJob('again'));
  const { workflowID, job } = await startLingering(definitionID, 'again');
  const [one, two] = await Promise.all([complete(job), complete(job)]);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(one.body.commandID).toBe(two.body.commandID);
  expect((await complete(job)).body).toEqual(one.body);
  expect(await complete(job, { clientID: 'worker-2' })).toMatchObject({ status: 409 });
  await untilStatus(host, workflowID, 'COMPLETED');
  expect(await expectWhole(workflowID)).toHaveLength(1);
});

test('a client without the lease is refused, and the holder completes the job', async () => {
  const definitionID = await deploy(host, oneJob('fenced'));
  const { workflowID, job } = await startLingering(definitionID, 'fenced');
  expect(await complete(job, { clientID: 'worker-2' })).toMatchObject({ status: 409, body: { code: 'LEASE_LOST' } });
  expect(await complete(job, { leaseToken: '99' })).toMatchObject({ status: 409, body: { code: 'LEASE_LOST' } });
  expect(await complete({ ...job, executionKey: `${workflowID}:99` })).toMatchObject({ status: 404 });
  expect((await complete(job)).status).toBe(200);
  await untilStatus(host, workflowID, 'COMPLETED');
  expect(await expectWhole(workflowID)).toHaveLength(1);
});

test('results of parallel jobs that arrive together are all applied', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `side${index}`);
  const definitionID = await deploy(
    host,
    processModel(
      'sides',
      [
        startEvent('start'),
        parallelGateway('fork'),
        names.map((name) => serviceTask(name, { type: 'sides' })),
        parallelGateway('join'),
        endEvent('end'),
      ],
      [
        'a: start -> fork',
        ...names.flatMap((name) => [`in_${name}: fork -> ${name}`, `out_${name}: ${name} -> join`]),
        'z: join -> end',
      ],
    ),
  );
  for (let round = 0; round < 5; round += 1) {
    const { workflowID, job } = await startLingering(definitionID, 'sides');
    const jobs: Taken[] = [job];
    while (jobs.length < names.length) jobs.push(await takeJob(host, 'sides'));
    const answers = await Promise.all(jobs.map((taken) => complete(taken)));
    expect(answers.map(({ status }) => status)).toEqual(jobs.map(() => 200));
    await untilStatus(host, workflowID, 'COMPLETED');
    expect(await expectWhole(workflowID)).toHaveLength(names.length);
  }
});

test('the result of the last job of a called process continues its caller', async () => {
  await deploy(host, sequenceModel('called', [serviceTask('work', { type: 'called' })]));
  const definitionID = await deploy(
    host,
    processModel(
      'caller',
      [startEvent('start'), callActivity('call', 'called'), endEvent('end')],
      ['a: start -> call', 'b: call -> end'],
    ),
  );
  const { workflowID, job } = await startLingering(definitionID, 'called');
  expect((await complete(job, { variables: { done: 1 } })).status).toBe(200);
  await untilStatus(host, workflowID, 'COMPLETED');
  expect(await expectWhole(job.workflowID)).toMatchObject([{ kind: 'COMPLETE_JOB', status: 'APPLIED' }]);
});

test('a result whose step calls a process is written first', async () => {
  await deploy(host, sequenceModel('short', [scriptTask('add', '=1 + 1', 'sum')]));
  for (const [called, incidents] of [
    ['short', 0],
    ['missing', 1],
  ] as const) {
    const definitionID = await deploy(
      host,
      processModel(
        `calls-${called}`,
        [startEvent('start'), serviceTask('work', { type: called }), callActivity('call', called), endEvent('end')],
        ['a: start -> work', 'b: work -> call', 'c: call -> end'],
      ),
    );
    const { workflowID, job } = await startLingering(definitionID, called);
    expect((await complete(job)).status).toBe(200);
    await eventually(
      () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/incidents`),
      ({ body }) => body.data.length === incidents,
    );
    if (incidents === 0) await untilStatus(host, workflowID, 'COMPLETED');
    const [command] = await commandsOf(workflowID);
    expect(command).toMatchObject({ kind: 'COMPLETE_JOB', status: 'APPLIED', isHandedOver: false });
  }
});

test('a result too large for a workflow task is written first', async () => {
  const definitionID = await deploy(host, oneJob('large'));
  const { workflowID, job } = await startLingering(definitionID, 'large');
  expect((await complete(job, { variables: { text: 'x'.repeat(100_000) } })).status).toBe(200);
  await untilStatus(host, workflowID, 'COMPLETED');
  expect(await expectWhole(workflowID)).toMatchObject([{ isHandedOver: false }]);
});

test('while the instance is suspended, a result is kept until it is resumed', async () => {
  const definitionID = await deploy(host, oneJob('suspended'));
  const { workflowID, job } = await startLingering(definitionID, 'suspended');
  await host.call('admin', 'POST', `/bpmn/instances/${workflowID}/suspend`, { json: {} });
  expect((await complete(job)).status).toBe(202);
  await host.call('admin', 'POST', `/bpmn/instances/${workflowID}/resume`, { json: {} });
  await untilStatus(host, workflowID, 'COMPLETED');
  expect(await expectWhole(workflowID)).toHaveLength(1);
});

test('of a completion and a cancellation at the same time, either is refused or both take effect in order', async () => {
  const definitionID = await deploy(host, oneJob('canceled'));
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const { job } = await startLingering(definitionID, 'canceled');
      const { workflowID } = job;
      await new Promise((resolve) => setTimeout(resolve, index % 4));
      const [completed, canceled] = await Promise.all([
        complete(job),
        host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}`),
      ]);
      expect([200, 409]).toContain(completed.status);
      expect([204, 409]).toContain(canceled.status);
      const ended = await eventually(
        async () => (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body,
        (instance) => instance.status !== 'RUNNING',
      );
      expect(ended.status).toBe(completed.status === 200 ? 'COMPLETED' : 'CANCELED');
      await expectWhole(workflowID);
    }),
  );
}, 60_000);

test('of a completion and other commands at the same time, all take effect, each once', async () => {
  const definitionID = await deploy(host, oneJob('disturbed'));
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const { job } = await startLingering(definitionID, 'disturbed');
      const { workflowID } = job;
      const set = (name: string) =>
        host.call('editor', 'PATCH', `/bpmn/instances/${workflowID}/variables`, { json: { variables: { [name]: 1 } } });
      const first = set('first');
      await new Promise((resolve) => setTimeout(resolve, index % 6));
      const answers = await Promise.all([first, complete(job), set('second')]);
      expect(answers[1].status).toBe(200);
      await untilStatus(host, workflowID, 'COMPLETED');
      const applied = (await expectWhole(workflowID)).filter(({ status }) => status === 'APPLIED');
      expect(applied.filter(({ kind }) => kind === 'COMPLETE_JOB')).toHaveLength(1);
    }),
  );
}, 60_000);

test(
  'rows, facts, and histories agree after all of it, also where results were withdrawn',
  () => untilAllAgree(host.store, host.client),
  60_000,
);

test('the histories of all of it replay', async () => {
  expect(recorded.length).toBeGreaterThan(40);
  const errors = await replayAll({ bundlePath: await workflowBundle() }, recorded);
  expect(errors.filter((error) => error !== undefined)).toEqual([]);
});
