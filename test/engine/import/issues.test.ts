/** Every reason against an import, with the place that it is about. */
import { expect, it, describe } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import type { ImportedInstance } from '@perdure/engine/contract/imported.js';
import { importInstance } from '@perdure/engine/import/import-instance.js';
import { modelOf } from '@perdure/engine/model/model.js';
import { currentFlags } from '@perdure/engine/state/flags.js';
import {
  boundaryEvent,
  callActivity,
  catchEvent,
  compensatedBy,
  endEvent,
  multiInstance,
  on,
  parallelGateway,
  processModel,
  root,
  serviceTask,
  startEvent,
  subProcess,
  userTask,
} from '@perdure/testkit/models';

const xml = processModel(
  'p',
  [
    startEvent('s'),
    parallelGateway('fork'),
    serviceTask('a'),
    serviceTask('b'),
    parallelGateway('join'),
    userTask('t'),
    serviceTask('many', { loop: multiInstance('=list') }),
    serviceTask('each', { loop: multiInstance('=list', { sequential: true }) }),
    catchEvent('told', on.message('m')),
    callActivity('call', 'other'),
    subProcess('sub', [startEvent('is'), serviceTask('work'), endEvent('ie')], ['i1: is -> work', 'i2: work -> ie']),
    boundaryEvent('late', 'sub', on.timer('PT1H')),
    serviceTask('undo', { isForCompensation: true }),
    compensatedBy('a', 'undo'),
    endEvent('e'),
  ],
  [
    'f0: s -> fork',
    'fa: fork -> a',
    'fb: fork -> b',
    'ja: a -> join',
    'jb: b -> join',
    'f1: join -> t',
    'f2: t -> many',
    'f3: many -> each',
    'f4: each -> told',
    'f5: told -> call',
    'f6: call -> sub',
    'f7: sub -> e',
    'f8: late -> e',
  ],
  root.message('m', '=order'),
);
const model = modelOf((await compile(xml)).processes[0]!.graph);
const NOW = Date.parse('2026-01-01T00:00:00Z');

function made(given: Partial<ImportedInstance>) {
  const full = { source: { system: 'old', id: '1' }, variables: {}, tokens: [{ nodeID: 't' }], ...given };
  return importInstance(model, full, { workflowID: 'i', now: NOW, flags: currentFlags() });
}

const paths = (given: Partial<ImportedInstance>) => made(given).issues.map(({ path }) => path);
const loop = (index: number, more: object = {}) => ({ index, completed: 0, ...more });

describe('an import is refused', () => {
  const sub = { key: 'k', nodeID: 'sub' };
  const inSub = { nodeID: 'work', scopeKey: 'k' };
  it.each<[string, Partial<ImportedInstance>, string[]]>([
    ['a node that the process does not have', { tokens: [{ nodeID: 'none' }] }, ['tokens[0].nodeID']],
    ['a boundary event', { tokens: [{ nodeID: 'late' }] }, ['tokens[0].nodeID']],
    ['a compensation handler', { tokens: [{ nodeID: 'undo' }] }, ['tokens[0].nodeID']],
    ['a node of another scope', { tokens: [{ nodeID: 'work' }] }, ['tokens[0].scopeKey']],
    ['a scope that is not there', { tokens: [{ nodeID: 'work', scopeKey: 'x' }] }, ['tokens[0].scopeKey']],
    ['a flow twice at a join', { tokens: [{ nodeID: 'join', arrived: ['ja', 'ja'] }] }, ['tokens[0].arrived[1]']],
    [
      'a flow twice at two tokens of a join',
      {
        tokens: [
          { nodeID: 'join', arrived: ['ja'] },
          { nodeID: 'join', arrived: ['ja'] },
        ],
      },
      ['tokens[1].arrived[0]'],
    ],
    ['all flows of a join', { tokens: [{ nodeID: 'join', arrived: ['ja', 'jb'] }] }, ['tokens[0].arrived']],
    ['a flow of another node', { tokens: [{ nodeID: 'join', arrived: ['fa'] }] }, ['tokens[0].arrived[0]']],
    ['no flow at a join', { tokens: [{ nodeID: 'join', arrived: [] }] }, ['tokens[0].arrived']],
    ['arrived flows at a task', { tokens: [{ nodeID: 't', arrived: ['f1'] }] }, ['tokens[0].arrived']],
    ['retries without a job', { tokens: [{ nodeID: 't', retries: 1 }] }, ['tokens[0].retries']],
    ['a task at a job', { tokens: [{ nodeID: 'a', task: { priority: 1 } }] }, ['tokens[0].task']],
    ['a due time without a timer', { tokens: [{ nodeID: 'a', dueAt: '2026-01-01T00:00:00Z' }] }, ['tokens[0].dueAt']],
    [
      'a time without a zone',
      { tokens: [{ nodeID: 't', task: { dueDate: '2026-01-01' } }] },
      ['tokens[0].task.dueDate'],
    ],
    ['a correlation that cannot be evaluated', { tokens: [{ nodeID: 'told' }] }, ['tokens[0]']],
    ['a call without its instance', { tokens: [{ nodeID: 'call' }] }, ['tokens[0]']],
    ['a member of a node that does not wait', { tokens: [{ nodeID: 'fork', retries: 2 }] }, ['tokens[0].retries']],
    [
      'a job next to an incident',
      { tokens: [{ nodeID: 'a', retries: 2, incident: { type: 'x', message: 'y' } }] },
      ['tokens[0].retries'],
    ],
    ['a loop without its place in it', { tokens: [{ nodeID: 'many' }] }, ['tokens[0].multiInstance']],
    [
      'a place in a loop of something else',
      { tokens: [{ nodeID: 'a', multiInstance: loop(0) }] },
      ['tokens[0].multiInstance'],
    ],
    [
      'an index twice',
      {
        tokens: [
          { nodeID: 'many', multiInstance: loop(0) },
          { nodeID: 'many', multiInstance: loop(0) },
        ],
      },
      ['tokens[1].multiInstance.index'],
    ],
    [
      'an index beyond the items',
      { tokens: [{ nodeID: 'many', multiInstance: loop(3, { items: [1] }) }] },
      ['tokens[0].multiInstance'],
    ],
    [
      'two counts of what has completed',
      {
        tokens: [
          { nodeID: 'many', multiInstance: loop(0) },
          { nodeID: 'many', multiInstance: loop(1, { completed: 1 }) },
        ],
      },
      ['tokens[1].multiInstance.completed'],
    ],
    [
      'items at the second',
      {
        tokens: [
          { nodeID: 'many', multiInstance: loop(0) },
          { nodeID: 'many', multiInstance: loop(1, { items: [1, 2] }) },
        ],
      },
      ['tokens[1].multiInstance.items'],
    ],
    [
      'more outputs than items',
      { tokens: [{ nodeID: 'many', multiInstance: loop(0, { items: [1], outputs: [1, 2] }) }] },
      ['tokens[0].multiInstance.outputs'],
    ],
    [
      'two of a sequence',
      {
        tokens: [
          { nodeID: 'each', multiInstance: loop(0, { items: [1, 2] }) },
          { nodeID: 'each', multiInstance: loop(1) },
        ],
      },
      ['tokens[1].multiInstance'],
    ],
    [
      'a sequence without items that the model can read',
      { tokens: [{ nodeID: 'each', multiInstance: loop(0) }] },
      ['tokens[0].multiInstance.items'],
    ],
    [
      'scopes in a circle',
      {
        scopes: [
          { ...sub, parent: 'l' },
          { key: 'l', nodeID: 'sub', parent: 'k' },
        ],
        tokens: [{ nodeID: 't' }],
      },
      ['scopes[1].parent', 'scopes[0].parent'],
    ],
    ['a scope inside itself', { scopes: [{ ...sub, parent: 'k' }], tokens: [{ nodeID: 't' }] }, ['scopes[0].parent']],
    ['a key twice', { scopes: [sub, sub], tokens: [inSub] }, ['scopes[1].key']],
    ['a scope that is a task', { scopes: [{ key: 'k', nodeID: 't' }] }, ['scopes[0].nodeID']],
    ['a scope around nothing', { scopes: [sub] }, ['scopes[0]']],
    [
      'a listener of another node',
      { tokens: [{ nodeID: 't', listening: [{ nodeID: 'late' }] }] },
      ['tokens[0].listening[0]'],
    ],
    [
      'a listener twice',
      { scopes: [{ ...sub, listening: [{ nodeID: 'late' }, { nodeID: 'late' }] }], tokens: [inSub] },
      ['scopes[0].listening[1]'],
    ],
    [
      'ticks of a timer that fires once',
      { scopes: [{ ...sub, listening: [{ nodeID: 'late', repeats: 2 }] }], tokens: [inSub] },
      ['scopes[0].listening[0].repeats'],
    ],
    ['a start in the future', { createdAt: '2027-01-01T00:00:00Z' }, ['createdAt']],
    ['more variables than fit', { variables: { x: 'x'.repeat(1_100_000) } }, ['variables']],
  ])('with %s', (_what, given, expected) => {
    expect(paths(given)).toEqual(expected);
  });

  it('with one issue for each invalid token, which names the token and its node', () => {
    expect(made({ tokens: [{ nodeID: 'none' }, { nodeID: 't' }, { nodeID: 'late' }] }).issues).toMatchObject([
      { path: 'tokens[0].nodeID', tokenIndex: 0, nodeID: 'none', message: expect.any(String) },
      { path: 'tokens[2].nodeID', tokenIndex: 2, nodeID: 'late', message: expect.any(String) },
    ]);
  });

  it('with more tokens than an instance can hold', { timeout: 60_000 }, () => {
    expect(paths({ tokens: Array.from({ length: 10_000 }, () => ({ nodeID: 'a' })) })).toEqual(['tokens']);
  });
});

it('an import of a thousand tokens is one fact', () => {
  const { imported, issues } = made({ tokens: Array.from({ length: 1_000 }, () => ({ nodeID: 'a' })) });
  expect(issues).toEqual([]);
  expect(Object.keys(imported!.state.waits)).toHaveLength(1_000);
});

it('an import warns that what has completed before cannot be compensated', () => {
  expect(made({}).warnings).toEqual([expect.stringContaining('cannot be compensated')]);
});
