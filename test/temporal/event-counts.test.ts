import { afterAll, beforeAll, expect, test } from 'vitest';
import { endEvent, processModel, scriptTask, serviceTask, startEvent, subProcess } from '@perdure/testkit/models';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

let host: TemporalHost;
beforeAll(async () => {
  host = await openTemporalHost();
});
afterAll(() => host.close());

const straightThrough = processModel(
  'straight',
  [startEvent('start'), scriptTask('add', '=x + 1', 'x'), endEvent('end')],
  ['a: start -> add', 'b: add -> end'],
);
const oneJob = processModel(
  'oneJob',
  [startEvent('start'), serviceTask('work'), endEvent('end')],
  ['a: start -> work', 'b: work -> end'],
);

const firstTask = ['WorkflowStarted', 'TaskScheduled', 'TaskStarted', 'TaskCompleted', 'Marker'];
const wakeUp = ['TaskScheduled', 'TaskStarted', 'TaskCompleted', 'Marker'];

test('an instance that waits for nothing is six events', async () => {
  await host.deploy(straightThrough);
  const id = await host.start('straight', { x: 1 });
  expect((await host.ended(id)).status).toBe('COMPLETED');
  await host.handle(id).result();
  expect(await host.events(id)).toEqual([...firstTask, 'WorkflowCompleted']);
});

test('an instance with one job is eleven events', async () => {
  await host.deploy(oneJob);
  const id = await host.start('oneJob');
  await host.completeJob(id, 'work');
  await host.handle(id).result();
  expect(await host.events(id)).toEqual([...firstTask, 'Signaled', ...wakeUp, 'WorkflowCompleted']);
});

test('a graph too large for the input costs one event more', async () => {
  const many = Array.from({ length: 60 }, (_, index) => scriptTask(`add${index}`, '=x + 1', 'x'));
  const flows = Array.from({ length: 59 }, (_, index) => `f${index}: add${index} -> add${index + 1}`);
  await host.deploy(
    processModel('large', [startEvent('start'), many, endEvent('end')], ['a: start -> add0', flows, 'b: add59 -> end']),
  );
  const id = await host.start('large', { x: 1 });
  await host.handle(id).result();
  expect(await host.events(id)).toEqual([...firstTask, 'Marker', 'WorkflowCompleted']);
});

test('a timer is one event and its firing one wake-up', async () => {
  const timer =
    '<bpmn:intermediateCatchEvent id="pause"><bpmn:timerEventDefinition><bpmn:timeDuration>PT1S</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>';
  await host.deploy(
    processModel('paused', [startEvent('start'), timer, endEvent('end')], ['a: start -> pause', 'b: pause -> end']),
  );
  const id = await host.start('paused');
  await host.handle(id).result();
  expect(await host.events(id)).toEqual([...firstTask, 'TimerStarted', 'TimerFired', ...wakeUp, 'WorkflowCompleted']);
});

test('a timer that is not needed any more is canceled, and one that stays the next is left alone', async () => {
  const boundary =
    '<bpmn:boundaryEvent id="late" attachedToRef="first"><bpmn:timerEventDefinition><bpmn:timeDuration>PT1H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:boundaryEvent>';
  const later =
    '<bpmn:boundaryEvent id="later" attachedToRef="both"><bpmn:timerEventDefinition><bpmn:timeDuration>PT30M</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:boundaryEvent>';
  const inner = [
    startEvent('in'),
    serviceTask('first'),
    boundary,
    serviceTask('second'),
    endEvent('out'),
    endEvent('lateOut'),
  ];
  const flows = ['d: in -> first', 'e: first -> second', 'f: second -> out', 'g: late -> lateOut'];
  await host.deploy(
    processModel(
      'guarded',
      [
        startEvent('start'),
        subProcess('both', inner, flows),
        later,
        serviceTask('last'),
        endEvent('end'),
        endEvent('laterEnd'),
      ],
      ['a: start -> both', 'b: both -> last', 'c: last -> end', 'h: later -> laterEnd'],
    ),
  );
  const id = await host.start('guarded');
  await host.completeJob(id, 'first');
  await host.completeJob(id, 'second');
  await host.completeJob(id, 'last');
  await host.handle(id).result();
  expect(await host.events(id)).toEqual([
    ...firstTask,
    'TimerStarted',
    'Signaled',
    ...wakeUp,
    'Signaled',
    ...wakeUp,
    'TimerCanceled',
    'Signaled',
    ...wakeUp,
    'WorkflowCompleted',
  ]);
});

test('search attributes change when the first incident opens and the last one closes, and at no other time', async () => {
  await host.deploy(straightThrough);
  const id = await host.start('straight', {}, { businessID: 'order 7' });
  const [incident] = await eventually('the incident', async () => {
    const open = Object.values((await host.state(id)).incidents);
    return open.length > 0 ? open : undefined;
  });
  const shown = await eventually('the upsert', async () => {
    const { searchAttributes } = await host.handle(id).describe();
    return searchAttributes['BpmnIncident']?.[0] === true ? searchAttributes : undefined;
  });
  expect(shown).toMatchObject({ BpmnProject: ['p1'], BpmnProcess: ['straight'], BpmnBusinessId: ['order 7'] });
  await host.command(id, { kind: 'RESOLVE_INCIDENT', incident: incident!.id, variables: { x: 1 } });
  await host.handle(id).result();
  expect(await host.events(id)).toEqual([
    ...firstTask,
    'SearchAttributesUpserted',
    'Signaled',
    ...wakeUp,
    'SearchAttributesUpserted',
    'WorkflowCompleted',
  ]);
  expect((await host.handle(id).describe()).searchAttributes).toMatchObject({ BpmnIncident: [false] });
});

test('an instance without incidents has no search attributes but project, process and business id', async () => {
  await host.deploy(straightThrough);
  const id = await host.start('straight', { x: 1 }, { businessID: 'order 9' });
  await host.handle(id).result();
  const { searchAttributes } = await host.handle(id).describe();
  const ours = Object.entries(searchAttributes).filter(([name]) => name.startsWith('Bpmn'));
  expect(Object.fromEntries(ours)).toEqual({
    BpmnProject: ['p1'],
    BpmnProcess: ['straight'],
    BpmnBusinessId: ['order 9'],
  });
});

test('the Temporal UI shows the process and the active nodes of an instance', async () => {
  await host.deploy(oneJob);
  const id = await host.start('oneJob', {}, { businessID: 'order 8' });
  await host.wait(id, 'job', 'work');
  const description = await host.handle(id).describe();
  expect(await description.staticSummary()).toContain('order 8');
  const answer = await host.client.workflowService.queryWorkflow({
    namespace: 'default',
    execution: { workflowId: id },
    query: { queryType: '__temporal_workflow_metadata' },
  });
  const { currentDetails } = JSON.parse(Buffer.from(answer.queryResult!.payloads![0]!.data!).toString()) as {
    currentDetails: string;
  };
  expect(currentDetails).toBe('**oneJob**: RUNNING\n\n| where | waits for |\n|---|---|\n| work | a job worker |');
  await host.completeJob(id, 'work');
});
