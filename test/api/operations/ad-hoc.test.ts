import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import { adHocSubProcess, sequenceModel, serviceTask } from '@perdure/testkit/models';
import { deploy, jobOf, start, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
let definitionID: string;

beforeAll(async () => {
  host = await startTestHost();
  const work = adHocSubProcess('handling', [serviceTask('pack'), serviceTask('send')], [], { until: '=enough' });
  definitionID = await deploy(host, sequenceModel('adHoc', [work]));
});
afterAll(() => host.close());

const startWork = () => start(host, definitionID, { variables: { enough: false } });

const trigger = (workflowID: string, nodeID: string, adHocNodeID = 'handling') =>
  host.call('executor', 'POST', `/bpmn/instances/${workflowID}/adhoc/${adHocNodeID}/trigger`, { json: { nodeID } });

const setVariables = (workflowID: string, variables: Record<string, unknown>, adHocNodeID = 'handling') =>
  host.call('executor', 'POST', `/bpmn/instances/${workflowID}/adhoc/${adHocNodeID}/variables`, {
    json: { variables },
  });

test('an activity is begun as often as it is triggered, and variables that fulfill the condition end the work', async () => {
  const workflowID = await startWork();
  expect(await trigger(workflowID, 'pack')).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
  expect(await jobOf(host, workflowID)).toMatchObject({ nodeID: 'pack', status: 'PENDING' });
  expect((await trigger(workflowID, 'pack')).status).toBe(200);
  expect((await setVariables(workflowID, { note: 'half' })).status).toBe(200);
  expect((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body.status).toBe('RUNNING');
  expect((await setVariables(workflowID, { enough: true })).status).toBe(200);
  await untilStatus(host, workflowID, 'COMPLETED');
  const jobs = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/external-jobs`);
  expect(jobs.body.data.map(({ status }: { status: string }) => status)).toEqual(['CANCELED', 'CANCELED']);
});

test('an activity that the instance does not have is 404, one that is elsewhere or cannot begin is 400', async () => {
  const workflowID = await startWork();
  expect((await trigger(workflowID, 'pack', 'nothing')).status).toBe(404);
  expect((await trigger(workflowID, 'pack', 'pack')).status).toBe(404);
  expect((await setVariables(workflowID, {}, 'start')).status).toBe(404);
  expect((await setVariables('nobody', {})).status).toBe(404);
  expect(await trigger(workflowID, 'end')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(
    (await host.call('executor', 'POST', `/bpmn/instances/${workflowID}/adhoc/handling/trigger`, { json: {} })).status,
  ).toBe(400);
});

test('an ad-hoc sub-process that is not active yet or any more is a conflict', async () => {
  const inside = adHocSubProcess('handling', serviceTask('pack'));
  const early = await start(host, await deploy(host, sequenceModel('later', [serviceTask('first'), inside])));
  await eventually(
    () => jobOf(host, early),
    ({ nodeID }) => nodeID === 'first',
  );
  expect(await trigger(early, 'pack')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  const late = await startWork();
  await setVariables(late, { enough: true });
  await untilStatus(host, late, 'COMPLETED');
  expect(await trigger(late, 'pack')).toMatchObject({ status: 409, body: { code: 'INSTANCE_ENDED' } });
  expect(await setVariables(late, {})).toMatchObject({ status: 409, body: { code: 'INSTANCE_ENDED' } });
});
