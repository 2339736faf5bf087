import { decision, dmn, literal } from '../../dmn/write.js';
import {
  boundaryEvent,
  endEvent,
  extensions,
  on,
  parallelGateway,
  root,
  scriptTask,
  serviceTask,
  task,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';
import { act, LATER, SOON, type Family } from '../case.js';

const SECTION = '10.3.3, 13.3.3';
const ROOTS = [root.message('paid', '=order'), root.error('broken')];
const through = (activity: string) => simpleModel([activity, endEvent('e')], ['a: s -> work', 'b: work -> e'], ROOTS);
const rule = (inner: string) => `<bpmn:businessRuleTask id="work">${extensions(inner)}</bpmn:businessRuleTask>`;
const mapped =
  '<zeebe:ioMapping><zeebe:input source="=price * 2" target="amount"/><zeebe:output source="=receipt.number" target="receiptNumber"/></zeebe:ioMapping>';

export const tasks: Family = {
  title: 'Tasks',
  file: 'tasks.ts',
  cases: [
    {
      shows: 'service, done by a worker',
      section: SECTION,
      files: through(serviceTask('work')),
      play: [act.completeJob('work', { x: 1 })],
      outcome: { history: 's work e', variables: { x: 1 } },
    },
    {
      shows: 'service, with input and output mappings',
      section: '10.3, 10.4',
      files: through(serviceTask('work', { extensions: mapped })),
      variables: { price: 4 },
      play: [act.completeJob('work', { receipt: { number: 7 }, rest: true })],
      outcome: { history: 's work e', variables: { price: 4, receiptNumber: 7 } },
    },
    {
      shows: 'service, whose worker reports an error that nothing catches: an incident, then a new job',
      section: SECTION,
      files: through(serviceTask('work')),
      play: [act.failJob('work', 'broken'), act.resolve('work'), act.completeJob('work')],
      outcome: { history: 's work e' },
    },
    {
      shows: 'send, by a worker',
      section: SECTION,
      files: through(`<bpmn:sendTask id="work">${extensions('<zeebe:taskDefinition type="mail"/>')}</bpmn:sendTask>`),
      play: [act.completeJob('work')],
      outcome: { history: 's work e' },
    },
    {
      shows: 'send, published by the engine',
      section: SECTION,
      files: simpleModel(
        [
          parallelGateway('fork'),
          '<bpmn:receiveTask id="wait" messageRef="paid"/>',
          '<bpmn:sendTask id="work" messageRef="paid"/>',
          endEvent('e'),
          endEvent('f'),
        ],
        ['a: s -> fork', 'b: fork -> wait', 'c: fork -> work', 'd: wait -> e', 'g: work -> f'],
        ROOTS,
      ),
      variables: { order: 7 },
      outcome: { history: 's fork wait work f e' },
    },
    {
      shows: 'receive',
      section: SECTION,
      files: through('<bpmn:receiveTask id="work" messageRef="paid"/>'),
      variables: { order: 7 },
      play: [act.message('paid', 7, { amount: 1 })],
      outcome: { history: 's work e', variables: { amount: 1, order: 7 } },
    },
    {
      shows: 'receive, with a boundary event',
      section: `${SECTION}, 13.5.3`,
      files: simpleModel(
        [
          '<bpmn:receiveTask id="work" messageRef="paid"/>',
          boundaryEvent('event', 'work', on.timer(SOON)),
          endEvent('e'),
          endEvent('f'),
        ],
        ['a: s -> work', 'b: work -> e', 'c: event -> f'],
        ROOTS,
      ),
      variables: { order: 7 },
      play: [act.timers],
      outcome: { history: 's work~ event f' },
    },
    {
      shows: 'user',
      section: SECTION,
      files: through('<bpmn:userTask id="work"/>'),
      play: [act.completeTask('work', { approved: true })],
      outcome: { history: 's work e', variables: { approved: true } },
    },
    {
      shows: 'user, whose form reports an error',
      section: SECTION,
      files: simpleModel(
        [
          '<bpmn:userTask id="work"/>',
          boundaryEvent('event', 'work', on.error('broken')),
          endEvent('e'),
          endEvent('f'),
        ],
        ['a: s -> work', 'b: work -> e', 'c: event -> f'],
        ROOTS,
      ),
      play: [act.failTask('work', 'broken')],
      outcome: { history: 's work! event f' },
    },
    {
      shows: 'manual',
      section: SECTION,
      files: through('<bpmn:manualTask id="work"/>'),
      outcome: { history: 's work e' },
    },
    { shows: 'abstract', section: SECTION, files: through(task('work')), outcome: { history: 's work e' } },
    {
      shows: 'script',
      section: SECTION,
      files: through(scriptTask('work', '=x + 1', 'y')),
      variables: { x: 1 },
      outcome: { history: 's work e', variables: { x: 1, y: 2 } },
    },
    {
      shows: 'script that fails: an incident, then it runs again',
      section: SECTION,
      files: through(scriptTask('work', '=1 / x', 'y')),
      variables: { x: 0 },
      play: [act.resolve('work', { x: 2 })],
      outcome: { history: 's work e', variables: { x: 0, y: 0.5 } },
    },
    {
      shows: 'script that fails, caught by an error boundary event',
      section: `${SECTION}, 10.5.6`,
      files: simpleModel(
        [scriptTask('work', '=1 / x', 'y'), boundaryEvent('event', 'work', on.error()), endEvent('e'), endEvent('f')],
        ['a: s -> work', 'b: work -> e', 'c: event -> f'],
        ROOTS,
      ),
      variables: { x: 0 },
      outcome: { history: 's work! event f' },
    },
    {
      shows: 'business rule, a decision',
      section: SECTION,
      files: through(rule('<zeebe:calledDecision decisionId="price" resultVariable="result"/>')),
      decisions: dmn(decision('price', literal('amount * 2'))),
      variables: { amount: 21 },
      outcome: { history: 's work e', variables: { amount: 21, result: 42 } },
    },
    {
      shows: 'business rule, a decision that does not exist: an incident',
      section: SECTION,
      files: through(rule('<zeebe:calledDecision decisionId="price" resultVariable="result"/>')),
      outcome: { status: 'RUNNING', history: 's work?', incidents: ['work DecisionNotFound'] },
    },
    {
      shows: 'business rule, done by a worker',
      section: SECTION,
      files: through(rule('<zeebe:taskDefinition type="rules"/>')),
      play: [act.completeJob('work', { result: 1 })],
      outcome: { history: 's work e', variables: { result: 1 } },
    },
    {
      shows: 'job type from an expression that fails: an incident',
      section: SECTION,
      files: through(serviceTask('work', { type: '=kind' })),
      variables: { kind: 5 },
      play: [act.resolve('work', { kind: 'mail' }), act.completeJob('work')],
      outcome: { history: 's work e' },
    },
    {
      shows: 'canceled with its instance',
      section: '13.3.2',
      files: simpleModel(
        [serviceTask('work'), boundaryEvent('event', 'work', on.timer(LATER)), endEvent('e'), endEvent('f')],
        ['a: s -> work', 'b: work -> e', 'c: event -> f'],
      ),
      play: [act.cancel],
      outcome: { status: 'CANCELED', history: 's work~' },
    },
  ],
};
