/** Every kind of token of an imported instance, and how it continues. */
import { describe, expect, it } from 'vitest';
import type { ImportedToken } from '@perdure/engine/contract/imported.js';
import {
  adHocSubProcess,
  boundaryEvent,
  callActivity,
  catchEvent,
  endEvent,
  eventBasedGateway,
  eventSubProcess,
  multiInstance,
  on,
  parallelGateway,
  processModel,
  root,
  scriptTask,
  serviceTask,
  startEvent,
  subProcess,
  taskListeners,
  userTask,
} from '@perdure/testkit/models';
import type { GivenInstance } from '../../../packages/testkit/memory/imports.js';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';

const NOW = '2026-01-01T00:00:00.000Z';
const source = { system: 'old', id: '1' };

async function imported(
  xml: string,
  given: Omit<GivenInstance, 'source' | 'processId' | 'variables'> & Partial<GivenInstance>,
) {
  const host = await MemoryHost.deploy(xml);
  return { host, instance: host.import({ source, processId: 'p', variables: {}, ...given }) };
}

function sequence(elements: readonly string[], roots: string | string[] = ''): string {
  const ids = ['s', ...elements.map((xml) => /id="([^"]+)"/.exec(xml)![1]!), 'e'];
  const flows = ids.slice(1).map((target, index) => `f${index}: ${ids[index]} -> ${target}`);
  return processModel('p', [startEvent('s'), ...elements, endEvent('e')], flows, roots);
}

const fact = <K extends string>(instance: MemoryInstance, kind: K) =>
  instance.steps[0]!.facts.flatMap((each) => (each.kind === 'INSTANCE_IMPORTED' ? each.facts : [])).filter(
    (each) => each.kind === kind,
  ) as unknown as { [name: string]: unknown }[];

describe('an imported instance', () => {
  it('has a history that begins with one fact, which makes its whole state', async () => {
    const { instance } = await imported(sequence([userTask('t')]), { tokens: [{ nodeID: 't' }], variables: { a: 1 } });
    expect(instance.steps[0]!.facts).toHaveLength(1);
    expect(instance.steps[0]!.facts[0]).toMatchObject({ kind: 'INSTANCE_IMPORTED', source });
  });

  it('has the user tasks of the other system: listeners decide about later requests, and not about what was there', async () => {
    const extensions = taskListeners({ creating: ['c'], assigning: ['a'], completing: ['l'] });
    const { host, instance } = await imported(sequence([userTask('t', { assignee: 'ada', extensions })]), {
      tokens: [{ nodeID: 't', task: { priority: 7 } }],
    });
    expect(fact(instance, 'USER_TASK_CREATED')).toMatchObject([
      { assignee: 'ada', priority: 7, decided: ['assigning', 'completing'] },
    ]);
    expect(fact(instance, 'JOB_CREATED')).toEqual([]);
    const { id } = host.wait(instance, 'userTask', 't');
    expect(host.send(instance, { kind: 'COMPLETE_USER_TASK', execution: id })).toBeUndefined();
    host.completeJob(instance, 't');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('continues at a job with the retries that were left, its local variables, and its output mappings', async () => {
    const xml = sequence([
      serviceTask('work', { retries: 5, inputs: { a: '=missing' }, outputs: { total: '=a + b' } }),
    ]);
    const { host, instance } = await imported(xml, { tokens: [{ nodeID: 'work', variables: { a: 2 }, retries: 1 }] });
    expect(fact(instance, 'JOB_CREATED')).toMatchObject([{ retries: 1, localVariables: { a: 2 } }]);
    host.completeJob(instance, 'work', { b: 3 });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)).toEqual({ total: 5 });
  });

  it('has user tasks with all of their members; what is not given is as the model says', async () => {
    const xml = sequence([userTask('t', { assignee: 'ann', candidateGroups: 'a,b' })]);
    const task = { candidateUsers: ['bob'], dueDate: NOW, followUpDate: NOW, priority: 7 };
    const { instance } = await imported(xml, { tokens: [{ nodeID: 't', task }] });
    const at = Date.parse(NOW);
    const expected = { assignee: 'ann', candidateGroups: ['a', 'b'], candidateUsers: ['bob'], priority: 7 };
    expect(fact(instance, 'USER_TASK_CREATED')).toMatchObject([{ ...expected, dueDate: at, followUpDate: at }]);
  });

  it('waits for timers until their given due time, and an overdue one fires on arrival', async () => {
    const xml = sequence([catchEvent('hold', on.timer('PT1H')), userTask('t')]);
    const later = await imported(xml, { tokens: [{ nodeID: 'hold', dueAt: '2026-01-01T00:00:05Z' }] });
    expect(later.host.waiting(later.instance)).toEqual(['timer hold']);
    later.host.advance(5_000);
    expect(later.host.waiting(later.instance)).toEqual(['userTask t']);
    const overdue = await imported(xml, { tokens: [{ nodeID: 'hold', dueAt: '2020-01-01T00:00:00Z' }] });
    expect(overdue.host.waiting(overdue.instance)).toEqual(['userTask t']);
  });

  it('takes messages and signals with the correlation of its variables', async () => {
    const xml = sequence(
      [catchEvent('paid', on.message('m')), catchEvent('told', on.signal('g'))],
      [root.message('m', '=order'), root.signal('g')],
    );
    const { host, instance } = await imported(xml, { tokens: [{ nodeID: 'paid' }], variables: { order: 7 } });
    host.publishMessage('m', 8);
    expect(host.waiting(instance)).toEqual(['subscription paid']);
    host.publishMessage('m', 7, { amount: 3 });
    host.throwSignal('g');
    expect([instance.state.status, host.variables(instance)]).toEqual(['COMPLETED', { order: 7, amount: 3 }]);
  });

  it('waits at an event-based gateway for the first of its events', async () => {
    const xml = processModel(
      'p',
      [
        startEvent('s'),
        eventBasedGateway('g'),
        catchEvent('late', on.timer('PT1H')),
        catchEvent('m', on.message('x')),
        endEvent('e'),
      ],
      ['a: s -> g', 'b: g -> late', 'c: g -> m', 'd: late -> e', 'h: m -> e'],
      root.message('x'),
    );
    const { host, instance } = await imported(xml, { tokens: [{ nodeID: 'g', dueAt: '2026-01-01T00:00:09Z' }] });
    expect(host.waiting(instance).toSorted()).toEqual(['subscription m', 'timer late']);
    host.advance(9_000);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('joins a half arrived join with the token that is still to come', async () => {
    const xml = processModel(
      'p',
      [
        startEvent('s'),
        parallelGateway('fork'),
        serviceTask('a'),
        serviceTask('b'),
        parallelGateway('join'),
        endEvent('e'),
      ],
      ['f0: s -> fork', 'fa: fork -> a', 'fb: fork -> b', 'ja: a -> join', 'jb: b -> join', 'f1: join -> e'],
    );
    const { host, instance } = await imported(xml, { tokens: [{ nodeID: 'b' }, { nodeID: 'join', arrived: ['ja'] }] });
    expect(instance.state.status).toBe('RUNNING');
    host.completeJob(instance, 'b');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('has an incident at a join that nothing can reach anymore', async () => {
    const xml = processModel(
      'p',
      [
        startEvent('s'),
        parallelGateway('fork'),
        serviceTask('a'),
        serviceTask('b'),
        parallelGateway('join'),
        endEvent('e'),
      ],
      ['f0: s -> fork', 'fa: fork -> a', 'fb: fork -> b', 'ja: a -> join', 'jb: b -> join', 'f1: join -> e'],
    );
    const { host, instance } = await imported(xml, { tokens: [{ nodeID: 'join', arrived: ['ja'] }] });
    expect(host.incidents(instance)).toMatchObject([{ node: 'join' }]);
  });

  it('evaluates conditions that hold on arrival', async () => {
    const xml = sequence([catchEvent('ready', on.condition('=stock > 3'))]);
    const { instance } = await imported(xml, { tokens: [{ nodeID: 'ready' }], variables: { stock: 4 } });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('waits at an incident until it is resolved; its inputs are not mapped again', async () => {
    const xml = sequence([serviceTask('work', { inputs: { a: '=missing' } })]);
    const token = { nodeID: 'work', incident: { type: 'failedJob', message: 'no more retries' } };
    const { host, instance } = await imported(xml, { tokens: [token] });
    expect(host.incidents(instance)).toMatchObject([
      { node: 'work', errorType: 'Unknown', message: 'no more retries' },
    ]);
    expect(host.waiting(instance)).toEqual([]);
    host.resolve(instance, 'work');
    host.completeJob(instance, 'work');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('starts a node that does not wait, as a modification does', async () => {
    const xml = sequence([scriptTask('double', '=n * 2', 'n'), userTask('t')]);
    const { host, instance } = await imported(xml, { tokens: [{ nodeID: 'double' }], variables: { n: 4 } });
    expect([host.waiting(instance), host.variables(instance)]).toEqual([['userTask t'], { n: 8 }]);
  });
});

describe('scopes of an imported instance', () => {
  const timer = boundaryEvent('late', 'sub', on.timer('PT1H'));
  const repeated = boundaryEvent('remind', 'sub', on.cycle('R5/PT10M'), { interrupting: false });
  const withSub = processModel(
    'p',
    [
      startEvent('s'),
      subProcess('sub', [startEvent('is'), serviceTask('work'), endEvent('ie')], ['i1: is -> work', 'i2: work -> ie']),
      timer,
      repeated,
      userTask('chase'),
      endEvent('e'),
    ],
    ['f0: s -> sub', 'f1: sub -> e', 'f2: late -> chase', 'f3: remind -> chase', 'f4: chase -> e'],
  );
  const tokens: ImportedToken[] = [{ nodeID: 'work', scopeKey: 'k' }];

  it('have their variables, and end when nothing is left inside', async () => {
    const scopes = [{ key: 'k', nodeID: 'sub', variables: { inner: 1 } }];
    const { host, instance } = await imported(withSub, { scopes, tokens });
    expect(fact(instance, 'JOB_CREATED')).toMatchObject([{ localVariables: { inner: 1 } }]);
    host.completeJob(instance, 'work');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('have all boundary events afresh, those that are listed with their due times, or none', async () => {
    const waits = async (listening?: { nodeID: string; dueAt?: string; repeats?: number }[]) => {
      const { instance } = await imported(withSub, {
        scopes: [{ key: 'k', nodeID: 'sub', ...(listening && { listening }) }],
        tokens,
      });
      return Object.values(instance.state.waits)
        .filter(({ kind }) => kind === 'timer')
        .map(({ node, ...wait }) => [
          node,
          'due' in wait && new Date(wait.due).toISOString(),
          'remaining' in wait && wait.remaining,
        ]);
    };
    expect(await waits()).toEqual([
      ['late', '2026-01-01T01:00:00.000Z', false],
      ['remind', '2026-01-01T00:10:00.000Z', 5],
    ]);
    expect(await waits([{ nodeID: 'remind', dueAt: '2026-01-01T00:03:00Z', repeats: 2 }])).toEqual([
      ['remind', '2026-01-01T00:03:00.000Z', 2],
    ]);
    expect(await waits([])).toEqual([]);
  });

  it('may be event sub-processes: one that interrupts stops what listens around it', async () => {
    const xml = processModel(
      'p',
      [
        startEvent('s'),
        userTask('t'),
        eventSubProcess(
          'stop',
          [startEvent('os', on.message('m')), serviceTask('clean'), endEvent('oe')],
          ['o1: os -> clean', 'o2: clean -> oe'],
        ),
        endEvent('e'),
      ],
      ['a: s -> t', 'b: t -> e'],
      root.message('m'),
    );
    const inside = { scopes: [{ key: 'k', nodeID: 'stop' }], tokens: [{ nodeID: 'clean', scopeKey: 'k' }] };
    const { host, instance } = await imported(xml, inside);
    expect(host.waiting(instance)).toEqual(['job clean']);
    host.completeJob(instance, 'clean');
    expect(instance.state.status).toBe('COMPLETED');
    const listening = await imported(xml, { tokens: [{ nodeID: 't' }] });
    listening.host.publishMessage('m');
    expect(listening.host.waiting(listening.instance)).toEqual(['job clean']);
  });

  it('may be ad-hoc sub-processes, with or without something inside', async () => {
    const xml = sequence([adHocSubProcess('free', [serviceTask('one'), serviceTask('two')], [], { until: '=done' })]);
    const idle = await imported(xml, { tokens: [{ nodeID: 'free' }], variables: { done: false } });
    expect(idle.host.command(idle.instance, { kind: 'TRIGGER_AD_HOC', node: 'free', nodeID: 'two' }).status).toBe(
      'APPLIED',
    );
    expect(idle.host.waiting(idle.instance)).toEqual(['job two']);
    const busy = await imported(xml, {
      scopes: [{ key: 'k', nodeID: 'free' }],
      tokens: [{ nodeID: 'one', scopeKey: 'k' }],
      variables: { done: true },
    });
    busy.host.completeJob(busy.instance, 'one');
    expect(busy.instance.state.status).toBe('COMPLETED');
  });
});

describe('multi-instance activities of an imported instance', () => {
  const model = (sequential: boolean) =>
    sequence([serviceTask('work', { loop: multiInstance('=list', { sequential, output: '=item * 2', into: 'all' }) })]);

  it('continue in parallel with what is open, next to what is done', async () => {
    const loop = { completed: 1, outputs: [2, null, null] };
    const tokens = [
      { nodeID: 'work', multiInstance: { index: 1, ...loop, items: [1, 2, 3] } },
      { nodeID: 'work', multiInstance: { index: 2, completed: 1 } },
    ];
    const { host, instance } = await imported(model(false), { tokens });
    expect(host.waiting(instance)).toEqual(['job work', 'job work']);
    host.completeJob(instance, 'work');
    host.completeJob(instance, 'work');
    expect([instance.state.status, host.variables(instance)]).toEqual(['COMPLETED', { all: [2, 4, 6] }]);
  });

  it('continue one after the other with the items that are left', async () => {
    const multi = { index: 1, completed: 1, items: [1, 2, 3], outputs: [2] };
    const { host, instance } = await imported(model(true), { tokens: [{ nodeID: 'work', multiInstance: multi }] });
    host.completeJob(instance, 'work');
    host.completeJob(instance, 'work');
    expect([instance.state.status, host.variables(instance)]).toEqual(['COMPLETED', { all: [2, 4, 6] }]);
  });

  it('read the items of a sequential one from the model, if they are not given', async () => {
    const multi = { index: 1, completed: 1, outputs: [2] };
    const { host, instance } = await imported(model(true), {
      tokens: [{ nodeID: 'work', multiInstance: multi }],
      variables: { list: [1, 2] },
    });
    host.completeJob(instance, 'work');
    expect(host.variables(instance)).toEqual({ list: [1, 2], all: [2, 4] });
  });
});

describe('called instances of an imported instance', () => {
  const child = processModel(
    'child',
    [startEvent('cs'), serviceTask('inside'), endEvent('ce')],
    ['c1: cs -> inside', 'c2: inside -> ce'],
  );

  it('are imported with it, and return to it', async () => {
    const host = await MemoryHost.deploy(child, sequence([callActivity('call', 'child')]));
    const called = {
      source: { system: 'old', id: '2' },
      processId: 'child',
      variables: { x: 1 },
      tokens: [{ nodeID: 'inside' }],
    };
    const instance = host.import({
      source,
      processId: 'p',
      variables: {},
      tokens: [{ nodeID: 'call' }],
      called: [{ tokenIndex: 0, instance: called }],
    });
    host.completeJob(host.child(instance, 'call'), 'inside', { y: 2 });
    expect([instance.state.status, host.variables(instance)]).toEqual(['COMPLETED', { x: 1, y: 2 }]);
  });
});
