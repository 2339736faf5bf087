/** The content of audit entries: ids of what was made and touched, and set values with those that they replaced. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sequenceModel, userTask } from '@perdure/testkit/models';
import { changesOn } from './support/changes.js';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, start, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
let on: Awaited<ReturnType<typeof changesOn>>;

beforeAll(async () => {
  host = await startTestHost();
  on = await changesOn(host);
});
afterAll(() => host.close());

type Entry = Record<string, any>;

const entriesOf = async (query: string) =>
  (await host.call('admin', 'GET', `/audit?pageSize=100&${query}`)).body.data as Entry[];

/** Carries out a request of the operation. Returns its entry and its response. */
async function recordedBy(operation: string) {
  const { request } = await on.changes[operation]!();
  const { body } = await request();
  const [entry] = await entriesOf(`operation=${operation}`);
  return { entry: entry!, body };
}

describe('an entry about an instance', () => {
  it.each([
    'AddBpmnUserTaskComment',
    'ClaimBpmnUserTask',
    'CompleteBpmnExternalJobsBatch',
    'EraseBpmnInstance',
    'EvaluateBpmnConditionals',
    'RedactBpmnVariables',
    'ResumeBpmnInstance',
    'StartBpmnInstance',
    'SuspendBpmnInstance',
    'UpdateBpmnExternalJob',
    'UpdateBpmnInstanceVariables',
  ])('is found by the instance and by its definition: %s', async (operation) => {
    const { entry } = await recordedBy(operation);
    expect(entry).toMatchObject({ workflowID: expect.any(String), definitionID: expect.any(String) });
    for (const filter of [`workflowID=${entry['workflowID']}`, `definitionID=${entry['definitionID']}`])
      expect(await entriesOf(`${filter}&operation=${operation}`)).toContainEqual(entry);
  });

  it('is left for each instance that a condition starts', async () => {
    const { body } = await recordedBy('EvaluateBpmnConditionals');
    expect(body.started).toHaveLength(1);
    const [{ workflowID }] = body.started;
    expect(await entriesOf(`workflowID=${workflowID}`)).toMatchObject([
      { operation: 'EvaluateBpmnConditionals', actor: 'executor', names: ['stock'], ...body.started[0] },
    ]);
  });

  it('that a batch erases has its definition', async () => {
    const definitionID = await deploy(host, sequenceModel('erased', []));
    const workflowID = await start(host, definitionID);
    await untilStatus(host, workflowID, 'COMPLETED');
    await on.send('admin', 'POST', '/bpmn/batches', { operation: 'DELETE', workflowIDs: [workflowID] });
    const found = await eventually(
      () => entriesOf(`definitionID=${definitionID}&operation=EraseBpmnInstance`),
      (entries) => entries.length === 1,
    );
    expect(found).toMatchObject([{ via: 'BATCH', workflowID }]);
  });

  it('names what was redacted, and where a new start begins and came from', async () => {
    expect((await recordedBy('RedactBpmnVariables')).entry).toMatchObject({ names: ['name'] });
    const { entry, body } = await recordedBy('RestartBpmnInstance');
    expect(entry).toMatchObject({ workflowID: body.workflowID, details: { variablesFrom: 'INITIAL' } });
    expect(entry['details'].restartedFrom).not.toBe(body.workflowID);
    const modified = await recordedBy('ModifyBpmnInstance');
    expect(modified.entry['details']).toEqual({ instructions: ['START_BEFORE_NODE approve'] });
  });
});

describe('an entry names what was made', () => {
  it.each([
    ['CreateBpmnResource', 'resourceID', 'id'],
    ['CreateDefinition', 'definitionID', 'id'],
    ['MigrateBpmnInstances', 'batchID', 'migrationID'],
    ['CreateBpmnBatch', 'batchID', 'batchID'],
    ['DeployBpmnBundle', 'deploymentID', 'deploymentID'],
    ['DeployFromModeler', 'deploymentID', 'deploymentID'],
    ['CreateHook', 'hookID', 'hookID'],
    ['CreateEventSubscription', 'subscriptionID', 'subscriptionID'],
    ['PublishBpmnMessage', 'publicationID', 'publicationID'],
  ])('%s: its %s', async (operation, name, member) => {
    const { entry, body } = await recordedBy(operation);
    expect(body[member]).toEqual(expect.any(String));
    expect(entry[name]).toBe(body[member]);
  });

  it('by a deployment: the new version, or versions', async () => {
    const { entry } = await recordedBy('DeployBpmnResource');
    expect(await host.call('viewer', 'GET', `/bpmn/definitions/${entry['definitionID']}`)).toMatchObject({
      status: 200,
      body: { resourceID: entry['resourceID'] },
    });
    const files = ['one', 'two'].map((id) => ({ name: `${id}.bpmn`, content: sequenceModel(id, [userTask('t')]) }));
    const { body } = await on.send('editor', 'POST', '/bpmn/deployments', { files });
    const [bundle] = await entriesOf('operation=DeployBpmnBundle');
    const definitionIDs = body.files.map((file: Entry) => file['processes'][0].definitionID);
    expect(bundle).toMatchObject({ details: { definitionIDs, files: ['one.bpmn', 'two.bpmn'] } });
  });

  it('by a comment: its id', async () => {
    const { entry, body } = await recordedBy('AddBpmnUserTaskComment');
    expect(entry['details']).toEqual({ commentID: body.commentID });
  });
});

describe('an entry shows', () => {
  it('settings, from what to what', async () => {
    await on.send('admin', 'PATCH', '/settings', { historyRetention: 'P7D', validateForms: false });
    await on.send('admin', 'PATCH', '/settings', { historyRetention: 'P1D', validateForms: false });
    const [entry] = await entriesOf('operation=ChangeProjectSettings');
    expect(entry).toMatchObject({ names: ['historyRetention', 'validateForms'] });
    expect(entry!['details']).toEqual({ historyRetention: { from: 'P7D', to: 'P1D' } });
  });

  it('the signature of a hook that became weaker, and which expressions changed, but no expression', async () => {
    const hook = { name: 'h', auth: { type: 'STANDARD', secret: 'S' }, messageName: '"marker-expression"' };
    const { body } = await on.send('editor', 'POST', '/hooks', hook);
    const [created] = await entriesOf('operation=CreateHook');
    expect(created!['details']).toEqual({
      path: body.path,
      name: 'h',
      signature: 'STANDARD',
      secretName: 'S',
      enabled: true,
    });
    const weaker = { ...hook, auth: { type: 'HEADER', secret: 'S', header: 'X-Key' }, messageName: '"other"' };
    await on.send('editor', 'PUT', `/hooks/${body.hookID}`, weaker);
    const [updated] = await entriesOf('operation=UpdateHook');
    expect(updated!['details']).toEqual({
      signature: { from: 'STANDARD', to: 'HEADER' },
      header: { from: null, to: 'X-Key' },
      expressions: ['messageName'],
    });
    await on.send('editor', 'DELETE', `/hooks/${body.hookID}`);
    const [deleted] = await entriesOf('operation=DeleteHook');
    expect(deleted).toMatchObject({ hookID: body.hookID, details: { signature: 'HEADER' } });
    const { rows } = await host.store.query("SELECT FROM audit_entries a WHERE a::text LIKE '%marker-expression%'");
    expect(rows).toEqual([]);
  });

  it('the receiver of events, without credentials in its URL', async () => {
    const { body } = await recordedBy('CreateEventSubscription');
    const path = `/events/subscriptions/${body.subscriptionID}`;
    await on.send('admin', 'PATCH', path, { url: 'https://events.example.com/elsewhere?token=marker-4711' });
    const [updated] = await entriesOf('operation=UpdateEventSubscription');
    expect(updated).toMatchObject({ subscriptionID: body.subscriptionID });
    expect(updated!['details']).toEqual({
      url: { from: 'https://events.example.com/', to: 'https://events.example.com/elsewhere' },
    });
    await on.send('admin', 'DELETE', path);
    const [deleted] = await entriesOf('operation=DeleteEventSubscription');
    expect(deleted).toMatchObject({ details: { url: 'https://events.example.com/elsewhere', secretName: 'EVENTS' } });
    const { rows } = await host.store.query("SELECT FROM audit_entries a WHERE a::text LIKE '%marker-4711%'");
    expect(rows).toEqual([]);
  });

  it.each([
    ['UpdateBpmnUserTaskAssignment', { priority: 70 }],
    ['UpdateBpmnExternalJob', { retries: 7 }],
    ['SuspendBpmnDefinition', { instances: true }],
    ['MigrateBpmnInstance', { targetVersion: 2 }],
    ['CreateBpmnBatch', { operation: 'CANCEL', itemsPerSecond: 50, total: 1 }],
    ['PublishBpmnMessage', { messageName: 'm' }],
    ['ThrowBpmnUserTaskError', { errorCode: 'E' }],
    ['RedeliverDeadLetters', { deadLetters: 1 }],
  ])('%s: %j', async (operation, details) => {
    expect((await recordedBy(operation)).entry['details']).toEqual(details);
  });

  it('the targets of a process', async () => {
    const put = (targets: object[]) => on.send('editor', 'PUT', '/bpmn/processes/tasks/targets', { targets });
    await put([{ duration: 'PT2H' }]);
    await put([{ duration: 'PT1H' }, { nodeID: 'approve', duration: 'PT5M' }]);
    const [entry] = await entriesOf('operation=PutBpmnTargets');
    expect(entry).toMatchObject({
      processId: 'tasks',
      details: { targets: { from: ['PT2H'], to: ['PT1H', 'approve: PT5M'] } },
    });
  });

  it('texts and lists of any length in an entry of bounded length', async () => {
    const { key } = await on.openTask();
    const candidateUsers = Array.from({ length: 1_000 }, (_, index) => `person-${index}-${'x'.repeat(200)}`);
    await on.send('executor', 'PATCH', `/bpmn/user-tasks/${key}`, { candidateUsers, priority: 3 });
    const [entry] = await entriesOf('operation=UpdateBpmnUserTaskAssignment');
    expect(entry!['details']).toEqual({ candidateUsers: '(too long)', priority: 3 });
  });
});
