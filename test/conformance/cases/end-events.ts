import {
  boundary,
  catchEvent,
  compensatedBy,
  endEvent,
  extensions,
  gateway,
  on,
  root,
  scope,
  serviceTask,
  simpleModel,
  task,
} from '../../support/bpmn-models.js';
import { act, type Family } from '../case.js';

const SECTION = '10.5.3, 13.5.6';
const ROOTS = root.message('done', '=order') + root.signal('over') + root.error('broken') + root.escalation('late');
const amount = extensions('<zeebe:ioMapping><zeebe:input source="=total" target="amount"/></zeebe:ioMapping>');
/** One branch ends in the event, the other waits for it. */
const heardBeside = (end: string, catcher: string) =>
  simpleModel(
    gateway('parallel', 'fork') + catcher + end + endEvent('e'),
    'a: s -> fork\nb: fork -> wait\nc: fork -> f\nd: wait -> e',
    ROOTS,
  );
/** A sub-process that ends so while a second branch works. */
const endsSub = (end: string, around: string, flow: string) =>
  simpleModel(
    scope(
      'subProcess',
      'sub',
      `<bpmn:startEvent id="is"/>${gateway('parallel', 'fork')}${serviceTask('work')}${task('first')}${endEvent('ie')}${end}`,
      'i1: is -> fork\ni2: fork -> work\ni3: fork -> first\ni4: work -> ie\ni5: first -> stop',
    ) +
      around +
      endEvent('e'),
    `a: s -> sub\nb: sub -> e${flow}`,
    ROOTS,
  );

export const endEvents: Family = {
  title: 'End events',
  file: 'end-events.ts',
  cases: [
    {
      shows: 'none: its scope completes when nothing is left inside',
      section: SECTION,
      files: simpleModel(
        gateway('parallel', 'fork') + serviceTask('work') + endEvent('e') + endEvent('f'),
        'a: s -> fork\nb: fork -> work\nc: fork -> f\nd: work -> e',
      ),
      play: [act.completeJob('work')],
      outcome: { history: 's fork work f e' },
    },
    {
      shows: 'left out: an activity without outgoing flow ends its path',
      section: '10.5.3',
      files: simpleModel(task('work'), 'a: s -> work'),
      outcome: { history: 's work' },
    },
    {
      shows: 'message, published with the mapped inputs',
      section: SECTION,
      files: heardBeside(endEvent('f', amount + on.message('done')), catchEvent('wait', on.message('done'))),
      variables: { order: 1, total: 5 },
      outcome: { history: 's fork wait f e', variables: { amount: 5, order: 1, total: 5 } },
    },
    {
      shows: 'message, sent by a worker',
      section: SECTION,
      files: simpleModel(
        endEvent('mail', extensions('<zeebe:taskDefinition type="mail"/>') + on.message('done')),
        'a: s -> mail',
        ROOTS,
      ),
      play: [act.completeJob('mail')],
      outcome: { history: 's mail' },
    },
    {
      shows: 'signal',
      section: SECTION,
      files: heardBeside(endEvent('f', amount + on.signal('over')), catchEvent('wait', on.signal('over'))),
      variables: { total: 5 },
      outcome: { history: 's fork wait f e', variables: { amount: 5, total: 5 } },
    },
    {
      shows: 'error: everything else in the sub-process ends, its boundary event catches',
      section: SECTION,
      files: endsSub(
        endEvent('stop', on.error('broken')),
        boundary('event', 'sub', on.error('broken')) + endEvent('f'),
        '\nc: event -> f',
      ),
      outcome: { history: 's sub! is fork work~ first stop~ event f' },
    },
    {
      shows: 'error that nothing catches: an incident',
      section: '10.5.3, 10.5.6',
      files: simpleModel(endEvent('stop', on.error('broken')), 'a: s -> stop', ROOTS),
      outcome: { status: 'RUNNING', history: 's stop?', incidents: ['stop BpmnError'] },
    },
    {
      shows: 'escalation: its path ends, the rest goes on',
      section: SECTION,
      files: endsSub(
        endEvent('stop', on.escalation('late')),
        boundary('event', 'sub', on.escalation('late'), 'cancelActivity="false"') + endEvent('f'),
        '\nc: event -> f',
      ),
      play: [act.completeJob('work')],
      outcome: { history: 's sub is fork work first stop event f ie e' },
    },
    {
      shows: 'escalation, caught by an interrupting boundary event',
      section: SECTION,
      files: endsSub(
        endEvent('stop', on.escalation('late')),
        boundary('event', 'sub', on.escalation('late')) + endEvent('f'),
        '\nc: event -> f',
      ),
      outcome: { history: 's sub~ is fork work~ first stop~ event f' },
    },
    {
      shows: 'compensation',
      section: `${SECTION}, 13.5.5`,
      files: simpleModel(
        task('book') +
          compensatedBy('book', 'unbook') +
          serviceTask('unbook', 'unbook', '', 'isForCompensation="true"') +
          endEvent('e', on.compensation()),
        'a: s -> book\nb: book -> e',
      ),
      play: [act.completeJob('unbook')],
      outcome: { history: 's book e undo_book unbook' },
    },
    {
      shows: 'cancel: the transaction is compensated and left by its cancel boundary event',
      section: '10.3.5, 13.5.6',
      files: simpleModel(
        scope(
          'transaction',
          'tx',
          `<bpmn:startEvent id="is"/>${task('book')}${compensatedBy('book', 'unbook')}${task('unbook', '', 'isForCompensation="true"')}${endEvent('stop', on.cancel)}`,
          'i1: is -> book\ni2: book -> stop',
        ) +
          boundary('event', 'tx', on.cancel) +
          endEvent('e') +
          endEvent('f'),
        'a: s -> tx\nb: tx -> e\nc: event -> f',
      ),
      outcome: { history: 's tx~ is book stop undo_book unbook event f' },
    },
    {
      shows: 'terminate, of the process',
      section: SECTION,
      files: simpleModel(
        gateway('parallel', 'fork') + serviceTask('work') + endEvent('e') + endEvent('stop', on.terminate),
        'a: s -> fork\nb: fork -> work\nc: fork -> stop\nd: work -> e',
      ),
      outcome: { history: 's fork work~ stop' },
    },
    {
      shows: 'terminate, of a sub-process: that completes normally',
      section: SECTION,
      files: endsSub(endEvent('stop', on.terminate), '', ''),
      outcome: { history: 's sub is fork work~ first stop e' },
    },
    {
      shows: 'multiple: all of its events, in their order',
      section: SECTION,
      files: heardBeside(
        endEvent('f', on.message('done') + on.signal('over')),
        catchEvent('wait', on.message('done') + on.signal('over'), 'parallelMultiple="true"'),
      ),
      variables: { order: 1 },
      outcome: { history: 's fork wait f e' },
    },
  ],
};
