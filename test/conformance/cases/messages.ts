import {
  catchEvent,
  endEvent,
  extensions,
  on,
  processModel,
  root,
  serviceTask,
  startEvent,
  throwEvent,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';
import { act, type ConformanceCase, type Family } from '../case.js';
import type { Json } from '@perdure/engine/contract/json.js';

const SECTION = '8.4.2, 10.5.5';
const PAID = root.message('paid', '=order');
const waiting = simpleModel(
  [catchEvent('wait', on.message('paid')), endEvent('e')],
  ['a: s -> wait', 'b: wait -> e'],
  PAID,
);
const listening = simpleModel(
  [serviceTask('work'), catchEvent('wait', on.signal('go')), endEvent('e')],
  ['a: s -> work', 'b: work -> wait', 'c: wait -> e'],
  root.signal('go'),
);
const correlation = (what: string, order: Json, key: Json, takes: boolean): ConformanceCase => ({
  shows: `correlation key: ${what}`,
  section: '8.4.2',
  files: waiting,
  variables: { order },
  play: [act.message('paid', key)],
  outcome: takes ? { history: 's wait e' } : { status: 'RUNNING', history: 's wait?' },
});

export const messages: Family = {
  title: 'Messages and signals',
  file: 'messages.ts',
  cases: [
    correlation('the same text', 'A-1', 'A-1', true),
    correlation('a number is not the text of it', 1, '1', false),
    correlation('true is not the text of it', true, 'true', false),
    correlation('an object with more members than asked for', { a: 1 }, { a: 1, b: 2 }, true),
    correlation('an object with fewer members than asked for', { a: 1, b: 2 }, { a: 1 }, false),
    {
      shows: 'message before anybody waits: kept',
      section: SECTION,
      files: waiting,
      startsItself: true,
      play: [act.message('paid', 7, { amount: 1 }), act.start('p', { order: 7 })],
      outcome: { history: 's wait e', variables: { amount: 1, order: 7 } },
    },
    {
      shows: 'message that is not kept (ttl 0), before anybody waits: lost',
      section: SECTION,
      files: waiting,
      startsItself: true,
      play: [act.message('paid', 7, {}, 0), act.start('p', { order: 7 })],
      outcome: { status: 'RUNNING', history: 's wait?' },
    },
    {
      shows: 'message to exactly one of several who wait',
      section: SECTION,
      files: waiting,
      startsItself: true,
      play: [act.start('p', { order: 7 }), act.start('p', { order: 7 }), act.message('paid', 7)],
      outcome: [{ history: 's wait e' }, { status: 'RUNNING', history: 's wait?' }],
    },
    {
      shows: 'correlation key that is null: an incident',
      section: SECTION,
      files: waiting,
      variables: { order: null },
      play: [act.resolve('wait', { order: 7 }), act.message('paid', 7)],
      outcome: { history: 's wait e' },
    },
    {
      shows: 'signal to everyone who waits',
      section: '10.5.5',
      files: listening,
      startsItself: true,
      play: [
        act.start('p'),
        act.start('p'),
        act.completeJob('work'),
        act.completeJob('work'),
        act.signal('go', { x: 1 }),
      ],
      outcome: [
        { history: 's work wait e', variables: { x: 1 } },
        { history: 's work wait e', variables: { x: 1 } },
      ],
    },
    {
      shows: 'signal to who begins to wait while it is kept',
      section: '10.5.5',
      files: listening,
      play: [act.signal('go', { x: 1 }), act.completeJob('work')],
      outcome: { history: 's work wait e', variables: { x: 1 } },
    },
    {
      shows: 'signal that is not kept (ttl 0): only to who waits now',
      section: '10.5.5',
      files: listening,
      play: [act.signal('go', {}, 0), act.completeJob('work')],
      outcome: { status: 'RUNNING', history: 's work wait?' },
    },
    {
      shows: 'signal: once to an instance, however long it is kept',
      section: '10.5.5',
      files: simpleModel(
        [catchEvent('wait', on.signal('go')), catchEvent('more', on.signal('go')), endEvent('e')],
        ['a: s -> wait', 'b: wait -> more', 'c: more -> e'],
        root.signal('go'),
      ),
      play: [act.signal('go')],
      outcome: { status: 'RUNNING', history: 's wait more?' },
    },
    {
      shows: 'message from one process to another',
      section: SECTION,
      files: [
        waiting,
        processModel(
          'payer',
          [
            startEvent('ps'),
            throwEvent('pay', [
              extensions('<zeebe:ioMapping><zeebe:input source="=total * 2" target="amount"/></zeebe:ioMapping>'),
              on.message('paid'),
            ]),
            endEvent('pe'),
          ],
          ['a: ps -> pay', 'b: pay -> pe'],
          PAID,
        ),
      ],
      variables: { order: 7 },
      play: [act.start('payer', { order: 7, total: 21 })],
      outcome: [
        { history: 's wait e', variables: { amount: 42, order: 7 } },
        { process: 'payer', history: 'ps pay pe', variables: { order: 7, total: 21 } },
      ],
    },
    {
      shows: 'name from an expression',
      section: '10.5.5',
      files: simpleModel(
        [catchEvent('wait', on.signal('sig')), endEvent('e')],
        ['a: s -> wait', 'b: wait -> e'],
        '<bpmn:signal id="sig" name="=&quot;go-&quot; + region"/>',
      ),
      variables: { region: 'north' },
      play: [act.signal('go-south'), act.signal('go-north')],
      outcome: { history: 's wait e' },
    },
  ],
};
