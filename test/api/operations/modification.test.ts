import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import { callActivity, sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { deploy, jobOf, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

/** An instance that waits at the first of a job, a user task and another job. */
async function begun(id: string) {
  const definitionID = await deploy(
    host,
    sequenceModel(id, [serviceTask(`first-${id}`), userTask(`task-${id}`), serviceTask(`last-${id}`)]),
  );
  const workflowID = await start(host, definitionID);
  await jobOf(host, workflowID);
  return workflowID;
}

const modify = (workflowID: string, json: unknown, role: 'admin' | 'editor' = 'admin') =>
  host.call(role, 'POST', `/bpmn/instances/${workflowID}/modify`, { json });
const detail = async (workflowID: string) => (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body;

test('a token is moved: the job of a worker is canceled with the reason, and the instance continues elsewhere', async () => {
  const id = await begun('moved');
  const job = await takeJob(host, 'first-moved');
  const instructions = [
    { type: 'CANCEL_TOKEN', nodeID: 'first-moved' },
    { type: 'START_BEFORE_NODE', nodeID: 'last-moved', variables: { from: 'admin' } },
  ];
  const modified = await modify(id, { instructions, reason: 'stuck since Monday' });
  expect(modified).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
  expect((await detail(id)).activeScopes).toMatchObject([{ scopeID: '1', activeNodes: { 'last-moved': 1 } }]);
  const late = await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
    json: { workflowID: id, clientID: 'worker-1' },
  });
  expect(late).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${id}/external-jobs`);
  expect(body.data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        nodeID: 'first-moved',
        status: 'CANCELED',
        cancelReason: 'the token was canceled by a modification: stuck since Monday',
      }),
    ]),
  );
  const next = await takeJob(host, 'last-moved');
  expect(next.variables).toEqual({ from: 'admin' });
  await host.call('executor', 'POST', `/bpmn/external-jobs/${next.executionKey}/complete`, {
    json: { workflowID: id, clientID: 'worker-1' },
  });
  await untilStatus(host, id, 'COMPLETED');
});

test('every problem is named, and nothing is changed', async () => {
  const id = await begun('refused');
  const instructions = [
    { type: 'CANCEL_TOKEN', nodeID: 'first-refused' },
    { type: 'CANCEL_TOKEN', nodeID: 'last-refused' },
    { type: 'START_BEFORE_NODE', nodeID: 'nowhere' },
  ];
  const answer = await modify(id, { instructions });
  expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(answer.body.details.issues).toEqual([
    'instruction 2 (CANCEL_TOKEN last-refused): there is no token at last-refused',
    'instruction 3 (START_BEFORE_NODE nowhere): the process has no node nowhere',
  ]);
  const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${id}/commands/${answer.body.details.commandID}`);
  expect(body).toMatchObject({ status: 'REJECTED', issues: answer.body.details.issues });
  expect(await jobOf(host, id)).toMatchObject({ nodeID: 'first-refused', status: 'PENDING' });
});

test.each([
  ['no instructions', { instructions: [] }],
  ['an unknown kind of instruction', { instructions: [{ type: 'JUMP', nodeID: 'a' }] }],
  ['variables for a token that is canceled', { instructions: [{ type: 'CANCEL_TOKEN', nodeID: 'a', variables: {} }] }],
  ['a scope that is not a scope id', { instructions: [{ type: 'CANCEL_TOKEN', nodeID: 'a', scopeID: 'root' }] }],
  ['an unknown property', { instructions: [{ type: 'CANCEL_TOKEN', nodeID: 'a' }], force: true }],
])('%s is a wrong request', async (_, json) => {
  expect(await modify('any', json)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test('a modification that leaves no token cancels the instance and what it called', async () => {
  const called = await deploy(host, sequenceModel('called-mod', [serviceTask('inside')]));
  expect(called).toBeDefined();
  const id = await start(
    host,
    await deploy(
      host,
      sequenceModel('calling-mod', [callActivity('call', 'called-mod', { propagateAllChildVariables: true })]),
    ),
  );
  const children = await eventually(
    () => host.call('viewer', 'GET', `/bpmn/instances/${id}/children`),
    ({ body }) => body.children.length === 1,
  );
  const answer = await modify(id, { instructions: [{ type: 'CANCEL_TOKEN', nodeID: 'call' }] });
  expect(answer.body).toMatchObject({
    status: 'APPLIED',
    message: expect.stringContaining('The instance is canceled'),
  });
  expect((await detail(id)).status).toBe('CANCELED');
  await untilStatus(host, children.body.children[0].workflowID, 'CANCELED');
  expect(await modify(id, { instructions: [{ type: 'START_BEFORE_NODE', nodeID: 'call' }] })).toMatchObject({
    status: 409,
    body: { code: 'INSTANCE_ENDED' },
  });
});

test('editors may not modify, and an unknown instance is not found', async () => {
  const id = await begun('rights');
  const json = { instructions: [{ type: 'START_BEFORE_NODE', nodeID: 'last-rights' }] };
  expect((await modify(id, json, 'editor')).status).toBe(404);
  expect((await modify('unknown', json)).status).toBe(404);
});

test('of a modification and a completion of the same job at the same time one wins', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await begun(`raced${round}`);
    const { executionKey } = await jobOf(host, id);
    const [modified, completed] = await Promise.all([
      modify(id, {
        instructions: [
          { type: 'CANCEL_TOKEN', nodeID: `first-raced${round}` },
          { type: 'START_BEFORE_NODE', nodeID: `last-raced${round}` },
        ],
      }),
      host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, { json: { workflowID: id } }),
    ]);
    expect([modified.status, completed.status].sort()).toEqual(modified.status === 200 ? [200, 409] : [200, 400]);
    const { activeScopes } = await detail(id);
    expect(Object.keys(activeScopes[0].activeNodes)).toEqual([
      modified.status === 200 ? `last-raced${round}` : `task-raced${round}`,
    ]);
  }
});
