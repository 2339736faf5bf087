import {
  compensatedBy,
  endEvent,
  eventSubProcess,
  on,
  root,
  serviceTask,
  startEvent,
  subProcess,
  task,
  throwEvent,
  type InterruptingOptions,
  type Xml,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';
import { act, LATER, SOON, type ConformanceCase, type Family, type Stimulus } from '../case.js';

const SECTION = '10.3.5, 13.5.4';
const ROOTS = [
  root.message('call'),
  root.signal('alarm'),
  root.signal('again'),
  root.escalation('late'),
  root.error('broken'),
  root.error('other'),
];
const handler = (definitions: Xml, attributes: InterruptingOptions = {}) =>
  eventSubProcess(
    'handler',
    [startEvent('event', definitions, attributes), task('note'), endEvent('he')],
    ['ha: event -> note', 'hb: note -> he'],
  );
/** Next to a service task of the process. */
const inProcess = (definitions: Xml, attributes: InterruptingOptions = {}) =>
  simpleModel(
    [serviceTask('work'), endEvent('e'), handler(definitions, attributes)],
    ['a: s -> work', 'b: work -> e'],
    ROOTS,
  );
const BESIDE = { interrupting: false };

function bothWays(
  what: string,
  definitions: Xml,
  happens: readonly Stimulus[],
  more: Partial<ConformanceCase> = {},
): ConformanceCase[] {
  return [
    {
      shows: `${what}, interrupting`,
      section: SECTION,
      files: inProcess(definitions),
      play: happens,
      ...more,
      outcome: { history: 's work~ handler event note he' },
    },
    {
      shows: `${what}, non-interrupting`,
      section: SECTION,
      files: inProcess(definitions, BESIDE),
      play: [...happens, act.completeJob('work')],
      ...more,
      outcome: { history: 's work handler event note he e' },
    },
  ];
}

export const eventSubProcesses: Family = {
  title: 'Event sub-processes',
  file: 'event-sub-processes.ts',
  cases: [
    ...bothWays('message', on.message('call'), [act.message('call')]),
    ...bothWays('timer', on.timer(SOON), [act.timers]),
    ...bothWays('signal', on.signal('alarm'), [act.signal('alarm')]),
    ...bothWays('conditional', on.condition('=level > 5'), [act.setVariables({ level: 6 })], {
      variables: { level: 1 },
    }),
    ...bothWays('multiple', [on.signal('alarm'), on.timer(LATER)], [act.signal('alarm')]),
    ...bothWays(
      'parallel multiple',
      [on.signal('alarm'), on.signal('again')],
      [act.signal('again', {}, 0), act.signal('alarm', {}, 0)],
    ).map((given) => ({
      ...given,
      files: (given.files as string).replace('id="event"', 'id="event" parallelMultiple="true"'),
    })),
    {
      shows: 'timer with a cycle, as often as it says',
      section: SECTION,
      files: inProcess(on.cycle('R2/PT0.2S'), BESIDE),
      play: [act.timers, act.completeJob('work')],
      outcome: { history: 's work handler event note he handler event note he e' },
    },
    {
      shows: 'message, non-interrupting: several at once',
      section: SECTION,
      files: simpleModel(
        [
          serviceTask('work'),
          endEvent('e'),
          eventSubProcess(
            'handler',
            [startEvent('event', on.message('call'), BESIDE), serviceTask('answer'), endEvent('he')],
            ['ha: event -> answer', 'hb: answer -> he'],
          ),
        ],
        ['a: s -> work', 'b: work -> e'],
        ROOTS,
      ),
      play: [
        act.message('call'),
        act.message('call'),
        act.completeJob('work'),
        act.completeJob('answer'),
        act.completeJob('answer'),
      ],
      outcome: { history: 's work handler event answer handler event answer e he he' },
    },
    {
      shows: 'error of its code',
      section: SECTION,
      files: inProcess(on.error('broken')),
      play: [act.failJob('work', 'broken', { why: 'wet' })],
      outcome: { history: 's work~ handler event note he', variables: {} },
    },
    {
      shows: 'error of every code',
      section: SECTION,
      files: inProcess(on.error()),
      play: [act.failJob('work', 'whatever')],
      outcome: { history: 's work~ handler event note he' },
    },
    {
      shows: 'error of another code: not caught',
      section: SECTION,
      files: inProcess(on.error('other')),
      play: [act.failJob('work', 'broken')],
      outcome: { status: 'RUNNING', history: 's work?', incidents: ['work BpmnError'] },
    },
    {
      shows: 'error, before the boundary event of the scope around it',
      section: '10.5.6, 13.5.4',
      files: simpleModel(
        [
          subProcess(
            'sub',
            [startEvent('is'), serviceTask('work'), endEvent('ie'), handler(on.error('broken'))],
            ['i1: is -> work', 'i2: work -> ie'],
          ),
          `<bpmn:boundaryEvent id="outer" attachedToRef="sub">${on.error('broken')}</bpmn:boundaryEvent>`,
          endEvent('e'),
          endEvent('f'),
        ],
        ['a: s -> sub', 'b: sub -> e', 'c: outer -> f'],
        ROOTS,
      ),
      play: [act.failJob('work', 'broken')],
      outcome: { history: 's sub is work~ handler event note he e' },
    },
    {
      shows: 'escalation, interrupting',
      section: SECTION,
      files: simpleModel(
        [
          throwEvent('shout', on.escalation('late')),
          serviceTask('work'),
          endEvent('e'),
          handler(on.escalation('late')),
        ],
        ['a: s -> shout', 'b: shout -> work', 'c: work -> e'],
        ROOTS,
      ),
      outcome: { history: 's shout~ handler event note he' },
    },
    {
      shows: 'escalation, non-interrupting',
      section: SECTION,
      files: simpleModel(
        [
          throwEvent('shout', on.escalation('late')),
          serviceTask('work'),
          endEvent('e'),
          handler(on.escalation('late'), BESIDE),
        ],
        ['a: s -> shout', 'b: shout -> work', 'c: work -> e'],
        ROOTS,
      ),
      play: [act.completeJob('work')],
      outcome: { history: 's shout handler event note work he e' },
    },
    {
      shows: 'compensation, of a completed sub-process',
      section: '10.3.5, 10.7, 13.5.5',
      files: simpleModel(
        [
          subProcess(
            'sub',
            [
              startEvent('is'),
              task('book'),
              compensatedBy('book', 'unbook'),
              task('unbook', { isForCompensation: true }),
              endEvent('ie'),
              eventSubProcess(
                'handler',
                [
                  startEvent('event', on.compensation()),
                  task('note'),
                  endEvent('he', on.compensation({ activity: 'book' })),
                ],
                ['ha: event -> note', 'hb: note -> he'],
              ),
            ],
            ['i1: is -> book', 'i2: book -> ie'],
          ),
          endEvent('e', on.compensation()),
        ],
        ['a: s -> sub', 'b: sub -> e'],
      ),
      outcome: { history: 's sub is book ie e handler event note he undo_book unbook' },
    },
    {
      shows: 'in a sub-process: interrupts that alone, which then continues normally',
      section: SECTION,
      files: simpleModel(
        [
          subProcess(
            'sub',
            [startEvent('is'), serviceTask('work'), endEvent('ie'), handler(on.signal('alarm'))],
            ['i1: is -> work', 'i2: work -> ie'],
          ),
          task('after'),
          endEvent('e'),
        ],
        ['a: s -> sub', 'b: sub -> after', 'c: after -> e'],
        ROOTS,
      ),
      play: [act.signal('alarm')],
      outcome: { history: 's sub is work~ handler event note he after e' },
    },
    {
      shows: 'interrupting: its siblings no longer listen',
      section: SECTION,
      files: simpleModel(
        [
          serviceTask('work'),
          endEvent('e'),
          eventSubProcess(
            'handler',
            [startEvent('event', on.signal('alarm')), serviceTask('repair'), endEvent('he')],
            ['ha: event -> repair', 'hb: repair -> he'],
          ),
          eventSubProcess(
            'sibling',
            [startEvent('called', on.message('call'), BESIDE), endEvent('oe')],
            ['oa: called -> oe'],
          ),
        ],
        ['a: s -> work', 'b: work -> e'],
        ROOTS,
      ),
      play: [act.signal('alarm'), act.message('call'), act.completeJob('repair')],
      outcome: { history: 's work~ handler event repair he' },
    },
    {
      shows: 'its scope waits for it before it completes',
      section: SECTION,
      files: simpleModel(
        [
          serviceTask('work'),
          endEvent('e'),
          eventSubProcess(
            'handler',
            [startEvent('event', on.signal('alarm'), BESIDE), serviceTask('answer'), endEvent('he')],
            ['ha: event -> answer', 'hb: answer -> he'],
          ),
        ],
        ['a: s -> work', 'b: work -> e'],
        ROOTS,
      ),
      play: [act.signal('alarm'), act.completeJob('work'), act.completeJob('answer')],
      outcome: { history: 's work handler event answer e he' },
    },
  ],
};
