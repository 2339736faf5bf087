import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import { callActivity, scriptTask, sequenceModel, serviceTask } from '@perdure/testkit/models';
import { deploy, start, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const divide = (id: string) => sequenceModel(id, [scriptTask(`divide-${id}`, '=10 / by', 'result')]);
const detail = async (workflowID: string) => (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body;

/** An instance with an incident, and the incident. */
async function stopped(id: string) {
  const definitionID = await deploy(host, divide(id));
  const workflowID = await start(host, definitionID, { variables: { by: 0 } });
  const { incidents } = await eventually(
    () => detail(workflowID),
    ({ error }) => error,
  );
  return {
    definitionID,
    workflowID,
    incident: incidents[0],
    resolve: `/bpmn/instances/${workflowID}/incidents/${incidents[0].incidentID}/resolve`,
  };
}

test('a script that fails is an incident, and resolving with other variables lets the instance continue', async () => {
  const { workflowID, incident, resolve } = await stopped('mended');
  expect(incident).toMatchObject({ nodeID: 'divide-mended', errorType: 'FeelError', timestamp: expect.any(Number) });
  const resolved = await host.call('editor', 'POST', resolve, { json: { variables: { by: 5 } } });
  expect(resolved).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
  expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { result: 2 } });
  const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/incidents`);
  const history = (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/history`)).body.data;
  const { elementInstanceID } = history.find(({ nodeID }: { nodeID: string }) => nodeID === 'divide-mended');
  expect(body.data).toEqual([
    expect.objectContaining({
      incidentID: incident.incidentID,
      workflowID,
      elementInstanceID,
      resolvedBy: 'editor',
      resolvedAt: expect.any(String),
      processID: 'mended',
      processVersion: 1,
    }),
  ]);
});

test('a retry that fails again is a new incident that names the previous one', async () => {
  const { workflowID, incident, resolve } = await stopped('again');
  expect((await host.call('editor', 'POST', resolve)).status).toBe(200);
  const { incidents } = await detail(workflowID);
  expect(incidents).toEqual([
    expect.objectContaining({ nodeID: 'divide-again', previousIncidentID: incident.incidentID }),
  ]);
  expect(await host.call('editor', 'POST', resolve)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
});

test('of two resolves at the same time one wins', async () => {
  const { resolve } = await stopped('raced');
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => host.call('editor', 'POST', resolve, { json: { variables: { by: 2 } } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

test('an incident is resolved in its own instance only', async () => {
  const { incident } = await stopped('own');
  const other = await stopped('other');
  const wrong = `/bpmn/instances/${other.workflowID}/incidents/${incident.incidentID}/resolve`;
  expect((await host.call('editor', 'POST', wrong)).status).toBe(404);
  expect((await host.call('editor', 'POST', `/bpmn/instances/${other.workflowID}/incidents/none/resolve`)).status).toBe(
    404,
  );
  expect((await host.call('executor', 'POST', other.resolve)).status).toBe(404);
});

test('incidents are listed across instances by every filter', async () => {
  const { definitionID, workflowID, incident, resolve } = await stopped('listed');
  const list = async (query: string) =>
    (await host.call('viewer', 'GET', `/bpmn/incidents?${query}`)).body.data.map(
      ({ incidentID }: { incidentID: string }) => incidentID,
    );
  const id = incident.incidentID;
  expect(await list(`definitionID=${definitionID}`)).toEqual([id]);
  expect(await list(`workflowID=${workflowID}&status=open&errorType=FeelError`)).toEqual([id]);
  expect(await list(`workflowID=${workflowID}&errorType=JobLockLost`)).toEqual([]);
  expect(await list(`workflowID=${workflowID}&status=resolved`)).toEqual([]);
  expect(await list(`workflowID=${workflowID}&since=2100-01-01T00:00:00Z`)).toEqual([]);
  expect(await list(`workflowID=${workflowID}&until=2100-01-01T00:00:00Z`)).toEqual([id]);
  await host.call('editor', 'POST', resolve, { json: { variables: { by: 1 } } });
  expect(await list(`workflowID=${workflowID}&status=resolved`)).toEqual([id]);
});

test('an incident of a called instance counts for its callers too', async () => {
  await deploy(host, divide('inner'));
  const definitionID = await deploy(
    host,
    sequenceModel('outer', [callActivity('call', 'inner', { propagateAllChildVariables: true }), serviceTask('after')]),
  );
  const workflowID = await start(host, definitionID, { variables: { by: 0 } });
  const withIncident = () =>
    host.call('viewer', 'GET', `/bpmn/instances?definitionID=${definitionID}&hasIncident=true`);
  const { body } = await eventually(withIncident, ({ body: found }) => found.data.length === 1);
  expect(body.data[0]).toMatchObject({ workflowID, hasIncident: true });
  const list = async (query: string) =>
    (await host.call('viewer', 'GET', `/bpmn/incidents?workflowID=${workflowID}${query}`)).body.data;
  expect(await list('')).toEqual([]);
  const [incident] = await list('&includeChildren=true');
  expect(incident).toMatchObject({ nodeID: 'divide-inner', processID: 'inner' });
  const resolve = `/bpmn/instances/${incident.workflowID}/incidents/${incident.incidentID}/resolve`;
  expect((await host.call('editor', 'POST', resolve, { json: { variables: { by: 2 } } })).status).toBe(200);
  expect((await withIncident()).body.data).toEqual([]);
});
