import {
  boundary,
  catchEvent,
  endEvent,
  gateway,
  on,
  root,
  scope,
  scriptTask,
  serviceTask,
  simpleModel,
  task,
} from '../../support/bpmn-models.js';
import { act, LATER, SOON, type Family } from '../case.js';

const EXCLUSIVE = '10.6.2, 13.4.2';
const PARALLEL = '10.6.4, 13.4.1';
const INCLUSIVE = '10.6.3, 13.4.3';
const COMPLEX = '10.6.5, 13.4.5';
const EVENTS = '10.6.6, 13.4.4';
const which = simpleModel(
  gateway('exclusive', 'which', 'default="d"') + endEvent('low') + endEvent('high') + endEvent('rest'),
  'a: s -> which\nb: which -> low =x < 10\nc: which -> high =x > 5\nd: which -> rest',
);
const two = serviceTask('left') + serviceTask('right');
const inclusive = (attributes: string, otherwise: string) =>
  simpleModel(
    gateway('inclusive', 'fork', attributes) + two + task('other') + gateway('inclusive', 'join') + endEvent('e'),
    `a: s -> fork\nb: fork -> left =x > 0\nc: fork -> right =x > 1\n${otherwise}\nl: left -> join\nr: right -> join\no: other -> join\nz: join -> e`,
  );
/** Three branches; two of them are enough. */
const twoOfThree = (condition: string, flows = 'z: join -> e', ends = endEvent('e')) =>
  simpleModel(
    gateway('parallel', 'fork') +
      two +
      serviceTask('middle') +
      gateway('complex', 'join', '', `<bpmn:activationCondition>${condition}</bpmn:activationCondition>`) +
      ends,
    `a: s -> fork\nb: fork -> left\nc: fork -> middle\nd: fork -> right\nl: left -> join\nm: middle -> join\nr: right -> join\n${flows}`,
  );
const race = simpleModel(
  gateway('eventBased', 'race') +
    catchEvent('pays', on.message('paid')) +
    catchEvent('stops', on.signal('stop')) +
    catchEvent('late', on.timer(LATER)) +
    catchEvent('full', on.condition('=stock > 5')) +
    '<bpmn:receiveTask id="calls" messageRef="called"/>' +
    ['e1', 'e2', 'e3', 'e4', 'e5'].map((id) => endEvent(id)).join(''),
  'a: s -> race\nb: race -> pays\nc: race -> stops\nd: race -> late\ne: race -> full\nf: race -> calls\ng: pays -> e1\nh: stops -> e2\ni: late -> e3\nj: full -> e4\nk: calls -> e5',
  root.message('paid') + root.message('called') + root.signal('stop'),
);

export const gateways: Family = {
  title: 'Gateways and conditional flows',
  file: 'gateways.ts',
  cases: [
    {
      shows: 'exclusive, the first condition in order that holds',
      section: EXCLUSIVE,
      files: which,
      variables: { x: 7 },
      outcome: { history: 's which low' },
    },
    {
      shows: 'exclusive, another condition',
      section: EXCLUSIVE,
      files: which,
      variables: { x: 50 },
      outcome: { history: 's which high' },
    },
    {
      shows: 'exclusive, the default flow',
      section: EXCLUSIVE,
      files: simpleModel(
        gateway('exclusive', 'which', 'default="d"') + endEvent('low') + endEvent('rest'),
        'a: s -> which\nd: which -> rest\nb: which -> low =x < 10',
      ),
      variables: { x: 50 },
      outcome: { history: 's which rest' },
    },
    {
      shows: 'exclusive, nothing holds and no default flow: an incident that can be resolved',
      section: EXCLUSIVE,
      files: simpleModel(
        gateway('exclusive', 'which') + endEvent('low') + endEvent('high'),
        'a: s -> which\nb: which -> low =x < 10\nc: which -> high =x > 90',
      ),
      variables: { x: 50 },
      play: [act.resolve('which', { x: 5 })],
      outcome: { history: 's which low', variables: { x: 5 } },
    },
    {
      shows: 'exclusive, merge: every token goes on by itself',
      section: EXCLUSIVE,
      files: simpleModel(
        gateway('parallel', 'fork') + gateway('exclusive', 'merge') + task('work') + endEvent('e'),
        'a: s -> fork\nb: fork -> merge\nc: fork -> merge\nd: merge -> work\nf: work -> e',
      ),
      outcome: { history: 's fork merge merge work work e e' },
    },
    {
      shows: 'parallel, fork and join in any order',
      section: PARALLEL,
      files: simpleModel(
        gateway('parallel', 'fork') + two + gateway('parallel', 'join') + endEvent('e'),
        'a: s -> fork\nb: fork -> left\nc: fork -> right\nl: left -> join\nr: right -> join\nz: join -> e',
      ),
      play: [act.completeJob('right'), act.completeJob('left')],
      outcome: { history: 's fork left right join e' },
    },
    {
      shows: 'parallel, join and fork in one',
      section: PARALLEL,
      files: simpleModel(
        gateway('parallel', 'fork') + gateway('parallel', 'both') + endEvent('e') + endEvent('f'),
        'a: s -> fork\nb: fork -> both\nc: fork -> both\nd: both -> e\ng: both -> f',
      ),
      outcome: { history: 's fork both e f' },
    },
    {
      shows: 'parallel, join whose missing token cannot come: an incident',
      section: PARALLEL,
      files: simpleModel(
        gateway('exclusive', 'fork', 'default="d"') + gateway('parallel', 'join') + endEvent('e'),
        'a: s -> fork\nb: fork -> join =x\nd: fork -> join\nz: join -> e',
      ),
      variables: { x: true },
      outcome: { status: 'RUNNING', history: 's fork', incidents: ['join GatewayNoMatch'] },
    },
    {
      shows: 'inclusive, all flows whose condition holds',
      section: INCLUSIVE,
      files: inclusive('default="d"', 'd: fork -> other'),
      variables: { x: 2 },
      play: [act.completeJob('right'), act.completeJob('left')],
      outcome: { history: 's fork left right join e' },
    },
    {
      shows: 'inclusive, one flow only: the join waits for no other',
      section: INCLUSIVE,
      files: inclusive('default="d"', 'd: fork -> other'),
      variables: { x: 1 },
      play: [act.completeJob('left')],
      outcome: { history: 's fork left join e' },
    },
    {
      shows: 'inclusive, the default flow',
      section: INCLUSIVE,
      files: inclusive('default="d"', 'd: fork -> other'),
      variables: { x: 0 },
      outcome: { history: 's fork other join e' },
    },
    {
      shows: 'inclusive, nothing holds and no default flow: an incident',
      section: INCLUSIVE,
      files: inclusive('', 'd: fork -> other =x > 9'),
      variables: { x: 0 },
      outcome: { status: 'RUNNING', history: 's fork?', incidents: ['fork GatewayNoMatch'] },
    },
    {
      shows: 'inclusive, join: a token that has gone another way is not waited for',
      section: INCLUSIVE,
      files: simpleModel(
        gateway('parallel', 'fork') +
          two +
          gateway('exclusive', 'turn', 'default="d"') +
          gateway('inclusive', 'join') +
          endEvent('e') +
          endEvent('f'),
        'a: s -> fork\nb: fork -> left\nc: fork -> right\nl: left -> join\nr: right -> turn\nt: turn -> join =stays\nd: turn -> f\nz: join -> e',
      ),
      variables: { stays: false },
      play: [act.completeJob('left'), act.completeJob('right')],
      outcome: { history: 's fork left right turn f join e' },
    },
    {
      shows: 'inclusive, join: a token that can come round a loop is waited for',
      section: INCLUSIVE,
      files: simpleModel(
        gateway('parallel', 'fork') +
          two +
          gateway('exclusive', 'again') +
          gateway('exclusive', 'turn', 'default="d"') +
          gateway('inclusive', 'join') +
          endEvent('e'),
        'a: s -> fork\nb: fork -> left\nc: fork -> again\ng: again -> right\nl: left -> join\nr: right -> turn\nt: turn -> again =more\nd: turn -> join\nz: join -> e',
      ),
      play: [
        act.completeJob('left'),
        act.completeJob('right', { more: true }),
        act.completeJob('right', { more: false }),
      ],
      outcome: { history: 's fork left again right turn again right turn join e' },
    },
    {
      shows: 'inclusive, join inside a loop: fires in every round',
      section: INCLUSIVE,
      files: simpleModel(
        gateway('exclusive', 'again') +
          gateway('inclusive', 'fork') +
          task('one') +
          task('two') +
          gateway('inclusive', 'join') +
          scriptTask('count', '=x + 1', 'x') +
          gateway('exclusive', 'turn', 'default="d"') +
          endEvent('e'),
        'a: s -> again\nb: again -> fork\nc: fork -> one =true\nd1: fork -> two =x > 0\nl: one -> join\nr: two -> join\nk: join -> count\nn: count -> turn\nt: turn -> again =x < 2\nd: turn -> e',
      ),
      variables: { x: 0 },
      outcome: {
        history: 's again fork one join count turn again fork one two join count turn e',
        variables: { x: 2 },
      },
    },
    {
      shows: 'complex, starts when its activation condition holds; what comes later only resets it',
      section: COMPLEX,
      files: twoOfThree('=activationCount &gt;= 2'),
      play: [act.completeJob('left'), act.completeJob('right'), act.completeJob('middle')],
      outcome: { history: 's fork left middle right join e join' },
    },
    {
      shows: 'complex, tokens at the reset where conditions of its flows say so',
      section: COMPLEX,
      files: twoOfThree(
        '=activationCount &gt;= 2',
        'z: join -> e =waitingForStart\ny: join -> f =not(waitingForStart)',
        endEvent('e') + endEvent('f'),
      ),
      play: [act.completeJob('left'), act.completeJob('right'), act.completeJob('middle')],
      outcome: { history: 's fork left middle right join e join f' },
    },
    {
      shows: 'complex, activation condition that fails: an incident',
      section: COMPLEX,
      files: twoOfThree('=activationCount &gt;= enough'),
      variables: { enough: 'two' },
      play: [act.completeJob('left')],
      outcome: { status: 'RUNNING', history: 's fork left middle? right?', incidents: ['join FeelError'] },
    },
    {
      shows: 'complex, fork: every flow whose condition holds',
      section: COMPLEX,
      files: simpleModel(
        gateway('complex', 'fork', 'default="d"') + endEvent('e') + endEvent('f') + endEvent('g'),
        'a: s -> fork\nb: fork -> e =x > 0\nc: fork -> f =x > 1\nd: fork -> g',
      ),
      variables: { x: 2 },
      outcome: { history: 's fork e f' },
    },
    {
      shows: 'event-based, decided by a message',
      section: EVENTS,
      files: race,
      variables: { stock: 0 },
      play: [act.message('paid')],
      outcome: { history: 's race pays e1' },
    },
    {
      shows: 'event-based, decided by a signal',
      section: EVENTS,
      files: race,
      variables: { stock: 0 },
      play: [act.signal('stop')],
      outcome: { history: 's race stops e2' },
    },
    {
      shows: 'event-based, decided by a condition',
      section: EVENTS,
      files: race,
      variables: { stock: 0 },
      play: [act.setVariables({ stock: 9 })],
      outcome: { history: 's race full e4' },
    },
    {
      shows: 'event-based, decided by a receive task',
      section: EVENTS,
      files: race,
      variables: { stock: 0 },
      play: [act.message('called')],
      outcome: { history: 's race calls e5' },
    },
    {
      shows: 'event-based, decided by a timer',
      section: EVENTS,
      files: race.replace(LATER, SOON),
      variables: { stock: 0 },
      play: [act.timers],
      outcome: { history: 's race late e3' },
    },
    {
      shows: 'conditional flows of an activity, beside an unconditional one',
      section: '10.3, 13.3.1',
      files: simpleModel(
        task('work', '', 'default="d"') + endEvent('always') + endEvent('sometimes') + endEvent('otherwise'),
        'a: s -> work\nb: work -> always\nc: work -> sometimes =x\nd: work -> otherwise',
      ),
      variables: { x: true },
      outcome: { history: 's work always sometimes' },
    },
    {
      shows: 'default flow of an activity',
      section: '10.3, 13.3.1',
      files: simpleModel(
        task('work', '', 'default="d"') + endEvent('always') + endEvent('sometimes') + endEvent('otherwise'),
        'a: s -> work\nb: work -> always\nc: work -> sometimes =x\nd: work -> otherwise',
      ),
      variables: { x: false },
      outcome: { history: 's work always otherwise' },
    },
    {
      shows: 'several flows into an activity: it runs for every token',
      section: '13.3.1',
      files: simpleModel(
        gateway('parallel', 'fork') + task('work') + endEvent('e'),
        'a: s -> fork\nb: fork -> work\nc: fork -> work\nd: work -> e',
      ),
      outcome: { history: 's fork work work e e' },
    },
    {
      shows: 'inclusive, join: a boundary event that can still lead to it is waited for',
      section: INCLUSIVE,
      files: simpleModel(
        gateway('parallel', 'fork') +
          two +
          boundary('event', 'right', on.signal('stop')) +
          gateway('inclusive', 'join') +
          endEvent('e') +
          endEvent('f'),
        'a: s -> fork\nb: fork -> left\nc: fork -> right\nl: left -> join\nr: right -> f\nt: event -> join\nz: join -> e',
        root.signal('stop'),
      ),
      play: [act.completeJob('left'), act.signal('stop')],
      outcome: { history: 's fork left right~ event join e' },
    },
    {
      shows: 'parallel, in a sub-process that is ended: its waiting token is gone with it',
      section: PARALLEL,
      files: simpleModel(
        scope(
          'subProcess',
          'sub',
          `<bpmn:startEvent id="is"/>${gateway('parallel', 'fork')}${two}${gateway('parallel', 'join')}${endEvent('ie')}`,
          'i1: is -> fork\ni2: fork -> left\ni3: fork -> right\ni4: left -> join\ni5: right -> join\ni6: join -> ie',
        ) +
          boundary('event', 'sub', on.signal('stop')) +
          endEvent('e') +
          endEvent('f'),
        'a: s -> sub\nb: sub -> e\nc: event -> f',
        root.signal('stop'),
      ),
      play: [act.completeJob('left'), act.signal('stop')],
      outcome: { history: 's sub~ is fork left right~ event f' },
    },
  ],
};
