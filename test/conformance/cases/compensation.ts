import {
  boundaryEvent,
  compensatedBy,
  endEvent,
  eventSubProcess,
  exclusiveGateway,
  multiInstance,
  on,
  parallelGateway,
  root,
  scriptTask,
  serviceTask,
  startEvent,
  subProcess,
  task,
  throwEvent,
  type Xml,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';
import { act, type Family } from '../case.js';

const SECTION = '10.7, 13.5.5';
const UNDO = { isForCompensation: true };
/** A task and its handler, which does its work at once. */
const undoable = (id: string) => [task(id), compensatedBy(id, `un${id}`), task(`un${id}`, UNDO)];
const three = [undoable('a'), undoable('b'), task('c')];
const inSub = (body: Xml, flows: Xml) => subProcess('sub', [startEvent('is'), body, endEvent('ie')], flows);

export const compensation: Family = {
  title: 'Compensation',
  file: 'compensation.ts',
  cases: [
    {
      shows: 'of everything in reach, in reverse order of completion',
      section: SECTION,
      files: simpleModel(
        [three, throwEvent('back', on.compensation()), endEvent('e')],
        ['f1: s -> a', 'f2: a -> b', 'f3: b -> c', 'f4: c -> back', 'f5: back -> e'],
      ),
      outcome: { history: 's a b c back undo_b unb undo_a una e' },
    },
    {
      shows: 'one handler after another, each is waited for',
      section: SECTION,
      files: simpleModel(
        [
          task('a'),
          compensatedBy('a', 'una'),
          serviceTask('una', UNDO),
          task('b'),
          compensatedBy('b', 'unb'),
          serviceTask('unb', UNDO),
          endEvent('e', on.compensation()),
        ],
        ['f1: s -> a', 'f2: a -> b', 'f3: b -> e'],
      ),
      play: [act.completeJob('unb'), act.completeJob('una')],
      outcome: { history: 's a b e undo_b unb undo_a una' },
    },
    {
      shows: 'of one activity, once',
      section: SECTION,
      files: simpleModel(
        [
          three,
          throwEvent('one', on.compensation({ activity: 'a' })),
          throwEvent('again', on.compensation({ activity: 'a' })),
          endEvent('e'),
        ],
        ['f1: s -> a', 'f2: a -> b', 'f3: b -> c', 'f4: c -> one', 'f5: one -> again', 'f6: again -> e'],
      ),
      outcome: { history: 's a b c one undo_a una again e' },
    },
    {
      shows: 'not of what has not completed',
      section: SECTION,
      files: simpleModel(
        [
          parallelGateway('fork'),
          serviceTask('a'),
          compensatedBy('a', 'una'),
          task('una', UNDO),
          endEvent('e'),
          endEvent('back', on.compensation()),
        ],
        ['f1: s -> fork', 'f2: fork -> a', 'f3: fork -> back', 'f4: a -> e'],
      ),
      play: [act.completeJob('a')],
      outcome: { history: 's fork a back e' },
    },
    {
      shows: 'that is not waited for (waitForCompletion)',
      section: SECTION,
      files: simpleModel(
        [
          task('a'),
          compensatedBy('a', 'una'),
          serviceTask('una', UNDO),
          throwEvent('back', on.compensation({ waitForCompletion: false })),
          serviceTask('next'),
          endEvent('e'),
        ],
        ['f1: s -> a', 'f2: a -> back', 'f3: back -> next', 'f4: next -> e'],
      ),
      play: [act.completeJob('next'), act.completeJob('una')],
      outcome: { history: 's a back next undo_a una e' },
    },
    {
      shows: 'into a completed sub-process',
      section: SECTION,
      files: simpleModel(
        [
          undoable('x'),
          inSub([undoable('a'), undoable('b')], ['i1: is -> a', 'i2: a -> b', 'i3: b -> ie']),
          throwEvent('back', on.compensation()),
          endEvent('e'),
        ],
        ['f1: s -> x', 'f2: x -> sub', 'f3: sub -> back', 'f4: back -> e'],
      ),
      outcome: { history: 's x sub is a b ie back sub undo_b unb undo_a una undo_x unx e' },
    },
    {
      shows: 'of a sub-process with its own handler: that handler alone',
      section: SECTION,
      files: simpleModel(
        [
          inSub(undoable('a'), ['i1: is -> a', 'i2: a -> ie']),
          compensatedBy('sub', 'unsub'),
          task('unsub', UNDO),
          endEvent('e', on.compensation()),
        ],
        ['f1: s -> sub', 'f2: sub -> e'],
      ),
      outcome: { history: 's sub is a ie e undo_sub unsub' },
    },
    {
      shows: 'handler sees the variables of its scope as they were',
      section: SECTION,
      files: simpleModel(
        [
          subProcess(
            'sub',
            [
              '<bpmn:extensionElements><zeebe:ioMapping><zeebe:input source="=&quot;inner&quot;" target="where"/></zeebe:ioMapping></bpmn:extensionElements>',
              startEvent('is'),
              task('a'),
              compensatedBy('a', 'una'),
              scriptTask('una', '=where', 'seen', UNDO),
              endEvent('ie'),
            ],
            ['i1: is -> a', 'i2: a -> ie'],
          ),
          endEvent('e', on.compensation()),
        ],
        ['f1: s -> sub', 'f2: sub -> e'],
      ),
      outcome: { history: 's sub is a ie e sub undo_a una', variables: { seen: 'inner' } },
    },
    {
      shows: 'of a multi-instance activity: once for each instance, the last first',
      section: SECTION,
      files: simpleModel(
        [
          task('a', { loop: multiInstance('=items', { sequential: true }) }),
          compensatedBy('a', 'una'),
          scriptTask('una', '=append(seen, item)', 'seen', UNDO),
          endEvent('e', on.compensation()),
        ],
        ['f1: s -> a', 'f2: a -> e'],
      ),
      variables: { items: [1, 2, 3], seen: [] },
      outcome: {
        history: 's a a#1 a#2 a#3 e undo_a una undo_a una undo_a una',
        variables: { items: [1, 2, 3], seen: [3, 2, 1] },
      },
    },
    {
      shows: 'handler that is a sub-process',
      section: SECTION,
      files: simpleModel(
        [
          task('a'),
          compensatedBy('a', 'una'),
          subProcess(
            'una',
            [startEvent('us'), serviceTask('repair'), endEvent('ue')],
            ['u1: us -> repair', 'u2: repair -> ue'],
            UNDO,
          ),
          endEvent('e', on.compensation()),
        ],
        ['f1: s -> a', 'f2: a -> e'],
      ),
      play: [act.completeJob('repair')],
      outcome: { history: 's a e undo_a una us repair ue' },
    },
    {
      shows: 'from an error event sub-process: of what has completed in its scope',
      section: SECTION,
      files: simpleModel(
        [
          undoable('a'),
          endEvent('bad', on.error('broken')),
          eventSubProcess(
            'handler',
            [startEvent('caught', on.error()), endEvent('he', on.compensation())],
            ['h1: caught -> he'],
          ),
        ],
        ['f1: s -> a', 'f2: a -> bad'],
        root.error('broken'),
      ),
      outcome: { history: 's a bad~ handler caught he undo_a una' },
    },
    {
      shows: 'handler with an incident: it continues when that is resolved',
      section: SECTION,
      files: simpleModel(
        [
          task('a'),
          compensatedBy('a', 'una'),
          scriptTask('una', '=1 / x', 'y', UNDO),
          endEvent('e', on.compensation()),
        ],
        ['f1: s -> a', 'f2: a -> e'],
      ),
      variables: { x: 0 },
      play: [act.resolve('una', { x: 1 })],
      outcome: { history: 's a e undo_a una' },
    },
    {
      shows: 'of an activity that ran several times: once for each time',
      section: SECTION,
      files: simpleModel(
        [
          exclusiveGateway('again'),
          scriptTask('a', '=x + 1', 'x'),
          compensatedBy('a', 'una'),
          scriptTask('una', '=x - 1', 'x', UNDO),
          exclusiveGateway('turn', { default: 'd' }),
          endEvent('e', on.compensation()),
        ],
        ['f1: s -> again', 'f2: again -> a', 'f3: a -> turn', 'f4: turn -> again =x < 2', 'd: turn -> e'],
      ),
      variables: { x: 0 },
      outcome: { history: 's again a turn again a turn e undo_a una undo_a una', variables: { x: 0 } },
    },
    {
      shows: 'nothing to compensate: it continues',
      section: SECTION,
      files: simpleModel(
        [task('a'), throwEvent('back', on.compensation()), endEvent('e')],
        ['f1: s -> a', 'f2: a -> back', 'f3: back -> e'],
      ),
      outcome: { history: 's a back e' },
    },
    {
      shows: 'of an activity left through its error boundary event: not compensated',
      section: SECTION,
      files: simpleModel(
        [
          serviceTask('a'),
          compensatedBy('a', 'una'),
          task('una', UNDO),
          boundaryEvent('event', 'a', on.error('broken')),
          endEvent('e'),
          endEvent('f', on.compensation()),
        ],
        ['f1: s -> a', 'f2: a -> e', 'f3: event -> f'],
        root.error('broken'),
      ),
      play: [act.failJob('a', 'broken')],
      outcome: { history: 's a! event f' },
    },
  ],
};
