/** Questions of public files and bug reports of other engines: see docs/public-cases.md. The models are our own. */
import { expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { convertModel } from '@perdure/convert';
import { testProcess } from '../../packages/testkit/index.js';
import {
  boundaryEvent,
  compensatedBy,
  endEvent,
  eventSubProcess,
  exclusiveGateway,
  inclusiveGateway,
  multiInstance,
  on,
  processModel,
  root,
  serviceTask,
  startEvent,
  subProcess,
  throwEvent,
} from '../../packages/testkit/models/index.js';
import { processFile, through } from './support/model.js';

const NAMESPACES =
  'xmlns:camunda="http://camunda.org/schema/1.0/bpmn" xmlns:flowable="http://flowable.org/bpmn" xmlns:drools="http://www.jboss.org/drools" xmlns:notes="http://example.org/notes"';
const foreign = (xml: string) =>
  xml.replace(/ xmlns:camunda="[^"]*"/, '').replace(' id="file"', ` id="file" ${NAMESPACES}`);

async function errorsOf(xml: string): Promise<string[]> {
  const { problems } = await compile(xml);
  return problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

const task = (attributes: string, content = '') =>
  foreign(through(`<bpmn:userTask id="m" ${attributes}>${content}</bpmn:userTask>`));
const extended = (xml: string) => `<bpmn:extensionElements>${xml}</bpmn:extensionElements>`;
const reminder = (cycle: string) =>
  foreign(
    through(
      `<bpmn:userTask id="m"/><bpmn:boundaryEvent id="b" attachedToRef="m" cancelActivity="false"><bpmn:timerEventDefinition>${cycle}</bpmn:timerEventDefinition></bpmn:boundaryEvent><bpmn:task id="n"/><bpmn:sequenceFlow id="x" sourceRef="b" targetRef="n"/>`,
    ),
  );
const call = (attributes: string) => foreign(through(`<bpmn:callActivity id="m" calledElement="q" ${attributes}/>`));
const signaled = (attributes: string) =>
  foreign(
    through(
      '<bpmn:intermediateThrowEvent id="m"><bpmn:signalEventDefinition signalRef="g"/></bpmn:intermediateThrowEvent>',
    ),
  ).replace('<bpmn:process', `<bpmn:signal id="g" name="g" ${attributes}/><bpmn:process`);

test.each([
  [
    'jbpm-bpmn2 BPMN2-OnEntryExitScriptProcess: code that runs before a task',
    task(
      '',
      extended(
        '<drools:onEntry-script scriptFormat="java"><drools:script>go();</drools:script></drools:onEntry-script>',
      ),
    ),
    'Extension element drools:onEntry-script is not supported: use a separate task before the element',
  ],
  [
    'jbpm-bpmn2 BPMN2-CallActivity...: a call that is not waited for',
    call('drools:waitForCompletion="false"'),
    'Attribute drools:waitForCompletion is not supported: a call activity waits; start the process with a message instead',
  ],
  [
    'Flowable: a task that is skipped',
    task('flowable:skipExpression="${done}"'),
    'Attribute flowable:skipExpression is not supported: put an exclusive gateway before the element',
  ],
  [
    'Flowable: a cycle that ends at a date',
    reminder('<bpmn:timeCycle flowable:endDate="2030-01-01T00:00:00Z">R/PT1H</bpmn:timeCycle>'),
    'Attribute flowable:endDate is not supported: limit the repetitions (R10/PT1H), or end them with a timer event',
  ],
  [
    'Flowable: working days',
    task('flowable:dueDate="P3D" flowable:businessCalendarName="workdays"'),
    'Attribute flowable:businessCalendarName is not supported: compute the time in FEEL',
  ],
  [
    'Flowable: a signal that only its own instance hears',
    signaled('flowable:scope="processInstance"'),
    'Attribute flowable:scope is not supported: a signal reaches all instances; use a message',
  ],
  [
    'Flowable: a call of a definition by its key in the database',
    call('flowable:calledElementType="id"'),
    'Attribute flowable:calledElementType is not supported: name the called process by its id (calledElement)',
  ],
  [
    'Flowable: results of a multi-instance activity',
    task(
      '',
      `<bpmn:multiInstanceLoopCharacteristics flowable:collection="items">${extended('<flowable:variableAggregation target="reviews"><variable source="approved"/></flowable:variableAggregation>')}</bpmn:multiInstanceLoopCharacteristics>`,
    ),
    'Extension element flowable:variableAggregation is not supported: collect results with outputCollection and outputElement (loopCharacteristics)',
  ],
  [
    'Flowable: a start event that an event of the registry triggers',
    foreign(
      processFile(
        `<bpmn:startEvent id="s">${extended('<flowable:eventType>paid</flowable:eventType>')}</bpmn:startEvent>`,
      ),
    ),
    'Extension element flowable:eventType is not supported: use a message event, and publish the message where the event came from',
  ],
  [
    'Camunda 7: code that maps variables of a call',
    call('camunda:variableMappingClass="com.x.Y"'),
    'Attribute camunda:variableMappingClass is not supported: use ioMapping to map variables',
  ],
])('%s is refused, not dropped', async (_case, xml, problem) => {
  expect(await errorsOf(xml)).toEqual([problem]);
});

test.each([
  ['a call that is waited for', call('drools:waitForCompletion="true" drools:independent="false"')],
  ['the default calendar of due dates', task('flowable:dueDate="P3D" flowable:businessCalendarName="dueDate"')],
  ['a signal of all instances', signaled('flowable:scope="global"')],
  ['a call by id', call('flowable:calledElementType="key"')],
  [
    'the same name in the notes of a tool',
    task('notes:skipExpression="x"', extended('<notes:eventType>x</notes:eventType>')),
  ],
  ['the same name at another element', task('drools:waitForCompletion="false" flowable:scope="x"')],
])('%s decides nothing and is accepted', async (_case, xml) => {
  expect(await errorsOf(xml)).toEqual([]);
});

test('a conversion reports what a deployment then refuses', async () => {
  const { xml, findings } = convertModel(task('flowable:skipExpression="${done}"'));

  expect(findings).toMatchObject([
    { outcome: 'unsupported', message: 'skipExpression is refused: put an exclusive gateway before the element.' },
  ]);
  expect(await errorsOf(xml)).toHaveLength(1);
});

test('a conversion keeps the version tag of a process and does not report it as lost', async () => {
  const tagged = task('camunda:asyncBefore="true"').replace('id="p"', 'id="p" camunda:versionTag="7"');
  const { xml, findings } = convertModel(tagged);

  expect(findings.map(({ outcome }) => outcome)).toEqual(['converted']);
  expect((await compile(xml)).processes).toMatchObject([{ versionTag: '7' }]);
});

test('a compensation event sub-process needs no other handler in its scope (bpmn-js-token-simulation#206)', async () => {
  const undo = eventSubProcess(
    'undo',
    [startEvent('us', on.compensation()), serviceTask('undoWork'), endEvent('ue')],
    ['us -> undoWork -> ue'],
  );
  const sub = subProcess('sub', [startEvent('s'), serviceTask('work'), endEvent('e'), undo], ['s -> work -> e']);
  const thrown = throwEvent('back', on.compensation({ activity: 'sub' }));
  const process = await testProcess(
    processModel('p', [startEvent('start'), sub, thrown, endEvent('done')], ['start -> sub -> back -> done']),
  );
  const instance = process.start();

  instance.job('work').complete();
  instance.expectWaitingAt('undoWork');
  instance.job('undoWork').complete();
  instance.expectCompleted('done');
});

test('an error event sub-process compensates its scope (bpmn-js-token-simulation#218)', async () => {
  const process = await testProcess(
    processModel(
      'p',
      [
        startEvent('start'),
        serviceTask('book'),
        serviceTask('cancel', { isForCompensation: true }),
        compensatedBy('book', 'cancel'),
        endEvent('fail', on.error('E')),
        eventSubProcess(
          'esp',
          [startEvent('es', on.error('E')), throwEvent('back', on.compensation()), endEvent('ee')],
          ['es -> back -> ee'],
        ),
      ],
      ['start -> book -> fail'],
      root.error('E'),
    ),
  );
  const instance = process.start();

  instance.job('book').complete();
  instance.job('cancel').complete();
  instance.expectCompleted('ee');
});

test('an error event sub-process catches errors of its scope and can throw others (bpmn-js-token-simulation#217, camunda#3671)', async () => {
  const handler = eventSubProcess(
    'esp',
    [startEvent('es', on.error('E')), endEvent('ee', on.escalation('X'))],
    ['es -> ee'],
  );
  const sub = subProcess('sub', [startEvent('s'), serviceTask('work'), endEvent('e'), handler], ['s -> work -> e'], {
    loop: multiInstance('=[1, 2]'),
  });
  const process = await testProcess(
    processModel(
      'p',
      [startEvent('start'), sub, boundaryEvent('b', 'sub', on.escalation('X')), endEvent('normal'), endEvent('caught')],
      ['start -> sub -> normal', 'b -> caught'],
      [root.error('E'), root.escalation('X')],
    ),
  );
  const instance = process.start();

  instance.job('work').throwError('E');
  instance.expectCompleted('caught');
});

test('inclusive gateways in sequence and in a loop wait for every token (Activiti#4436, flowable-engine#3603)', async () => {
  const process = await testProcess(
    processModel(
      'p',
      [
        startEvent('start'),
        exclusiveGateway('again'),
        inclusiveGateway('split'),
        serviceTask('a'),
        serviceTask('b'),
        inclusiveGateway('join'),
        inclusiveGateway('next', { default: 'out' }),
        endEvent('done'),
      ],
      [
        'start -> again -> split',
        'fa: split -> a =true',
        'fb: split -> b =true',
        'a -> join',
        'b -> join -> next',
        'back: next -> again =repeat',
        'out: next -> done',
      ],
    ),
  );
  const instance = process.start({ repeat: true });

  instance.job('a').complete();
  expect(instance.waitingAt).toEqual(['b']);
  instance.job('b').complete();
  instance.job('b').complete({ repeat: false });
  instance.expectWaitingAt('a');
  instance.job('a').complete();
  instance.expectCompleted('done');
});
