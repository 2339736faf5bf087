import {
  boundaryEvent,
  compensatedBy,
  endEvent,
  on,
  root,
  serviceTask,
  startEvent,
  subProcess,
  task,
  throwEvent,
  transaction,
  type InterruptingOptions,
  type Xml,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';
import { act, LATER, SOON, soon, type ConformanceCase, type Family, type Stimulus } from '../case.js';

const INTERRUPTING = '10.5.4, 13.5.3';
const BESIDE = { interrupting: false };
const ROOTS = [
  root.message('call', '=order'),
  root.signal('alarm'),
  root.signal('again'),
  root.escalation('late'),
  root.escalation('lost'),
  root.error('broken'),
  root.error('other'),
];
const date = '<bpmn:timerEventDefinition><bpmn:timeDate>=due</bpmn:timeDate></bpmn:timerEventDefinition>';

/** A boundary event on a service task. */
const onTask = (definitions: Xml, attributes: InterruptingOptions = {}) =>
  simpleModel(
    [serviceTask('work'), boundaryEvent('event', 'work', definitions, attributes), endEvent('e'), endEvent('f')],
    ['a: s -> work', 'b: work -> e', 'c: event -> f'],
    ROOTS,
  );
/** A boundary event on a sub-process that throws from inside, then works. */
const onSub = (thrown: string, definitions: string, attributes: InterruptingOptions = {}) =>
  simpleModel(
    [
      subProcess(
        'sub',
        [startEvent('is'), throwEvent('shout', thrown), serviceTask('work'), endEvent('ie')],
        ['i1: is -> shout', 'i2: shout -> work', 'i3: work -> ie'],
      ),
      boundaryEvent('event', 'sub', definitions, attributes),
      endEvent('e'),
      endEvent('f'),
    ],
    ['a: s -> sub', 'b: sub -> e', 'c: event -> f'],
    ROOTS,
  );

/** The same event twice: interrupting, and next to its activity, which completes afterwards. */
function bothWays(
  what: string,
  definitions: Xml,
  happens: readonly Stimulus[],
  more: Partial<ConformanceCase> = {},
): ConformanceCase[] {
  return [
    {
      shows: `${what}, interrupting`,
      section: INTERRUPTING,
      files: onTask(definitions),
      play: happens,
      ...more,
      outcome: { history: 's work~ event f' },
    },
    {
      shows: `${what}, non-interrupting`,
      section: INTERRUPTING,
      files: onTask(definitions, BESIDE),
      play: [...happens, act.completeJob('work')],
      ...more,
      outcome: { history: 's work event f e' },
    },
  ];
}

export const boundaryEvents: Family = {
  title: 'Boundary events',
  file: 'boundary-events.ts',
  cases: [
    ...bothWays('message', on.message('call'), [act.message('call', 7)], { variables: { order: 7 } }),
    ...bothWays('timer with a duration', on.timer(SOON), [act.timers]),
    ...bothWays('timer with a date', date, [act.timers], { clock: (now) => ({ due: soon(now) }) }),
    ...bothWays('signal', on.signal('alarm'), [act.signal('alarm')]),
    ...bothWays('conditional', on.condition('=level > 5'), [act.setVariables({ level: 6 })], {
      variables: { level: 1 },
    }),
    ...bothWays('multiple', [on.signal('alarm'), on.timer(LATER), on.message('call')], [act.signal('alarm')], {
      variables: { order: 7 },
    }),
    {
      shows: 'timer with a cycle, as often as it says',
      section: INTERRUPTING,
      files: onTask(on.cycle('R2/PT0.2S'), BESIDE),
      play: [act.timers, act.completeJob('work')],
      outcome: { history: 's work event f event f e' },
    },
    {
      shows: 'message, non-interrupting, happens again and again',
      section: INTERRUPTING,
      files: onTask(on.message('call'), BESIDE),
      variables: { order: 7 },
      play: [act.message('call', 7), act.message('call', 7), act.completeJob('work')],
      outcome: { history: 's work event f event f e' },
    },
    {
      shows: 'conditional, non-interrupting, has to become false before it happens again',
      section: INTERRUPTING,
      files: onTask(on.condition('=level > 5'), BESIDE),
      variables: { level: 1 },
      play: [
        act.setVariables({ level: 6 }),
        act.setVariables({ level: 7 }),
        act.setVariables({ level: 1 }),
        act.setVariables({ level: 8 }),
        act.completeJob('work'),
      ],
      outcome: { history: 's work event f event f e' },
    },
    {
      shows: 'conditional, condition that fails: an incident, and the activity continues',
      section: INTERRUPTING,
      files: onTask(on.condition('=level > 5'), BESIDE),
      variables: { level: 'high' },
      play: [act.resolve('event', { level: 6 }), act.completeJob('work')],
      outcome: { history: 's work event f e' },
    },
    {
      shows: 'parallel multiple, interrupting',
      section: INTERRUPTING,
      files: onTask([on.signal('alarm'), on.signal('again')], { parallelMultiple: true }),
      play: [act.signal('again'), act.signal('alarm')],
      outcome: { history: 's work~ event f' },
    },
    {
      shows: 'parallel multiple, non-interrupting, again and again',
      section: INTERRUPTING,
      files: onTask([on.signal('alarm'), on.signal('again')], { parallelMultiple: true, ...BESIDE }),
      play: [
        act.signal('again', {}, 0),
        act.signal('alarm', {}, 0),
        act.signal('alarm', {}, 0),
        act.signal('again', {}, 0),
        act.completeJob('work'),
      ],
      outcome: { history: 's work event f event f e' },
    },
    {
      shows: 'error of its code, thrown by a worker',
      section: '10.5.4, 10.5.5, 13.5.3',
      files: onTask(on.error('broken')),
      play: [act.failJob('work', 'broken', { why: 'wet' })],
      outcome: { history: 's work! event f', variables: { why: 'wet' } },
    },
    {
      shows: 'error of another code: not caught',
      section: '10.5.4, 10.5.5',
      files: onTask(on.error('other')),
      play: [act.failJob('work', 'broken')],
      outcome: { status: 'RUNNING', history: 's work?', incidents: ['work BpmnError'] },
    },
    {
      shows: 'error of every code',
      section: '10.5.4, 10.5.5',
      files: onTask(on.error()),
      play: [act.failJob('work', 'whatever')],
      outcome: { history: 's work! event f' },
    },
    {
      shows: 'error, the one with the code before the one for every code',
      section: '10.5.5, 10.5.6',
      files: simpleModel(
        [
          serviceTask('work'),
          boundaryEvent('any', 'work', on.error()),
          boundaryEvent('event', 'work', on.error('broken')),
          endEvent('e'),
          endEvent('f'),
          endEvent('g'),
        ],
        ['a: s -> work', 'b: work -> e', 'c: event -> f', 'd: any -> g'],
        ROOTS,
      ),
      play: [act.failJob('work', 'broken')],
      outcome: { history: 's work! event f' },
    },
    {
      shows: 'error, the innermost catches',
      section: '10.5.6',
      files: simpleModel(
        [
          subProcess(
            'sub',
            [
              startEvent('is'),
              serviceTask('work'),
              boundaryEvent('inner', 'work', on.error('broken')),
              endEvent('ie'),
              endEvent('if'),
            ],
            ['i1: is -> work', 'i2: work -> ie', 'i3: inner -> if'],
          ),
          boundaryEvent('outer', 'sub', on.error('broken')),
          endEvent('e'),
          endEvent('f'),
        ],
        ['a: s -> sub', 'b: sub -> e', 'c: outer -> f'],
        ROOTS,
      ),
      play: [act.failJob('work', 'broken')],
      outcome: { history: 's sub is work! inner if e' },
    },
    {
      shows: 'escalation, interrupting',
      section: '10.5.4, 10.5.5, 13.5.3',
      files: onSub(on.escalation('late'), on.escalation('late')),
      outcome: { history: 's sub~ is shout~ event f' },
    },
    {
      shows: 'escalation, non-interrupting',
      section: '10.5.4, 10.5.5, 13.5.3',
      files: onSub(on.escalation('late'), on.escalation('late'), BESIDE),
      play: [act.completeJob('work')],
      outcome: { history: 's sub is shout event f work ie e' },
    },
    {
      shows: 'escalation of every code',
      section: '10.5.5',
      files: onSub(on.escalation('late'), on.escalation(), BESIDE),
      play: [act.completeJob('work')],
      outcome: { history: 's sub is shout event f work ie e' },
    },
    {
      shows: 'escalation of another code: not caught',
      section: '10.5.5',
      files: onSub(on.escalation('lost'), on.escalation('late')),
      play: [act.completeJob('work')],
      outcome: { history: 's sub is shout work ie e' },
    },
    {
      shows: 'compensation: listens once its activity has completed',
      section: '10.5.4, 10.7, 13.5.5',
      files: simpleModel(
        [
          task('book'),
          compensatedBy('book', 'unbook'),
          task('unbook', { isForCompensation: true }),
          endEvent('e', on.compensation()),
        ],
        ['a: s -> book', 'b: book -> e'],
      ),
      outcome: { history: 's book e undo_book unbook' },
    },
    {
      shows: 'cancel, of a transaction',
      section: '10.3.5, 10.5.4',
      files: simpleModel(
        [
          transaction('tx', [startEvent('is'), endEvent('stop', on.cancel)], ['i: is -> stop']),
          boundaryEvent('event', 'tx', on.cancel),
          endEvent('e'),
          endEvent('f'),
        ],
        ['a: s -> tx', 'b: tx -> e', 'c: event -> f'],
      ),
      outcome: { history: 's tx~ is stop event f' },
    },
    {
      shows: 'several on one activity: the first interrupts, the others no longer listen',
      section: '13.5.3',
      files: simpleModel(
        [
          serviceTask('work'),
          boundaryEvent('event', 'work', on.signal('alarm')),
          boundaryEvent('never', 'work', on.timer(LATER)),
          endEvent('e'),
          endEvent('f'),
          endEvent('g'),
        ],
        ['a: s -> work', 'b: work -> e', 'c: event -> f', 'd: never -> g'],
        ROOTS,
      ),
      play: [act.signal('alarm')],
      outcome: { history: 's work~ event f' },
    },
    {
      shows: 'of a sub-process: interrupting it ends everything inside',
      section: '13.5.3',
      files: onSub(on.signal('again'), on.signal('alarm')),
      play: [act.signal('alarm')],
      outcome: { history: 's sub~ is shout work~ event f' },
    },
    {
      shows: 'when its activity completes first, it no longer listens',
      section: '13.5.3',
      files: onTask(on.timer(LATER)),
      play: [act.completeJob('work')],
      outcome: { history: 's work e' },
    },
  ],
};
