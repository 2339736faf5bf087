import {
  boundaryEvent,
  catchEvent,
  compensatedBy,
  endEvent,
  extensions,
  on,
  parallelGateway,
  root,
  serviceTask,
  startEvent,
  subProcess,
  task,
  transaction,
  type Xml,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';
import { act, type Family } from '../case.js';

const SECTION = '10.5.3, 13.5.6';
const ROOTS = [root.message('done', '=order'), root.signal('over'), root.error('broken'), root.escalation('late')];
const amount = extensions('<zeebe:ioMapping><zeebe:input source="=total" target="amount"/></zeebe:ioMapping>');
/** One branch ends in the event, the other waits for it. */
const heardBeside = (end: string, catcher: string) =>
  simpleModel(
    [parallelGateway('fork'), catcher, end, endEvent('e')],
    ['a: s -> fork', 'b: fork -> wait', 'c: fork -> f', 'd: wait -> e'],
    ROOTS,
  );
/** A sub-process that ends so while a second branch works. */
const endsSub = (end: string, around: Xml, flow: Xml) =>
  simpleModel(
    [
      subProcess(
        'sub',
        [startEvent('is'), parallelGateway('fork'), serviceTask('work'), task('first'), endEvent('ie'), end],
        ['i1: is -> fork', 'i2: fork -> work', 'i3: fork -> first', 'i4: work -> ie', 'i5: first -> stop'],
      ),
      around,
      endEvent('e'),
    ],
    ['a: s -> sub', 'b: sub -> e', flow],
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
        [parallelGateway('fork'), serviceTask('work'), endEvent('e'), endEvent('f')],
        ['a: s -> fork', 'b: fork -> work', 'c: fork -> f', 'd: work -> e'],
      ),
      play: [act.completeJob('work')],
      outcome: { history: 's fork work f e' },
    },
    {
      shows: 'left out: an activity without outgoing flow ends its path',
      section: '10.5.3',
      files: simpleModel([task('work')], ['a: s -> work']),
      outcome: { history: 's work' },
    },
    {
      shows: 'message, published with the mapped inputs',
      section: SECTION,
      files: heardBeside(endEvent('f', [amount, on.message('done')]), catchEvent('wait', on.message('done'))),
      variables: { order: 1, total: 5 },
      outcome: { history: 's fork wait f e', variables: { amount: 5, order: 1, total: 5 } },
    },
    {
      shows: 'message, sent by a worker',
      section: SECTION,
      files: simpleModel(
        [endEvent('mail', [extensions('<zeebe:taskDefinition type="mail"/>'), on.message('done')])],
        ['a: s -> mail'],
        ROOTS,
      ),
      play: [act.completeJob('mail')],
      outcome: { history: 's mail' },
    },
    {
      shows: 'signal',
      section: SECTION,
      files: heardBeside(endEvent('f', [amount, on.signal('over')]), catchEvent('wait', on.signal('over'))),
      variables: { total: 5 },
      outcome: { history: 's fork wait f e', variables: { amount: 5, total: 5 } },
    },
    {
      shows: 'error: everything else in the sub-process ends, its boundary event catches',
      section: SECTION,
      files: endsSub(
        endEvent('stop', on.error('broken')),
        [boundaryEvent('event', 'sub', on.error('broken')), endEvent('f')],
        ['c: event -> f'],
      ),
      outcome: { history: 's sub! is fork work~ first stop~ event f' },
    },
    {
      shows: 'error that nothing catches: an incident',
      section: '10.5.3, 10.5.6',
      files: simpleModel([endEvent('stop', on.error('broken'))], ['a: s -> stop'], ROOTS),
      outcome: { status: 'RUNNING', history: 's stop?', incidents: ['stop BpmnError'] },
    },
    {
      shows: 'escalation: its path ends, the rest continues',
      section: SECTION,
      files: endsSub(
        endEvent('stop', on.escalation('late')),
        [boundaryEvent('event', 'sub', on.escalation('late'), { interrupting: false }), endEvent('f')],
        ['c: event -> f'],
      ),
      play: [act.completeJob('work')],
      outcome: { history: 's sub is fork work first stop event f ie e' },
    },
    {
      shows: 'escalation, caught by an interrupting boundary event',
      section: SECTION,
      files: endsSub(
        endEvent('stop', on.escalation('late')),
        [boundaryEvent('event', 'sub', on.escalation('late')), endEvent('f')],
        ['c: event -> f'],
      ),
      outcome: { history: 's sub~ is fork work~ first stop~ event f' },
    },
    {
      shows: 'compensation',
      section: `${SECTION}, 13.5.5`,
      files: simpleModel(
        [
          task('book'),
          compensatedBy('book', 'unbook'),
          serviceTask('unbook', { isForCompensation: true }),
          endEvent('e', on.compensation()),
        ],
        ['a: s -> book', 'b: book -> e'],
      ),
      play: [act.completeJob('unbook')],
      outcome: { history: 's book e undo_book unbook' },
    },
    {
      shows: 'cancel: the transaction is compensated and left by its cancel boundary event',
      section: '10.3.5, 13.5.6',
      files: simpleModel(
        [
          transaction(
            'tx',
            [
              startEvent('is'),
              task('book'),
              compensatedBy('book', 'unbook'),
              task('unbook', { isForCompensation: true }),
              endEvent('stop', on.cancel),
            ],
            ['i1: is -> book', 'i2: book -> stop'],
          ),
          boundaryEvent('event', 'tx', on.cancel),
          endEvent('e'),
          endEvent('f'),
        ],
        ['a: s -> tx', 'b: tx -> e', 'c: event -> f'],
      ),
      outcome: { history: 's tx~ is book stop undo_book unbook event f' },
    },
    {
      shows: 'terminate, of the process',
      section: SECTION,
      files: simpleModel(
        [parallelGateway('fork'), serviceTask('work'), endEvent('e'), endEvent('stop', on.terminate)],
        ['a: s -> fork', 'b: fork -> work', 'c: fork -> stop', 'd: work -> e'],
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
        endEvent('f', [on.message('done'), on.signal('over')]),
        catchEvent('wait', [on.message('done'), on.signal('over')], { parallelMultiple: true }),
      ),
      variables: { order: 1 },
      outcome: { history: 's fork wait f e' },
    },
  ],
};
