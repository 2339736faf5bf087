import {
  catchEvent,
  endEvent,
  eventBasedGateway,
  exclusiveGateway,
  extensions,
  on,
  parallelGateway,
  processModel,
  root,
  serviceTask,
  startEvent,
  subProcess,
  task,
  type Xml,
} from '@perdure/testkit/models';
import { act, type Family, type Stimulus } from '../case.js';

const MESSAGE_TABLE = '10.5.2, 13.2';
const doubled = extensions('<zeebe:ioMapping><zeebe:output source="=sum * 2" target="total"/></zeebe:ioMapping>');
/** Long enough for every tick below. */
const SECONDS: Stimulus = { kind: 'timePasses', ms: 3000 };
/** Ticks two seconds after the deployment and then for a year no more. */
const ONCE_A_YEAR =
  '={at: now() + @"PT2S", cron: string(floor(at.second)) + " " + string(at.minute) + " " + string(at.hour) + " " + string(at.day) + " " + string(at.month) + " *"}.cron';
const begun = (start: string, roots: Xml) =>
  processModel('p', [start, task('work'), endEvent('e')], ['a: go -> work', 'b: work -> e'], roots);

export const startEvents: Family = {
  title: 'Start events',
  file: 'start-events.ts',
  cases: [
    {
      shows: 'none',
      section: '10.5.2',
      files: processModel('p', [startEvent('go'), endEvent('e')], ['a: go -> e']),
      outcome: { history: 'go e' },
    },
    {
      shows: 'none, of a sub-process',
      section: '10.5.2',
      files: processModel(
        'p',
        [
          startEvent('go'),
          subProcess('sub', [startEvent('inside'), endEvent('ie')], ['i: inside -> ie']),
          endEvent('e'),
        ],
        ['a: go -> sub', 'b: sub -> e'],
      ),
      outcome: { history: 'go sub inside ie e' },
    },
    {
      shows: 'left out: what no sequence flow leads to begins',
      section: '10.5.2, 13.2',
      files: processModel('p', [task('right'), task('left'), task('then')], ['a: left -> then']),
      outcome: { history: 'right left then' },
    },
    {
      shows: 'left out: an element that completes at once does not end what begins next to it',
      section: '10.5.2, 13.2',
      files: processModel('p', [task('quick'), serviceTask('slow')], []),
      play: [act.completeJob('slow')],
      outcome: { history: 'quick slow' },
    },
    {
      shows: 'message, whose variables pass through its output mapping',
      section: MESSAGE_TABLE,
      files: begun(startEvent('go', [doubled, on.message('order')]), root.message('order')),
      startsItself: true,
      play: [act.message('order', undefined, { sum: 2 })],
      outcome: { history: 'go work e', variables: { total: 4 } },
    },
    {
      shows: 'signal, one instance for each time it is thrown',
      section: MESSAGE_TABLE,
      files: begun(startEvent('go', on.signal('open')), root.signal('open')),
      startsItself: true,
      play: [act.signal('open', { day: 1 }), act.signal('open', { day: 2 })],
      outcome: [
        { history: 'go work e', variables: { day: 1 } },
        { history: 'go work e', variables: { day: 2 } },
      ],
    },
    {
      shows: 'timer with a date',
      section: MESSAGE_TABLE,
      files: begun(
        startEvent(
          'go',
          '<bpmn:timerEventDefinition><bpmn:timeDate>=now() + @"PT1S"</bpmn:timeDate></bpmn:timerEventDefinition>',
        ),
        '',
      ),
      startsItself: true,
      play: [act.timers],
      outcome: { history: 'go work e' },
    },
    {
      shows: 'timer with a repetition, one instance for each of its ticks',
      section: MESSAGE_TABLE,
      files: begun(startEvent('go', on.cycle('R2/PT1S')), ''),
      startsItself: true,
      play: [SECONDS],
      outcome: [{ history: 'go work e' }, { history: 'go work e' }],
    },
    {
      shows: 'timer with a repetition that has a beginning',
      section: MESSAGE_TABLE,
      files: begun(startEvent('go', on.cycle('="R1/" + string(now() + @"PT1S") + "/P1D"')), ''),
      startsItself: true,
      play: [SECONDS],
      outcome: { history: 'go work e' },
    },
    {
      shows: 'timer with a cron expression',
      section: MESSAGE_TABLE,
      files: begun(startEvent('go', on.cycle(ONCE_A_YEAR)), ''),
      startsItself: true,
      play: [SECONDS],
      outcome: { history: 'go work e' },
    },
    {
      shows: 'conditional, evaluated on request',
      section: MESSAGE_TABLE,
      files: begun(startEvent('go', on.condition('=stock < 5')), ''),
      startsItself: true,
      play: [act.conditions({ stock: 9 }), act.conditions({ stock: 2 })],
      outcome: { history: 'go work e', variables: { stock: 2 } },
    },
    {
      shows: 'multiple: either of its events starts an instance',
      section: MESSAGE_TABLE,
      files: begun(startEvent('go', [on.message('order'), on.signal('open')]), [
        root.message('order'),
        root.signal('open'),
      ]),
      startsItself: true,
      play: [act.signal('open'), act.message('order')],
      outcome: [{ history: 'go work e' }, { history: 'go work e' }],
    },
    {
      shows: 'parallel multiple: all events together start the instance, by correlation',
      section: MESSAGE_TABLE,
      files: begun(startEvent('go', [on.message('order'), on.message('payment')], { parallelMultiple: true }), [
        root.message('order'),
        root.message('payment'),
      ]),
      startsItself: true,
      play: [
        act.message('payment', 7, { paid: true }),
        act.message('order', 8, { sum: 1 }),
        act.message('order', 7, { sum: 2 }),
      ],
      outcome: { history: 'go work e', variables: { paid: true, sum: 2 } },
    },
    {
      shows: 'several of one process: each starts its own instance',
      section: '10.5.2, 13.2',
      files: processModel(
        'p',
        [
          startEvent('byMessage', on.message('order')),
          startEvent('bySignal', on.signal('open')),
          exclusiveGateway('merge'),
          endEvent('e'),
        ],
        ['a: byMessage -> merge', 'b: bySignal -> merge', 'c: merge -> e'],
        [root.message('order'), root.signal('open')],
      ),
      startsItself: true,
      play: [act.message('order'), act.signal('open')],
      outcome: [{ history: 'byMessage merge e' }, { history: 'bySignal merge e' }],
    },
    {
      shows: 'receive task that instantiates',
      section: '10.3.3, 13.2',
      files: processModel(
        'p',
        ['<bpmn:receiveTask id="go" messageRef="order" instantiate="true"/>', endEvent('e')],
        ['a: go -> e'],
        root.message('order'),
      ),
      startsItself: true,
      play: [act.message('order', undefined, { sum: 2 })],
      outcome: { history: 'go e', variables: { sum: 2 } },
    },
    {
      shows: 'event-based gateway that instantiates: the first event decides',
      section: '10.6.6, 13.2',
      files: processModel(
        'p',
        [
          eventBasedGateway('go', { instantiate: true }),
          catchEvent('ordered', on.message('order')),
          catchEvent('opened', on.signal('open')),
          endEvent('e'),
          endEvent('f'),
        ],
        ['a: go -> ordered', 'b: go -> opened', 'c: ordered -> e', 'd: opened -> f'],
        [root.message('order'), root.signal('open')],
      ),
      startsItself: true,
      play: [act.message('order', undefined, { sum: 2 })],
      outcome: { history: 'go ordered e', variables: { sum: 2 } },
    },
    {
      shows: 'parallel event-based gateway that instantiates: the others are waited for',
      section: '10.6.6, 13.2',
      files: processModel(
        'p',
        [
          eventBasedGateway('go', { instantiate: true, eventGatewayType: 'Parallel' }),
          catchEvent('ordered', on.message('order')),
          catchEvent('paid', on.message('payment')),
          parallelGateway('join'),
          endEvent('e'),
        ],
        ['a: go -> ordered', 'b: go -> paid', 'c: ordered -> join', 'd: paid -> join', 'f: join -> e'],
        [root.message('order'), root.message('payment')],
      ),
      startsItself: true,
      play: [act.message('payment', undefined, { paid: true }), act.message('order', undefined, { sum: 2 })],
      outcome: { history: 'go ordered paid join e', variables: { paid: true, sum: 2 } },
    },
  ],
};
