import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import { scriptTask, sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { deploy, jobOf, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const detail = async (workflowID: string) => (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body;
const migrate = (workflowID: string, json: Record<string, unknown>) =>
  host.call('editor', 'POST', `/bpmn/instances/${workflowID}/migrate`, { json });
const validate = (workflowID: string, json: Record<string, unknown>) =>
  host.call('editor', 'POST', `/bpmn/instances/${workflowID}/migrate/validate`, { json });
const mapped = (sourceElementID: string, targetElementID: string) => ({
  elementMappings: [{ sourceElementID, targetElementID }],
});

/** An instance of version 1, which waits at a job, and version 2, which has the job under another id and one more. */
async function outdated(id: string) {
  const first = await deploy(host, sequenceModel(id, [serviceTask(`${id}-a`)]));
  const workflowID = await start(host, first);
  await jobOf(host, workflowID);
  const second = await deploy(host, sequenceModel(id, [serviceTask(`${id}-b`), serviceTask(`${id}-added`)]));
  return { first, second, workflowID };
}

test('an instance continues with the new version, and a worker that holds its job completes it there', async () => {
  const { second, workflowID } = await outdated('moved');
  const job = await takeJob(host, 'moved-a');
  expect(
    await migrate(workflowID, {
      targetVersion: 2,
      ...mapped('moved-a', 'moved-b'),
      variables: { migrated: true },
      reason: 'the new contract',
    }),
  ).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
  expect(await detail(workflowID)).toMatchObject({
    definitionID: second,
    processVersion: 2,
    variables: { migrated: true },
    activeScopes: [{ activeNodes: { 'moved-b': 1 }, processVersion: 2 }],
  });
  const heartbeat = await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/heartbeat`, {
    json: { clientID: 'worker-1' },
  });
  expect(heartbeat.status).toBe(200);
  const { body: jobs } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/external-jobs`);
  expect(jobs.data).toMatchObject([
    { executionKey: job.executionKey, nodeID: 'moved-b', taskType: 'moved-a', status: 'PENDING', lockedBy: 'worker-1' },
  ]);
  const completed = await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
    json: { workflowID, clientID: 'worker-1', variables: { result: 1 } },
  });
  expect(completed.status).toBe(200);
  const added = await takeJob(host, 'moved-added');
  expect(added.variables).toEqual({ migrated: true, result: 1 });
  await host.call('executor', 'POST', `/bpmn/external-jobs/${added.executionKey}/complete`, { json: { workflowID } });
  await untilStatus(host, workflowID, 'COMPLETED');
  const { body: history } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/history`);
  expect(
    history.data.map(({ nodeID, nodeType, status }: Record<string, string>) => `${nodeID} ${nodeType} ${status}`),
  ).toEqual([
    'start startEvent Completed',
    'moved-b serviceTask Completed',
    'moved-added serviceTask Completed',
    'end endEvent Completed',
  ]);
});

test('the replay view shows each fact by the version that the instance ran then', async () => {
  const { workflowID } = await outdated('replayed');
  const replay = async (at?: number) =>
    (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/replay${at === undefined ? '' : `?at=${at}`}`))
      .body;
  const { last } = await replay();
  await migrate(workflowID, { targetVersion: 2, ...mapped('replayed-a', 'replayed-b') });
  expect(await replay()).toMatchObject({ activeScopes: [{ activeNodes: { 'replayed-b': 1 }, processVersion: 2 }] });
  expect(await replay(last)).toMatchObject({ activeScopes: [{ activeNodes: { 'replayed-a': 1 }, processVersion: 1 }] });
  expect(await replay(last + 1)).toMatchObject({
    fact: { kind: 'INSTANCE_MIGRATED' },
    activeScopes: [{ activeNodes: { 'replayed-b': 1 }, processVersion: 2 }],
  });
});

test('every issue is named, by validating as by migrating, and nothing is changed', async () => {
  const { first, workflowID } = await outdated('refused');
  const plan = { targetVersion: 2, ...mapped('nowhere', 'refused-b') };
  const issues = [
    'the process has no element nowhere to map',
    'a token is at refused-a, but the target version has no element with this id; map it to another element',
  ];
  expect(await validate(workflowID, plan)).toMatchObject({ status: 200, body: { valid: false, issues } });
  const refused = await migrate(workflowID, plan);
  expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', details: { issues } } });
  for (const targetVersion of [1, 9]) {
    expect(await migrate(workflowID, { targetVersion })).toMatchObject({
      status: 400,
      body: { details: { issues: [expect.stringMatching(new RegExp(`version ${targetVersion}`, 'i'))] } },
    });
    expect((await validate(workflowID, { targetVersion })).body).toMatchObject({ valid: false });
  }
  expect(await detail(workflowID)).toMatchObject({ definitionID: first, processVersion: 1 });
  expect((await validate(workflowID, { targetVersion: 2, ...mapped('refused-a', 'refused-b') })).body).toEqual({
    valid: true,
    issues: [],
  });
  expect((await detail(workflowID)).processVersion).toBe(1);
});

test('a user task keeps its assignee, an incident stays open and is listed under the new version', async () => {
  const model = (task: string, script: string) =>
    sequenceModel('kept', [
      userTask(task, { extensions: '<zeebe:assignmentDefinition assignee="anna" candidateGroups="clerks" />' }),
      scriptTask(script, '=1 / by', 'result'),
    ]);
  const workflowID = await start(host, await deploy(host, model('ask', 'divide')), { variables: { by: 0 } });
  const tasks = () => host.call('executor', 'GET', `/bpmn/instances/${workflowID}/user-tasks`);
  const before = (await eventually(tasks, ({ body }) => body.data.length === 1)).body.data[0];
  const second = await deploy(host, model('ask-again', 'divide-again'));
  await migrate(workflowID, { targetVersion: 2, ...mapped('ask', 'ask-again') });
  expect((await tasks()).body.data).toEqual([
    { ...before, nodeID: 'ask-again', definitionID: second, processVersion: 2 },
  ]);
  await host.call('executor', 'POST', `/bpmn/user-tasks/${before.executionKey}/complete`);
  const { incidents } = await eventually(
    () => detail(workflowID),
    ({ error }) => error,
  );
  const third = await deploy(host, model('ask', 'divide'));
  expect((await migrate(workflowID, { targetVersion: 3, ...mapped('divide-again', 'divide') })).status).toBe(200);
  const listed = async (definitionID: string) =>
    (await host.call('viewer', 'GET', `/bpmn/incidents?definitionID=${definitionID}`)).body.data;
  expect(await listed(second)).toEqual([]);
  expect(await listed(third)).toMatchObject([
    { incidentID: incidents[0].incidentID, nodeID: 'divide', processVersion: 3 },
  ]);
  await host.call('editor', 'POST', `/bpmn/instances/${workflowID}/incidents/${incidents[0].incidentID}/resolve`, {
    json: { variables: { by: 2 } },
  });
  await untilStatus(host, workflowID, 'COMPLETED');
});

/** A process that waits for a message. */
const waitsFor = (processID: string, id: string, name: string, key: string) =>
  sequenceModel(
    processID,
    [
      `<bpmn:intermediateCatchEvent id="${id}"><bpmn:messageEventDefinition messageRef="message" /></bpmn:intermediateCatchEvent>`,
    ],
    `<bpmn:message id="message" name="${name}"><bpmn:extensionElements><zeebe:subscription correlationKey="=${key}" /></bpmn:extensionElements></bpmn:message>`,
  );
const publish = (messageName: string, correlationKeys: string) =>
  host.call('executor', 'POST', '/bpmn/messages', {
    json: { messageName, correlationKeys, variables: { taken: messageName } },
  });

test('a message that is waited for as before reaches the element under its new id', async () => {
  const id = await start(host, await deploy(host, waitsFor('listening', 'before', 'told', 'order')), {
    variables: { order: 'o1' },
  });
  await eventually(
    () => detail(id),
    ({ activeScopes }) => activeScopes[0]?.activeNodes.before === 1,
  );
  await deploy(host, waitsFor('listening', 'after', 'told', 'other'));
  expect((await migrate(id, { targetVersion: 2, ...mapped('before', 'after') })).status).toBe(200);
  await publish('told', 'o1');
  expect(await untilStatus(host, id, 'COMPLETED')).toMatchObject({ variables: { taken: 'told' } });
});

test('a message of another name is subscribed to again, and one that was kept for it is taken', async () => {
  const id = await start(host, await deploy(host, waitsFor('retuned', 'event', 'old', 'order')), {
    variables: { order: 'o2', other: 'x2' },
  });
  await eventually(
    () => detail(id),
    ({ activeScopes }) => activeScopes[0]?.activeNodes.event === 1,
  );
  await deploy(host, waitsFor('retuned', 'event', 'new', 'other'));
  await publish('new', 'x2');
  expect((await migrate(id, { targetVersion: 2 })).status).toBe(200);
  expect(await untilStatus(host, id, 'COMPLETED')).toMatchObject({ variables: { taken: 'new' } });
});

test('an ended instance is not migrated, an unknown one is not found, viewers and executors may not', async () => {
  const { workflowID } = await outdated('ended');
  expect(
    (await host.call('executor', 'POST', `/bpmn/instances/${workflowID}/migrate`, { json: { targetVersion: 2 } }))
      .status,
  ).toBe(404);
  await host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}`);
  for (const ask of [migrate, validate]) {
    expect(await ask(workflowID, { targetVersion: 2 })).toMatchObject({
      status: 409,
      body: { code: 'INSTANCE_ENDED' },
    });
    expect((await ask('unknown', { targetVersion: 2 })).status).toBe(404);
    expect((await ask(workflowID, { targetVersion: 0 })).status).toBe(400);
    expect((await ask(workflowID, {})).status).toBe(400);
  }
});

test('an incident that is resolved while its instance is migrated runs its activity once', async () => {
  const failing = (id: string) =>
    sequenceModel('healed', [scriptTask(id, '=1 / by', 'x'), serviceTask('healed-after')]);
  const first = await deploy(host, failing('divide'));
  const instances = await Promise.all(Array.from({ length: 6 }, () => start(host, first, { variables: { by: 0 } })));
  const incidents = await Promise.all(
    instances.map(
      async (workflowID) =>
        (
          await eventually(
            () => detail(workflowID),
            ({ error }) => error,
          )
        ).incidents[0].incidentID as string,
    ),
  );
  await deploy(host, failing('divided'));
  await Promise.all(
    instances.map(async (workflowID, index) => {
      const ask = (path: string, json: object) =>
        host.call('editor', 'POST', `/bpmn/instances/${workflowID}${path}`, { json, headers: { Prefer: 'wait=60' } });
      const answers = await Promise.all([
        ask(`/incidents/${incidents[index]}/resolve`, { variables: { by: 4 } }),
        ask('/migrate', { targetVersion: 2, ...mapped('divide', 'divided') }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(await detail(workflowID)).toMatchObject({
        status: 'RUNNING',
        error: false,
        variables: { x: 0.25 },
        processVersion: 2,
      });
      const { body: history } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/history`);
      expect(history.data.map(({ nodeType, status }: Record<string, string>) => `${nodeType} ${status}`)).toEqual([
        'startEvent Completed',
        'scriptTask Completed',
        'serviceTask Started',
      ]);
      const again = await host.call(
        'editor',
        'POST',
        `/bpmn/instances/${workflowID}/incidents/${incidents[index]}/resolve`,
      );
      expect([404, 409]).toContain(again.status);
    }),
  );
});

test('jobs that are completed while their instances are migrated are applied once each', async () => {
  const first = await deploy(host, sequenceModel('raced', [serviceTask('raced-a')]));
  const instances = await Promise.all(Array.from({ length: 12 }, () => start(host, first)));
  await deploy(host, sequenceModel('raced', [serviceTask('raced-b'), serviceTask('raced-added')]));
  const jobs = await Promise.all(instances.map(() => takeJob(host, 'raced-a')));
  const plan = { targetVersion: 2, ...mapped('raced-a', 'raced-b') };
  const answers = await Promise.all(
    jobs.flatMap(({ executionKey, workflowID }) => [
      migrate(workflowID, plan),
      host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, {
        json: { workflowID, clientID: 'worker-1', variables: { by: executionKey } },
      }),
    ]),
  );
  const completions = answers.filter((_, index) => index % 2 === 1);
  expect(completions.map(({ status }) => status)).toEqual(completions.map(() => 200));
  for (const [index, { workflowID, executionKey }] of jobs.entries()) {
    const migrated = answers[index * 2]!;
    // Completed first, it ended in the old version; migrated first, it waits at what was added.
    expect([200, 409]).toContain(migrated.status);
    const instance = await detail(workflowID);
    expect(instance).toMatchObject({
      status: migrated.status === 200 ? 'RUNNING' : 'COMPLETED',
      variables: { by: executionKey },
    });
    if (migrated.status === 200) expect(instance.activeScopes[0].activeNodes).toEqual({ 'raced-added': 1 });
  }
});
