import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import {
  multiInstance,
  subProcess,
  endEvent,
  parallelGateway,
  processModel,
  scriptTask,
  sequenceFlow,
  sequenceModel,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';
import { deploy, start, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

interface Counts {
  nodes: { nodeID: string; activeInstances: number; openIncidents: number }[];
  unplacedInstances: number;
}

const countsOf = async (definitionID: string): Promise<Counts> =>
  (await host.call('viewer', 'GET', `/bpmn/definitions/${definitionID}/nodes`)).body;
const at = (nodeID: string, activeInstances: number, openIncidents = 0) => ({ nodeID, activeInstances, openIncidents });
const untilPlaced = (definitionID: string, nodes: Counts['nodes']) =>
  eventually(
    () => countsOf(definitionID),
    (counts) => JSON.stringify(counts.nodes) === JSON.stringify(nodes),
  );
const listAt = async (definitionID: string, nodeID: string) =>
  (
    await host.call('viewer', 'GET', `/bpmn/instances?definitionID=${definitionID}&activeNodeID=${nodeID}`)
  ).body.data.map(({ workflowID }: { workflowID: string }) => workflowID);

const isPending = ({ status }: { status: string }) => status === 'PENDING';

async function complete(workflowID: string): Promise<void> {
  const jobs = () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/external-jobs`);
  const { body } = await eventually(jobs, ({ body: { data } }) => data.some(isPending));
  const { executionKey } = body.data.find(isPending);
  await host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, { json: { workflowID } });
}

test('running instances are counted at the nodes where they stand, and found by them; ended ones are not', async () => {
  const definitionID = await deploy(host, sequenceModel('spread', [serviceTask('pick'), userTask('decide')]));
  const [picking, deciding, canceled] = [
    await start(host, definitionID),
    await start(host, definitionID),
    await start(host, definitionID),
  ];
  await untilPlaced(definitionID, [at('pick', 3)]);
  await complete(deciding);
  await host.call('editor', 'DELETE', `/bpmn/instances/${canceled}`);
  await untilPlaced(definitionID, [at('decide', 1), at('pick', 1)]);
  expect(await listAt(definitionID, 'pick')).toEqual([picking]);
  expect(await listAt(definitionID, 'decide')).toEqual([deciding]);
  expect(await listAt(definitionID, 'nowhere')).toEqual([]);
});

test('an instance with several active nodes counts once at each, at joins and around sub-processes too', async () => {
  const definitionID = await deploy(
    host,
    processModel(
      'forked',
      [
        startEvent('start'),
        sequenceFlow('f0', 'start', 'fork'),
        parallelGateway('fork'),
        sequenceFlow('f1', 'fork', 'join'),
        sequenceFlow('f2', 'fork', 'sub'),
        subProcess('sub', [startEvent('inner'), serviceTask('work')], ['inner -> work'], {
          loop: multiInstance('=[1, 2]'),
        }),
        sequenceFlow('f3', 'sub', 'join'),
        parallelGateway('join'),
        sequenceFlow('f4', 'join', 'end'),
        endEvent('end'),
      ],
      [],
    ),
  );
  await start(host, definitionID);
  const nodes = [at('join', 1), at('sub', 1), at('work', 1)];
  expect(await untilPlaced(definitionID, nodes)).toEqual({ nodes, unplacedInstances: 0 });
});

test('open incidents stand next to the instances, and go when they are resolved', async () => {
  const definitionID = await deploy(
    host,
    sequenceModel('failing', [scriptTask('divide', '=missing + 1', 'x'), userTask('look')]),
  );
  const workflowID = await start(host, definitionID);
  await untilPlaced(definitionID, [at('divide', 1, 1)]);
  const [incident] = (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/incidents`)).body.data;
  await host.call('editor', 'POST', `/bpmn/instances/${workflowID}/incidents/${incident.incidentID}/resolve`, {
    json: { variables: { missing: 1 } },
  });
  await untilPlaced(definitionID, [at('look', 1)]);
});

test('instances that are moved by hand or migrated count where they stand afterwards, also during a pause', async () => {
  const first = await deploy(host, sequenceModel('moved', [serviceTask('one'), serviceTask('two')]));
  const workflowID = await start(host, first);
  await untilPlaced(first, [at('one', 1)]);
  await host.call('admin', 'POST', `/bpmn/instances/${workflowID}/suspend`);
  const instructions = [
    { type: 'CANCEL_TOKEN', nodeID: 'one' },
    { type: 'START_BEFORE_NODE', nodeID: 'two' },
  ];
  expect(
    await host.call('admin', 'POST', `/bpmn/instances/${workflowID}/modify`, { json: { instructions } }),
  ).toMatchObject({ status: 200 });
  await untilPlaced(first, [at('two', 1)]);
  const second = await deploy(host, sequenceModel('moved', [serviceTask('three')]));
  const plan = { targetVersion: 2, elementMappings: [{ sourceElementID: 'two', targetElementID: 'three' }] };
  expect(await host.call('editor', 'POST', `/bpmn/instances/${workflowID}/migrate`, { json: plan })).toMatchObject({
    status: 200,
  });
  await untilPlaced(second, [at('three', 1)]);
  expect(await countsOf(first)).toEqual({ nodes: [], unplacedInstances: 0 });
  await host.call('admin', 'POST', `/bpmn/instances/${workflowID}/resume`);
  await complete(workflowID);
  await untilStatus(host, workflowID, 'COMPLETED');
  expect(await countsOf(second)).toEqual({ nodes: [], unplacedInstances: 0 });
});

test('an instance counts as unplaced until a step has written its active nodes', async () => {
  const definitionID = await deploy(host, sequenceModel('old', [serviceTask('early'), serviceTask('late')]));
  const workflowID = await start(host, definitionID);
  await untilPlaced(definitionID, [at('early', 1)]);
  await host.store.query('UPDATE instances SET active_nodes = NULL WHERE workflow_id = $1', [workflowID]);
  expect(await countsOf(definitionID)).toEqual({ nodes: [], unplacedInstances: 1 });
  await complete(workflowID);
  expect(await untilPlaced(definitionID, [at('late', 1)])).toMatchObject({ unplacedInstances: 0 });
});

test('a definition that is not there has no nodes', async () => {
  expect(
    (await host.call('viewer', 'GET', '/bpmn/definitions/00000000-0000-4000-8000-00000000dead/nodes')).status,
  ).toBe(404);
});
