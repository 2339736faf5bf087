/** Rules that BPMN leaves to the host: which instance gets a message, and what a pause defers. The testkit has to agree with Temporal here too. */
import {
  boundaryEvent,
  catchEvent,
  endEvent,
  extensions,
  on,
  parallelGateway,
  processModel,
  root,
  scriptTask,
  serviceTask,
  startEvent,
  userTask,
  type Xml,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';
import { act, type Family } from '../case.js';

const MATCHING = 'ADR 14';
const PAUSE = 'ADR 17';
const ORDER = root.message('order');
const orderedInto = (process: string) =>
  processModel(process, [startEvent('go', on.message('order')), endEvent('e')], ['a: go -> e'], ORDER);
const waitingBehind = (process: string, job: string) =>
  processModel(
    process,
    [startEvent('s'), serviceTask(job), catchEvent('wait', on.message('order')), endEvent('e')],
    [`a: s -> ${job}`, `b: ${job} -> wait`, 'c: wait -> e'],
    ORDER,
  );
const waiting = (process: string) =>
  processModel(
    process,
    [startEvent('s'), catchEvent('wait', on.message('order')), endEvent('e')],
    ['a: s -> wait', 'b: wait -> e'],
    ORDER,
  );
const calling = (inner: Xml = '', flows = '') =>
  simpleModel(
    [
      serviceTask('before'),
      `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="q" propagateAllChildVariables="true"/>')}</bpmn:callActivity>`,
      endEvent('e'),
      inner,
    ],
    ['a: s -> before', 'b: before -> call', 'c: call -> e', flows],
    ORDER,
  );
const called = processModel(
  'q',
  [startEvent('qs'), serviceTask('inner'), endEvent('qe')],
  ['a: qs -> inner', 'b: inner -> qe'],
);
const TOO_LARGE = { text: 'x'.repeat(1024 * 1024) };
const working = (job: string, rest: Xml = '', flows: readonly string[] = []) =>
  simpleModel([serviceTask(job), endEvent('e'), rest], [`a: s -> ${job}`, `b: ${job} -> e`, ...flows], ORDER);
const two = simpleModel(
  [
    parallelGateway('fork'),
    catchEvent('wait', on.message('order')),
    scriptTask('after', '=sum * 2', 'total'),
    catchEvent('heard', on.signal('open')),
  ],
  ['a: s -> fork', 'b: fork -> wait', 'c: wait -> after', 'd: fork -> heard'],
  [ORDER, root.signal('open')],
);

export const hostRules: Family = {
  title: 'Rules of the host',
  file: 'host-rules.ts',
  cases: [
    {
      shows: 'message that two processes begin with: the one that was deployed first',
      section: MATCHING,
      files: [orderedInto('p'), orderedInto('q')],
      startsItself: true,
      play: [act.message('order')],
      outcome: { history: 'go e' },
    },
    {
      shows: 'message that two wait for: the one that has waited longest, not the one that was started first',
      section: MATCHING,
      files: [waitingBehind('p', 'late'), waitingBehind('q', 'early')],
      play: [act.start('q'), act.completeJob('early'), act.completeJob('late'), act.message('order')],
      outcome: [
        { status: 'RUNNING', history: 's late wait?' },
        { process: 'q', history: 's early wait e' },
      ],
    },
    {
      shows: 'called instance that is canceled: the caller has an incident',
      section: 'ADR 4',
      files: [calling(), called],
      play: [act.completeJob('before'), act.cancelOf('q')],
      outcome: [
        { status: 'RUNNING', history: 's before call?', incidents: ['call CallActivityCanceled'] },
        { process: 'q', status: 'CANCELED', history: 'qs inner~' },
      ],
    },
    {
      shows: 'called instance that the caller leaves is canceled',
      section: 'ADR 4',
      files: [calling([boundaryEvent('left', 'call', on.message('order')), endEvent('f')], 'd: left -> f'), called],
      play: [act.completeJob('before'), act.message('order')],
      outcome: [{ history: 's before call~ left f' }, { process: 'q', status: 'CANCELED', history: 'qs inner~' }],
    },
    {
      shows: 'pause of an instance: a message and a signal are taken when it ends, in their order',
      section: PAUSE,
      files: two,
      play: [act.duringPause(act.signal('open', { sum: 3 }), act.message('order', undefined, { sum: 4 }))],
      outcome: { history: 's fork wait heard after', variables: { sum: 4, total: 8 } },
    },
    {
      shows: 'pause of an instance: variables that are set take effect at once',
      section: PAUSE,
      files: two,
      play: [act.duringPause(act.message('order'), act.setVariables({ sum: 5 }), act.signal('open'))],
      outcome: { history: 's fork wait heard after', variables: { sum: 5, total: 10 } },
    },
    {
      shows: 'pause of a process: a message that starts it does so when the pause ends',
      section: PAUSE,
      files: orderedInto('p'),
      startsItself: true,
      play: [act.duringPauseOf('p', act.message('order'))],
      outcome: { history: 'go e' },
    },
    {
      shows: 'pause of a process: a message begins another one instead',
      section: PAUSE,
      files: [orderedInto('p'), orderedInto('q')],
      startsItself: true,
      play: [act.duringPauseOf('p', act.message('order'))],
      outcome: { process: 'q', history: 'go e' },
    },
    {
      shows: 'pause of a called process: what is called in the meantime begins when it ends',
      section: PAUSE,
      files: [calling(), called],
      play: [act.duringPauseOf('q', act.completeJob('before')), act.completeJob('inner', { done: true })],
      outcome: [
        { history: 's before call e', variables: { done: true } },
        { process: 'q', history: 'qs inner qe', variables: { done: true } },
      ],
    },
    {
      shows: 'pause of a process reaches down to what it has called, and a cancel reaches both',
      section: PAUSE,
      files: [calling(), called],
      play: [act.completeJob('before'), act.duringPauseOf('p', act.cancel)],
      outcome: [
        { status: 'CANCELED', history: 's before call~' },
        { process: 'q', status: 'CANCELED', history: 'qs inner~' },
      ],
    },
    {
      shows: 'message given to a paused instance that is canceled: another one takes it',
      section: PAUSE,
      files: [waiting('p'), waiting('q')],
      play: [act.duringPauseOf('p', act.message('order'), act.start('q'), act.cancel)],
      outcome: [
        { status: 'CANCELED', history: 's wait~' },
        { process: 'q', history: 's wait e' },
      ],
    },
    {
      shows: 'variables that outgrow what an instance may hold: an incident',
      section: 'ADR 16',
      files: simpleModel(
        [scriptTask('grow', '=for i in 1..3 return text', 'texts'), endEvent('e')],
        ['a: s -> grow', 'b: grow -> e'],
      ),
      variables: { text: 'x'.repeat(500_000) },
      play: [act.cancel],
      outcome: { status: 'CANCELED', history: 's grow~' },
    },
    {
      shows: 'cancel with a reason: the caller of a canceled instance hears it',
      section: 'ADR 4',
      files: [calling(), called],
      play: [act.completeJob('before'), act.cancelOf('q', 'ordered twice')],
      outcome: [
        { status: 'RUNNING', history: 's before call?', incidents: ['call CallActivityCanceled'] },
        { process: 'q', status: 'CANCELED', history: 'qs inner~' },
      ],
    },
    {
      shows: 'migration: a job continues under its new id, and a boundary event of the new version listens',
      section: 'ADR 20',
      files: working('work'),
      play: [
        act.migrate(
          working(
            'labor',
            [boundaryEvent('stop', 'labor', on.message('order')), endEvent('stopped')],
            ['c: stop -> stopped'],
          ),
          { work: 'labor' },
          { department: 'sales' },
        ),
        act.message('order'),
      ],
      outcome: { history: 's labor~ stop stopped', variables: { department: 'sales' } },
    },
    {
      shows: 'migration that lacks a mapping is refused and changes nothing',
      section: 'ADR 20',
      files: working('work'),
      play: [act.refused(act.migrate(working('labor'))), act.completeJob('work', { done: true })],
      outcome: { history: 's work e', variables: { done: true } },
    },
    {
      shows: 'pause of an instance: a user task cannot be completed',
      section: PAUSE,
      files: simpleModel([userTask('approve'), endEvent('e')], ['a: s -> approve', 'b: approve -> e']),
      play: [
        act.duringPause(act.refused(act.completeTask('approve'))),
        act.completeTask('approve', { approved: true }),
      ],
      outcome: { history: 's approve e', variables: { approved: true } },
    },
    {
      shows: 'variables above 1 MiB are refused: start, message, variables that are set, result of a user task',
      section: 'ADR 16',
      files: simpleModel([userTask('approve'), endEvent('e')], ['a: s -> approve', 'b: approve -> e'], ORDER),
      play: [
        act.refused(act.start('p', TOO_LARGE)),
        act.refused(act.message('order', undefined, TOO_LARGE)),
        act.refused(act.setVariables(TOO_LARGE)),
        act.refused(act.completeTask('approve', TOO_LARGE)),
        act.completeTask('approve'),
      ],
      outcome: { history: 's approve e' },
    },
  ],
};
