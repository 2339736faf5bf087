/** Drafts that are run before their deployment: their instances are kept apart from everything else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bpmnProcess,
  callActivity,
  definitions,
  endEvent,
  receiveTask,
  root,
  sequenceModel,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';
import { cancelThroughRelay } from '../../../store/instances/cancellation.js';
import { startInstance } from '../../../store/instances/start.js';
import { cancelForgottenTests, endTestsOfDeletedDrafts } from '../../../store/definitions/tests-of-drafts.js';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

async function draft(xml: string): Promise<string> {
  const { body } = await host.call('editor', 'POST', '/bpmn/resources', { json: { name: 'a draft', xml } });
  return body.id;
}

async function test(resourceID: string, json: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await host.call('editor', 'POST', `/bpmn/resources/${resourceID}/test`, { json });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.workflowID;
}

const poll = (taskType: string, isTest?: boolean) =>
  host.call('executor', 'POST', '/bpmn/external-jobs/poll', {
    json: { taskType, clientID: 'c', timeout: '0s', ...(isTest !== undefined && { isTest }) },
  });

const listed = async (path: string, query = '') =>
  (await host.call('executor', 'GET', `${path}?${query}`)).body.data as Record<string, unknown>[];

const untilListed = async (path: string, query: string) =>
  (
    await eventually(
      () => host.call('executor', 'GET', `${path}?${query}`),
      ({ body }) => body.data.length > 0,
    )
  ).body.data;

describe('a test of a draft', () => {
  it('is in lists only with isTest, and marked', async () => {
    const workflowID = await test(await draft(sequenceModel('listed', [serviceTask('work'), userTask('approve')])));
    await untilListed('/bpmn/external-jobs', `isTest=true&workflowID=${workflowID}`);
    expect((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body).toMatchObject({
      status: 'RUNNING',
    });
    for (const path of [
      '/bpmn/instances',
      '/bpmn/external-jobs',
      '/bpmn/user-tasks',
      '/bpmn/incidents',
      '/bpmn/processes',
    ])
      expect(await listed(path), path).toEqual([]);
    expect(await listed('/bpmn/instances', 'isTest=false')).toEqual([]);
    const tests = await listed('/bpmn/instances', 'isTest=true');
    expect(tests.find((one) => one['workflowID'] === workflowID)).toMatchObject({ isTest: true, processId: 'listed' });
  });

  it('gives its jobs to polls with isTest only, and is completed by key as usual', async () => {
    const workflowID = await test(await draft(sequenceModel('polled', [serviceTask('charge'), userTask('approve')])));
    await untilListed('/bpmn/external-jobs', `isTest=true&workflowID=${workflowID}`);
    expect((await poll('charge')).status).toBe(204);
    expect((await poll('charge', false)).status).toBe(204);
    const [job] = (await poll('charge', true)).body;
    expect(job).toMatchObject({ workflowID, isTest: true });
    const json = { clientID: 'c', workflowID, variables: { paid: true } };
    await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, { json });
    const [task] = await untilListed('/bpmn/user-tasks', `isTest=true&workflowID=${workflowID}`);
    expect(task).toMatchObject({ isTest: true, variables: { paid: true } });
    const done = await host.call('executor', 'POST', `/bpmn/user-tasks/${task.executionKey}/complete`, { json: {} });
    expect(done.status).toBe(200);
    await untilStatus(host, workflowID, 'COMPLETED');
    const { body } = await host.call('admin', 'GET', `/audit?workflowID=${workflowID}`);
    const operations = body.data.map(({ operation }: { operation: string }) => operation);
    expect(operations).toEqual(['CompleteBpmnUserTask', 'StartBpmnTestInstance']);
  });

  it('receives only messages that are published with isTest', async () => {
    const model = sequenceModel('waiting', [receiveTask('wait', 'paid')], root.message('paid', '=order'));
    const workflowID = await test(await draft(model), { variables: { order: 'o1' } });
    await untilListed('/bpmn/subscriptions', `isTest=true&workflowID=${workflowID}`);
    const publish = (json: object) =>
      host.call('executor', 'POST', '/bpmn/messages', {
        json: { messageName: 'paid', correlationKeys: 'o1', ...json },
      });
    expect((await publish({})).body.state).toBe('KEPT');
    expect((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body.status).toBe('RUNNING');
    await publish({ isTest: true });
    await untilStatus(host, workflowID, 'COMPLETED');
  });

  it('messages for tests can be read and deleted like others', async () => {
    const json = { messageName: 'never asked for', correlationKeys: 'o1', isTest: true };
    const { publicationID } = (await host.call('executor', 'POST', '/bpmn/messages', { json })).body;
    const path = `/bpmn/publications/${publicationID}`;
    expect((await host.call('viewer', 'GET', path)).body).toMatchObject({
      publicationID,
      state: 'KEPT',
      nearMisses: [],
    });
    expect((await host.call('editor', 'DELETE', path)).status).toBe(204);
    expect((await host.call('viewer', 'GET', path)).body.state).toBe('DELETED');
  });

  it('runs the draft as it was, even if the draft changes and is deployed', async () => {
    const resourceID = await draft(sequenceModel('changed', [serviceTask('before')]));
    const workflowID = await test(resourceID);
    const json = { name: 'a draft', xml: sequenceModel('changed', [serviceTask('after')]) };
    await host.call('editor', 'PUT', `/bpmn/resources/${resourceID}`, { json });
    await host.call('editor', 'POST', `/bpmn/resources/${resourceID}/deploy`);
    const [instance] = (await listed('/bpmn/instances', 'isTest=true')).filter(
      (one) => one['workflowID'] === workflowID,
    );
    const xml = await host.call('viewer', 'GET', `/bpmn/definitions/${instance!['definitionID']}/xml`);
    expect(xml.body).toContain('before');
    const [job] = await untilListed('/bpmn/external-jobs', `isTest=true&workflowID=${workflowID}`);
    expect(job.taskType).toBe('before');
  });

  it('calls deployed processes, whose instances are tests', async () => {
    await deploy(host, sequenceModel('called', [serviceTask('inside')]));
    const workflowID = await test(await draft(sequenceModel('calling', [callActivity('call', 'called')])));
    const look = () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/children`);
    const { body } = await eventually(look, ({ body: found }) => found.children.length === 1);
    expect(body.children[0]).toMatchObject({ isTest: true, processId: 'called' });
    await untilListed('/bpmn/external-jobs', `isTest=true&taskType=inside`);
    expect((await poll('inside')).status).toBe(204);
  });

  it('is found with what it calls by the id of the process and by the suspension of a version', async () => {
    const definitionID = await deploy(host, sequenceModel('found', [serviceTask('seek', { type: 'seek' })]));
    const workflowID = await test(await draft(sequenceModel('finding', [callActivity('call', 'found')])));
    const [job] = await untilListed('/bpmn/external-jobs', 'isTest=true&processId=found');
    expect(job).toMatchObject({ taskType: 'seek', isTest: true });
    const [instance] = await listed('/bpmn/instances', 'isTest=true&processId=found');
    expect(instance).toMatchObject({ definitionID, parentWorkflowID: workflowID });
    await host.call('admin', 'POST', `/bpmn/definitions/${definitionID}/suspend`);
    const found = async (suspended: boolean) =>
      (await listed('/bpmn/instances', `isTest=true&processId=found&suspended=${suspended}`)).length;
    expect([await found(true), await found(false)]).toEqual([1, 0]);
    await host.call('admin', 'POST', `/bpmn/definitions/${definitionID}/resume`);
    const error = { errorCode: 'E', retryable: false };
    await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/error`, { json: error });
    await untilListed('/bpmn/incidents', 'isTest=true&processId=found');
    for (const path of ['/bpmn/instances', '/bpmn/external-jobs', '/bpmn/incidents'])
      expect(await listed(path, 'processId=found'), path).toEqual([]);
  });

  it('is of version 0 wherever a version is shown, however often the draft is tested', async () => {
    await deploy(host, sequenceModel('versions', [userTask('approve')]));
    const resourceID = await draft(sequenceModel('versions', [userTask('approve'), serviceTask('fail')]));
    for (const started of [await test(resourceID), await test(resourceID)]) {
      const [task] = await untilListed('/bpmn/user-tasks', `isTest=true&workflowID=${started}`);
      const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${started}`);
      const definition = await host.call('viewer', 'GET', `/bpmn/definitions/${body.definitionID}`);
      expect([task.processVersion, body.processVersion, definition.body.version]).toEqual([0, 0, 0]);
      await host.call('executor', 'POST', `/bpmn/user-tasks/${task.executionKey}/complete`, { json: {} });
      const [job] = await untilListed('/bpmn/external-jobs', `isTest=true&workflowID=${started}`);
      const error = { errorCode: 'E', retryable: false };
      await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/error`, { json: error });
      const [incident] = await untilListed('/bpmn/incidents', `isTest=true&workflowID=${started}`);
      expect(incident).toMatchObject({ workflowID: started, processVersion: 0 });
    }
    const versions = await listed('/bpmn/processes/versions/versions');
    expect(versions.map(({ version }) => version)).toEqual([1]);
  });

  it('calls the other processes of its file, and of the files of what it calls', async () => {
    const inFile = (id: string, called: string) => {
      const call = callActivity('call', called, { bindingType: 'deployment', propagateAllChildVariables: true });
      const steps = (process: string, node: string, element: string) =>
        bpmnProcess(
          process,
          [startEvent(`${process}_start`), element, endEvent(`${process}_end`)],
          [`${process}_1: ${process}_start -> ${node}`, `${process}_2: ${node} -> ${process}_end`],
        );
      return definitions([steps(id, 'call', call), steps(called, 'deep', userTask('deep'))], `file_${id}`);
    };
    await test(await draft(inFile('caller', 'sibling')), { processID: 'caller' });
    await untilListed('/bpmn/user-tasks', `isTest=true&processId=sibling`);
    await deploy(host, inFile('middle', 'inner'));
    await test(await draft(sequenceModel('outer', [callActivity('call', 'middle')])));
    await untilListed('/bpmn/user-tasks', `isTest=true&processId=inner`);
  });

  it('migrates to a deployed version, and is restarted with it', async () => {
    const resourceID = await draft(sequenceModel('tried', [userTask('approve')]));
    const workflowID = await test(resourceID);
    await untilListed('/bpmn/user-tasks', `isTest=true&workflowID=${workflowID}`);
    await host.call('editor', 'POST', `/bpmn/resources/${resourceID}/deploy`);
    const path = `/bpmn/instances/${workflowID}`;
    const migrated = await host.call('editor', 'POST', `${path}/migrate`, { json: { targetVersion: 1 } });
    expect(migrated, JSON.stringify(migrated.body)).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
    expect((await host.call('viewer', 'GET', path)).body).toMatchObject({ processVersion: 1, isTest: true });
    await host.call('editor', 'DELETE', path);
    await untilStatus(host, workflowID, 'CANCELED');
    const restarted = await host.call('executor', 'POST', `${path}/restart`, { json: {} });
    expect(restarted, JSON.stringify(restarted.body)).toMatchObject({ status: 201, body: { processVersion: 1 } });
  });

  it('shows the form that is embedded in the file of a deployed process that it calls', async () => {
    const schema = JSON.stringify({ type: 'default', id: 'x', components: [{ type: 'text', text: 'embedded' }] });
    const embedded = `<bpmn:extensionElements><zeebe:userTaskForm id="f1">${schema.replaceAll('"', '&quot;')}</zeebe:userTaskForm></bpmn:extensionElements>`;
    const called = sequenceModel('asking', [userTask('ask', { formKey: 'camunda-forms:bpmn:f1' })]);
    await deploy(host, called.replace(/(<bpmn:process [^>]*>)/, `$1${embedded}`));
    const workflowID = await test(await draft(sequenceModel('askingBelow', [callActivity('call', 'asking')])));
    const look = () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/children`);
    const { body } = await eventually(look, ({ body: found }) => found.children.length === 1);
    const query = `isTest=true&workflowID=${body.children[0].workflowID}`;
    const [task] = await untilListed('/bpmn/user-tasks', query);
    const form = await host.call('executor', 'GET', `/bpmn/user-tasks/${task.executionKey}/form`);
    expect(form.status).toBe(200);
    expect(JSON.stringify(form.body)).toContain('embedded');
  });

  it('is the only thing that its definition starts', async () => {
    const workflowID = await test(await draft(sequenceModel('alone', [serviceTask('work')])));
    const [instance] = (await listed('/bpmn/instances', 'isTest=true')).filter(
      (one) => one['workflowID'] === workflowID,
    );
    const definitionID = instance!['definitionID'];
    expect((await host.call('viewer', 'GET', `/bpmn/definitions/${definitionID}`)).status).toBe(200);
    for (const json of [{ processDefinitionID: definitionID }, { processId: 'alone' }])
      expect((await host.call('executor', 'POST', '/bpmn/instances', { json })).status).toBe(404);
  });

  it('is canceled and erased when its draft is deleted', async () => {
    const resourceID = await draft(sequenceModel('deleted', [serviceTask('work')]));
    const workflowID = await test(resourceID);
    expect((await host.call('editor', 'DELETE', `/bpmn/resources/${resourceID}`)).status).toBe(204);
    await untilStatus(host, workflowID, 'CANCELED');
    await endTestsOfDeletedDrafts(host.store);
    expect((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).status).toBe(404);
  });

  it('is canceled and erased also if its draft is deleted between the copy of its file and its start', async () => {
    const resourceID = await draft(sequenceModel('deletedEarly', [serviceTask('work')]));
    const first = await test(resourceID);
    const [copied] = (await listed('/bpmn/instances', 'isTest=true')).filter((one) => one['workflowID'] === first);
    expect((await host.call('editor', 'DELETE', `/bpmn/resources/${resourceID}`)).status).toBe(204);
    const details = { projectID: 'p1~tests', workflowID: 'test-deleted-early', variables: {} };
    const started = await startInstance(host.store, { definitionID: String(copied!['definitionID']), ...details });
    expect(started).toMatchObject({ kind: 'started' });
    if (started.kind === 'started') await host.api.context.instances.start(started.instance);
    await untilListed('/bpmn/external-jobs', `isTest=true&workflowID=${details.workflowID}`);
    await endTestsOfDeletedDrafts(host.store);
    await untilStatus(host, details.workflowID, 'CANCELED');
    await endTestsOfDeletedDrafts(host.store);
    expect((await host.call('viewer', 'GET', `/bpmn/instances/${details.workflowID}`)).status).toBe(404);
  });

  it('is canceled by a command that is due with its commit, because no request sends it', async () => {
    const workflowID = await test(await draft(sequenceModel('due', [serviceTask('work')])));
    await host.store.transaction(async (transaction) => {
      await cancelThroughRelay(transaction, { projectID: 'p1~tests', workflowID });
      const { rows } = await transaction.query(
        'SELECT deliver_at <= now() AS "isDue" FROM commands WHERE workflow_id = $1',
        [workflowID],
      );
      expect(rows).toEqual([{ isDue: true }]);
    });
    await untilStatus(host, workflowID, 'CANCELED');
  });

  it('stays after its end as long as there is the draft', async () => {
    const workflowID = await test(await draft(sequenceModel('stays', [])));
    await untilStatus(host, workflowID, 'COMPLETED');
    await endTestsOfDeletedDrafts(host.store);
    expect((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body).toMatchObject({ isTest: true });
  });

  it('is canceled after a week', async () => {
    const workflowID = await test(await draft(sequenceModel('forgotten', [serviceTask('work')])));
    await cancelForgottenTests(host.store);
    expect((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body.status).toBe('RUNNING');
    const older = "UPDATE instances SET created_at = created_at - interval '8 days' WHERE workflow_id = $1";
    await host.store.query(older, [workflowID]);
    await cancelForgottenTests(host.store);
    await untilStatus(host, workflowID, 'CANCELED');
  });

  it('is refused as a deployment is', async () => {
    const resourceID = await draft(sequenceModel('broken', [serviceTask('work', { type: '' })]));
    const { status, body } = await host.call('editor', 'POST', `/bpmn/resources/${resourceID}/test`, { json: {} });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_MODEL' });
  });
});
