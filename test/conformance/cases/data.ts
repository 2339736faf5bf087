import {
  catchEvent,
  endEvent,
  extensions,
  on,
  processModel,
  root,
  scriptTask,
  serviceTask,
  startEvent,
  subProcess,
  task,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';
import { act, type Family } from '../case.js';

const DATA = '10.4.1';
const object = (name: string, value: string) =>
  `<bpmn:dataObject id="data_${name}" name="${name}">${extensions(`<zeebe:value value="${value}"/>`)}</bpmn:dataObject>`;

const specification = (inputs: string, more = '') =>
  `<bpmn:ioSpecification>${inputs}<bpmn:inputSet>${more}</bpmn:inputSet><bpmn:outputSet/></bpmn:ioSpecification>`;
const into = (source: string, target: string) =>
  `<bpmn:dataInputAssociation><bpmn:sourceRef>${source}</bpmn:sourceRef><bpmn:targetRef>${target}</bpmn:targetRef></bpmn:dataInputAssociation>`;
const outOf = (source: string, target: string, transformation = '') =>
  `<bpmn:dataOutputAssociation><bpmn:sourceRef>${source}</bpmn:sourceRef><bpmn:targetRef>${target}</bpmn:targetRef>${transformation}</bpmn:dataOutputAssociation>`;
const ORDER =
  '<bpmn:dataObject id="o" name="order"/><bpmn:dataObjectReference id="order_1" dataObjectRef="o"/><bpmn:dataObject id="r" name="receipt"/><bpmn:dataObjectReference id="receipt_1" dataObjectRef="r"/>';
const paying = (flows: string) =>
  simpleModel([ORDER, serviceTask('work', { loop: flows }), endEvent('e')], ['a: s -> work', 'b: work -> e']);

export const data: Family = {
  title: 'Data, lanes and pools',
  file: 'data.ts',
  cases: [
    {
      shows: 'data object with a value to begin with',
      section: DATA,
      files: simpleModel(
        [object('rate', '=0.5'), scriptTask('work', '=amount * rate', 'fee'), endEvent('e')],
        ['a: s -> work', 'b: work -> e'],
      ),
      variables: { amount: 10 },
      outcome: { history: 's work e', variables: { amount: 10, fee: 5, rate: 0.5 } },
    },
    {
      shows: 'data object: a variable given to the process wins',
      section: DATA,
      files: simpleModel(
        [object('rate', '=0.5'), scriptTask('work', '=amount * rate', 'fee'), endEvent('e')],
        ['a: s -> work', 'b: work -> e'],
      ),
      variables: { amount: 10, rate: 2 },
      outcome: { history: 's work e', variables: { amount: 10, fee: 20, rate: 2 } },
    },
    {
      shows: 'data object of a sub-process: gone with it',
      section: DATA,
      files: simpleModel(
        [
          subProcess(
            'sub',
            [startEvent('is'), object('rate', '=3'), scriptTask('work', '=rate', 'seen'), endEvent('ie')],
            ['i1: is -> work', 'i2: work -> ie'],
          ),
          endEvent('e'),
        ],
        ['a: s -> sub', 'b: sub -> e'],
      ),
      outcome: { history: 's sub is work ie e', variables: { seen: 3 } },
    },
    {
      shows: 'data object whose expression fails: an incident',
      section: DATA,
      files: simpleModel([object('rate', '=1 / zero'), task('work'), endEvent('e')], ['a: s -> work', 'b: work -> e']),
      variables: { zero: 0 },
      outcome: { status: 'RUNNING', history: '', incidents: ['p FeelError'] },
    },
    {
      shows: 'data associations, into an activity and out of it',
      section: '10.4.1, 10.4.2',
      files: paying(
        specification('<bpmn:dataInput id="i1" name="bill"/><bpmn:dataOutput id="o1" name="paid"/>') +
          into('order_1', 'i1') +
          outOf('o1', 'receipt_1', '<bpmn:transformation>{ number: paid.id }</bpmn:transformation>'),
      ),
      variables: { order: { total: 21 } },
      play: [act.completeJob('work', { paid: { id: 'R1' }, rest: true })],
      outcome: { history: 's work e', variables: { order: { total: 21 }, receipt: { number: 'R1' } } },
    },
    {
      shows: 'data input that is required and missing: an incident',
      section: '10.4.2',
      files: paying(specification('<bpmn:dataInput id="i1" name="bill"/>') + into('order_1', 'i1')),
      outcome: { status: 'RUNNING', history: 's work?', incidents: ['work FeelError'] },
    },
    {
      shows: 'data input that is optional and missing',
      section: '10.4.1, 10.4.2',
      files: paying(
        specification('<bpmn:dataInput id="i1" name="bill"/>', '<bpmn:optionalInputRefs>i1</bpmn:optionalInputRefs>') +
          into('order_1', 'i1'),
      ),
      play: [act.completeJob('work')],
      outcome: { history: 's work e' },
    },
    {
      shows: 'input mapping that fails: an incident, then it is evaluated again',
      section: '10.4.2',
      files: simpleModel(
        [
          serviceTask('work', {
            extensions: '<zeebe:ioMapping><zeebe:input source="=1 / x" target="y"/></zeebe:ioMapping>',
          }),
          endEvent('e'),
        ],
        ['a: s -> work', 'b: work -> e'],
      ),
      variables: { x: 0 },
      play: [act.resolve('work', { x: 1 }), act.completeJob('work')],
      outcome: { history: 's work e' },
    },
    {
      shows: 'output mapping that fails: an incident at the completed work',
      section: '10.4.2',
      files: simpleModel(
        [
          catchEvent('work', [
            extensions('<zeebe:ioMapping><zeebe:output source="=amount / factor" target="net"/></zeebe:ioMapping>'),
            on.message('paid'),
          ]),
          endEvent('e'),
        ],
        ['a: s -> work', 'b: work -> e'],
        root.message('paid'),
      ),
      variables: { factor: 0 },
      play: [act.message('paid', undefined, { amount: 10 }), act.resolve('work', { factor: 5 })],
      outcome: { history: 's work e', variables: { factor: 5, net: 2 } },
    },
    {
      shows: 'lane: a task inside is done by a person of that group',
      section: '10.8',
      files: processModel(
        'p',
        [
          '<bpmn:laneSet id="lanes"><bpmn:lane id="lane" name="clerks"><bpmn:flowNodeRef>work</bpmn:flowNodeRef></bpmn:lane></bpmn:laneSet>',
          startEvent('s'),
          '<bpmn:userTask id="work"/>',
          endEvent('e'),
        ],
        ['a: s -> work', 'b: work -> e'],
      ),
      play: [act.completeTask('work')],
      outcome: { history: 's work e' },
    },
    {
      shows: 'several pools in one file: each executable one is a process',
      section: '9.3, 10.2',
      files: simpleModel(
        ['<bpmn:sendTask id="ask" messageRef="request"/>', catchEvent('told', on.message('answer')), endEvent('e')],
        ['a: s -> ask', 'b: ask -> told', 'c: told -> e'],
        [root.message('request'), root.message('answer', '=order')],
      )
        .replace(
          '</bpmn:definitions>',
          `<bpmn:process id="other" isExecutable="true"><bpmn:startEvent id="asked">${on.message('request')}</bpmn:startEvent><bpmn:sendTask id="tell" messageRef="answer">${extensions('<zeebe:ioMapping><zeebe:input source="=&quot;yes&quot;" target="reply"/></zeebe:ioMapping>')}</bpmn:sendTask><bpmn:endEvent id="oe"/><bpmn:sequenceFlow id="oa" sourceRef="asked" targetRef="tell"/><bpmn:sequenceFlow id="ob" sourceRef="tell" targetRef="oe"/></bpmn:process></bpmn:definitions>`,
        )
        .replace(
          '<bpmn:sendTask id="ask" messageRef="request"/>',
          `<bpmn:sendTask id="ask" messageRef="request">${extensions('<zeebe:ioMapping><zeebe:input source="=order" target="order"/></zeebe:ioMapping>')}</bpmn:sendTask>`,
        ),
      variables: { order: 3 },
      outcome: [
        { history: 's ask told e', variables: { order: 3, reply: 'yes' } },
        { process: 'other', history: 'asked tell oe' },
      ],
    },
  ],
};
