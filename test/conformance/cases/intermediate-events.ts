import {
  catchEvent,
  endEvent,
  exclusiveGateway,
  extensions,
  on,
  parallelGateway,
  root,
  serviceTask,
  startEvent,
  subProcess,
  task,
  throwEvent,
  type Xml,
  type InterruptingOptions,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';
import { act, LATER, SOON, soon, type Family } from '../case.js';

const CATCH = '10.5.4, 13.5.2';
const THROW = '10.5.4, 13.5.2';
const waiting = (definitions: Xml, roots: Xml = '', attributes: InterruptingOptions = {}) =>
  simpleModel([catchEvent('wait', definitions, attributes), endEvent('e')], ['a: s -> wait', 'b: wait -> e'], roots);
const date = (expression: string) =>
  `<bpmn:timerEventDefinition><bpmn:timeDate>${expression}</bpmn:timeDate></bpmn:timerEventDefinition>`;
const amount = extensions('<zeebe:ioMapping><zeebe:input source="=total" target="amount"/></zeebe:ioMapping>');
/** One branch throws, the other one waits for it. */
const thrownBeside = (thrower: string, catcher: string, roots: Xml) =>
  simpleModel(
    [parallelGateway('fork'), catcher, thrower, endEvent('e'), endEvent('f')],
    ['a: s -> fork', 'b: fork -> wait', 'c: fork -> shout', 'd: wait -> e', 'g: shout -> f'],
    roots,
  );

export const intermediateEvents: Family = {
  title: 'Intermediate events',
  file: 'intermediate-events.ts',
  cases: [
    {
      shows: 'catch message, with the correlation key of the instance',
      section: CATCH,
      files: waiting(on.message('paid'), root.message('paid', '=order')),
      variables: { order: 7 },
      play: [act.message('paid', 8), act.message('paid', 7, { amount: 2 })],
      outcome: { history: 's wait e', variables: { amount: 2, order: 7 } },
    },
    {
      shows: 'catch timer, duration',
      section: CATCH,
      files: waiting(on.timer(SOON)),
      play: [act.timers],
      outcome: { history: 's wait e' },
    },
    {
      shows: 'catch timer, date',
      section: CATCH,
      files: waiting(date('=due')),
      clock: (now) => ({ due: soon(now) }),
      play: [act.timers],
      outcome: { history: 's wait e' },
    },
    {
      shows: 'catch timer, not before its time',
      section: CATCH,
      files: waiting(on.timer(LATER)),
      play: [act.timers],
      outcome: { status: 'RUNNING', history: 's wait?' },
    },
    {
      shows: 'catch signal',
      section: CATCH,
      files: waiting(on.signal('go'), root.signal('go')),
      play: [act.signal('stay'), act.signal('go', { x: 1 })],
      outcome: { history: 's wait e', variables: { x: 1 } },
    },
    {
      shows: 'catch conditional that holds at once',
      section: CATCH,
      files: waiting(on.condition('=x > 5')),
      variables: { x: 6 },
      outcome: { history: 's wait e' },
    },
    {
      shows: 'catch conditional that becomes true',
      section: CATCH,
      files: waiting(on.condition('=x > 5')),
      variables: { x: 1 },
      play: [act.setVariables({ x: 2 }), act.setVariables({ x: 7 })],
      outcome: { history: 's wait e' },
    },
    {
      shows: 'catch multiple: the first of its events is enough',
      section: CATCH,
      files: waiting([on.signal('go'), on.timer(LATER), on.message('paid')], [root.signal('go'), root.message('paid')]),
      play: [act.signal('go')],
      outcome: { history: 's wait e' },
    },
    {
      shows: 'catch parallel multiple: all of its events, in any order',
      section: CATCH,
      files: waiting([on.signal('one'), on.timer(SOON), on.signal('two')], [root.signal('one'), root.signal('two')], {
        parallelMultiple: true,
      }),
      play: [act.signal('two', { b: 2 }), act.timers, act.signal('one', { a: 1 })],
      outcome: { history: 's wait e', variables: { a: 1, b: 2 } },
    },
    {
      shows: 'throw and catch link, several throws to one catch',
      section: CATCH,
      files: simpleModel(
        [
          exclusiveGateway('which', { default: 'd' }),
          throwEvent('far', on.link('L')),
          throwEvent('near', on.link('L')),
          catchEvent('land', on.link('L')),
          endEvent('e'),
        ],
        ['a: s -> which', 'b: which -> far =x', 'd: which -> near', 'f: land -> e'],
      ),
      variables: { x: false },
      outcome: { history: 's which near land e' },
    },
    {
      shows: 'throw none',
      section: THROW,
      files: simpleModel([throwEvent('reached'), endEvent('e')], ['a: s -> reached', 'b: reached -> e']),
      outcome: { history: 's reached e' },
    },
    {
      shows: 'throw message, published with the mapped inputs',
      section: THROW,
      files: thrownBeside(
        throwEvent('shout', [amount, on.message('paid')]),
        catchEvent('wait', on.message('paid')),
        root.message('paid', '=order'),
      ),
      variables: { order: 7, total: 40 },
      outcome: { history: 's fork wait shout f e', variables: { amount: 40, order: 7, total: 40 } },
    },
    {
      shows: 'throw message, sent by a worker',
      section: THROW,
      files: simpleModel(
        [throwEvent('mail', [extensions('<zeebe:taskDefinition type="mail"/>'), on.message('paid')]), endEvent('e')],
        ['a: s -> mail', 'b: mail -> e'],
        root.message('paid'),
      ),
      play: [act.completeJob('mail', { sent: true })],
      outcome: { history: 's mail e', variables: { sent: true } },
    },
    {
      shows: 'throw signal, heard by its own instance too',
      section: THROW,
      files: thrownBeside(
        throwEvent('shout', [amount, on.signal('paid')]),
        catchEvent('wait', on.signal('paid')),
        root.signal('paid'),
      ),
      variables: { total: 40 },
      outcome: { history: 's fork wait shout f e', variables: { amount: 40, total: 40 } },
    },
    {
      shows: 'throw escalation that nothing catches: the process continues',
      section: '10.5.4, 10.5.5',
      files: simpleModel(
        [throwEvent('shout', on.escalation('late')), endEvent('e')],
        ['a: s -> shout', 'b: shout -> e'],
        root.escalation('late'),
      ),
      outcome: { history: 's shout e' },
    },
    {
      shows: 'throw compensation: waits until everything is compensated',
      section: '10.5.4, 13.5.5',
      files: simpleModel(
        [
          task('book'),
          `<bpmn:boundaryEvent id="undo" attachedToRef="book">${on.compensation()}</bpmn:boundaryEvent>`,
          '<bpmn:association id="to" associationDirection="One" sourceRef="undo" targetRef="cancel"/>',
          serviceTask('cancel', { isForCompensation: true }),
          throwEvent('back', on.compensation()),
          endEvent('e'),
        ],
        ['a: s -> book', 'b: book -> back', 'c: back -> e'],
      ),
      play: [act.completeJob('cancel')],
      outcome: { history: 's book back undo cancel e' },
    },
    {
      shows: 'throw multiple: all of its events, in their order',
      section: THROW,
      files: thrownBeside(
        throwEvent('shout', [on.signal('first'), on.signal('second')]),
        catchEvent('wait', [on.signal('second'), on.signal('first')], { parallelMultiple: true }),
        [root.signal('first'), root.signal('second')],
      ),
      outcome: { history: 's fork wait shout f e' },
    },
    {
      shows: 'inside a sub-process: a link stays in its scope',
      section: '10.5.5',
      files: simpleModel(
        [
          subProcess(
            'sub',
            [startEvent('is'), throwEvent('far', on.link('L')), catchEvent('inner', on.link('L')), endEvent('ie')],
            ['i1: is -> far', 'i2: inner -> ie'],
          ),
          catchEvent('outer', on.link('L')),
          endEvent('e'),
          endEvent('f'),
        ],
        ['a: s -> sub', 'b: sub -> e', 'c: outer -> f'],
      ),
      outcome: { history: 's sub is far inner ie e' },
    },
  ],
};
