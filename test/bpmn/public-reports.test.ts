/** Bug reports of other engines, played with separate models: see docs/public-cases.md. */
import { expect, test } from 'vitest';
import { testProcess } from '../../packages/testkit/index.js';
import {
  boundaryEvent,
  catchEvent,
  compensatedBy,
  endEvent,
  eventSubProcess,
  exclusiveGateway,
  inclusiveGateway,
  on,
  parallelGateway,
  processModel,
  root,
  serviceTask,
  startEvent,
  subProcess,
  throwEvent,
  userTask,
  type Flows,
  type Xml,
} from '../../packages/testkit/models/index.js';
import { problemsOf } from './support/model.js';

const HOUR = 3_600_000;
const started = (elements: Xml, flows: Flows, roots: Xml = '') =>
  testProcess(processModel('p', [startEvent('start'), ...[elements].flat(), endEvent('done')], flows, roots));

test('an event sub-process interrupts a sub-process whose activity can be compensated (bpmn-js-token-simulation#245)', async () => {
  const handler = eventSubProcess(
    'esp',
    [startEvent('es', on.message('stop')), throwEvent('back', on.compensation()), endEvent('ee')],
    ['es -> back -> ee'],
  );
  const inside = [
    startEvent('s'),
    serviceTask('book'),
    serviceTask('cancel', { isForCompensation: true }),
    compensatedBy('book', 'cancel'),
    serviceTask('pay'),
    endEvent('e'),
    handler,
  ];
  const process = await started(
    subProcess('sub', inside, ['s -> book -> pay -> e']),
    ['start -> sub -> done'],
    root.message('stop'),
  );
  const instance = process.start();

  instance.job('book').complete();
  process.publishMessage('stop');
  expect(instance.jobs.map(({ elementID }) => elementID)).toEqual(['cancel']);
  instance.job('cancel').complete();
  instance.expectCompleted('done');
});

test('two messages to a non-interrupting event sub-process are taken once each (camunda#26926)', async () => {
  const handler = eventSubProcess(
    'esp',
    [startEvent('es', on.message('note'), { interrupting: false }), serviceTask('file'), endEvent('ee')],
    ['es -> file -> ee'],
  );
  const process = await started([serviceTask('work'), handler], ['start -> work -> done'], root.message('note'));
  const instance = process.start();

  process.publishMessage('note');
  process.publishMessage('note');
  expect(instance.jobs.filter(({ elementID }) => elementID === 'file')).toHaveLength(2);
});

test('a message for an event that was interrupted before does not continue it (camunda#6643)', async () => {
  const handler = eventSubProcess(
    'esp',
    [startEvent('es', on.message('stop')), serviceTask('clean'), endEvent('ee')],
    ['es -> clean -> ee'],
  );
  const process = await started(
    [catchEvent('wait', on.message('late')), handler],
    ['start -> wait -> done'],
    [root.message('stop'), root.message('late')],
  );
  const instance = process.start();

  process.publishMessage('stop');
  process.publishMessage('late');
  instance.expectWaitingAt('clean');
  instance.job('clean').complete();
  instance.expectCompleted('ee');
});

test('an inclusive gateway continues after its incident is resolved (camunda#13070)', async () => {
  const process = await started(
    [inclusiveGateway('split', { default: 'other' }), serviceTask('a'), serviceTask('b')],
    ['start -> split', 'fa: split -> a =amount > 1', 'other: split -> b', 'a -> done', 'b -> done'],
  );
  const instance = process.start({ amount: 'many' });

  instance.expectIncident('split');
  instance.resolveIncident('split', { amount: 2 });
  expect(instance.waitingAt).toEqual(['a']);
});

test('an inclusive gateway takes each flow that is true, and one that joins and splits waits for all (lib-bpmn-engine#209, apex-flowsforapex#510)', async () => {
  const process = await started(
    [
      inclusiveGateway('split'),
      serviceTask('a'),
      serviceTask('b'),
      serviceTask('c'),
      inclusiveGateway('both'),
      serviceTask('x'),
      serviceTask('y'),
    ],
    [
      'start -> split',
      'fa: split -> a =true',
      'fb: split -> b =true',
      'fc: split -> c =false',
      'a -> both',
      'b -> both',
      'c -> both',
      'fx: both -> x =true',
      'fy: both -> y =true',
      'x -> done',
      'y -> done',
    ],
  );
  const instance = process.start();

  expect(instance.waitingAt).toEqual(['a', 'b']);
  instance.job('a').complete();
  expect(instance.waitingAt).toEqual(['b']);
  instance.job('b').complete();
  expect(instance.waitingAt).toEqual(['x', 'y']);
});

test('a parallel join in a loop joins again in each round (zenbpm#641)', async () => {
  const process = await started(
    [
      exclusiveGateway('again'),
      parallelGateway('split'),
      serviceTask('a'),
      serviceTask('b'),
      parallelGateway('join'),
      exclusiveGateway('next', { default: 'out' }),
    ],
    [
      'start -> again -> split',
      'split -> a -> join',
      'split -> b -> join',
      'join -> next',
      'back: next -> again =repeat',
      'out: next -> done',
    ],
  );
  const instance = process.start({ repeat: true });

  instance.job('a').complete();
  instance.job('b').complete({ repeat: true });
  instance.job('b').complete({ repeat: false });
  instance.expectWaitingAt('a');
  instance.job('a').complete();
  instance.expectCompleted('done');
});

test.each([
  ['a cycle at an intermediate event (flowable-engine#2761)', on.cycle('R3/PT1H'), /^error wait: .*timeCycle/],
  ['a misspelled function in a timer (camunda#8938)', on.timer('=duraton("PT1H")'), /^error wait: .*calls duraton/],
])('%s is refused', async (_what, definition, problem) => {
  const model = processModel(
    'p',
    [startEvent('start'), catchEvent('wait', definition), endEvent('done')],
    ['start -> wait -> done'],
  );

  expect(await problemsOf(model)).toContainEqual(expect.stringMatching(problem));
});

test.each([
  ['a duration, once (ProcessMaker#2295)', on.timer('PT1H'), 1],
  [
    'a cycle with a start, as often as it says (camunda-bpm-platform#1973)',
    on.cycle('R3/2026-01-01T01:00:00Z/PT1H'),
    3,
  ],
])('a non-interrupting boundary timer fires: %s', async (_what, definition, times) => {
  const process = await started(
    [
      userTask('work'),
      boundaryEvent('b', 'work', definition, { interrupting: false }),
      serviceTask('remind'),
      endEvent('e'),
    ],
    ['start -> work -> done', 'b -> remind -> e'],
  );
  const instance = process.start();

  process.advance(10 * HOUR);
  expect(instance.jobs).toHaveLength(times);
});

test('results of a sub-process remain when its boundary event leaves it (bpmn-server#274)', async () => {
  const inside = subProcess(
    'sub',
    [startEvent('s'), serviceTask('a'), serviceTask('b'), endEvent('e')],
    ['s -> a -> b -> e'],
  );
  const process = await started(
    [inside, boundaryEvent('late', 'sub', on.timer('PT1H')), serviceTask('after')],
    ['start -> sub -> done', 'late -> after -> done'],
  );
  const instance = process.start({ given: 1 });

  instance.job('a').complete({ found: 2 });
  process.advance(HOUR);
  instance.expectWaitingAt('after');
  instance.expectVariables({ given: 1, found: 2 });
});

test('a signal starts an event sub-process (Activiti#1638)', async () => {
  const handler = eventSubProcess('esp', [startEvent('es', on.signal('halt')), endEvent('ee')], ['es -> ee']);
  const process = await started([userTask('work'), handler], ['start -> work -> done'], root.signal('halt'));
  const instance = process.start();

  process.throwSignal('halt');
  instance.expectCompleted('ee');
});

test('an escalation boundary event without a code catches every escalation (incubator-kie-issues#1279)', async () => {
  const inside = subProcess('sub', [startEvent('s'), endEvent('e', on.escalation('late'))], ['s -> e']);
  const process = await started(
    [inside, boundaryEvent('b', 'sub', on.escalation()), endEvent('caught')],
    ['start -> sub -> done', 'b -> caught'],
    root.escalation('late'),
  );

  process.start().expectCompleted('caught');
});

test('an event sub-process that undoes a scope can compensate what is inside (camunda#15464)', async () => {
  const undo = eventSubProcess(
    'undo',
    [
      startEvent('us', on.compensation()),
      throwEvent('inner', on.compensation()),
      serviceTask('report'),
      endEvent('ue'),
    ],
    ['us -> inner -> report -> ue'],
  );
  const inside = [
    startEvent('s'),
    serviceTask('book'),
    serviceTask('cancel', { isForCompensation: true }),
    compensatedBy('book', 'cancel'),
    endEvent('e'),
    undo,
  ];
  const process = await started(
    [subProcess('sub', inside, ['s -> book -> e']), throwEvent('back', on.compensation({ activity: 'sub' }))],
    ['start -> sub -> back -> done'],
  );
  const instance = process.start();

  instance.job('book').complete();
  expect(instance.jobs.map(({ elementID }) => elementID)).toEqual(['cancel']);
  instance.job('cancel').complete();
  instance.job('report').complete();
  instance.expectCompleted('done');
});

test('a compensation event sub-process replaces the handlers of its scope (camunda#15334)', async () => {
  const undo = eventSubProcess(
    'undo',
    [startEvent('us', on.compensation()), serviceTask('undoAll'), endEvent('ue')],
    ['us -> undoAll -> ue'],
  );
  const inside = [
    startEvent('s'),
    serviceTask('book'),
    serviceTask('cancel', { isForCompensation: true }),
    compensatedBy('book', 'cancel'),
    endEvent('e'),
    undo,
  ];
  const process = await started(
    [subProcess('sub', inside, ['s -> book -> e']), throwEvent('back', on.compensation())],
    ['start -> sub -> back -> done'],
  );
  const instance = process.start();

  instance.job('book').complete();
  expect(instance.jobs.map(({ elementID }) => elementID)).toEqual(['undoAll']);
  instance.job('undoAll').complete();
  expect(instance.jobs).toEqual([]);
  instance.expectCompleted('done');
});
