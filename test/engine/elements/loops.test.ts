import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import {
  boundaryEvent,
  businessRuleTask,
  callActivity,
  endEvent,
  extensions,
  multiInstance,
  on,
  parallelGateway,
  processModel,
  root,
  scriptTask,
  serviceTask,
  standardLoop,
  startEvent,
  subProcess,
  task,
  userTask,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

const through = (activity: string) => simpleModel([activity, endEvent('e')], ['a: s -> work', 'b: work -> e']);

const firstYes = (output: string) =>
  multiInstance('=items', { sequential: true, output, into: 'results', until: '=list contains(results, true)' });

describe('a multi-instance activity', () => {
  it.each([
    ['in parallel', false],
    ['one after another', true],
  ])('ends its instances, run %s, as soon as the results that have come are enough', async (_, sequential) => {
    const approve = userTask('work', {
      loop: multiInstance('=voters', {
        sequential,
        output: '=vote',
        into: 'votes',
        until: '=count(votes[item = true]) >= 2',
      }),
    });
    const host = await MemoryHost.deploy(through(approve));
    const instance = host.start('p', { voters: ['a', 'b', 'c'] });
    host.completeTask(instance, 'work', { vote: true });
    expect(instance.state.status).toBe('RUNNING');
    host.completeTask(instance, 'work', { vote: true });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)['votes']).toEqual([true, true, null]);
  });

  it.each([
    ['a script', scriptTask('work', '=item', 'found', { loop: firstYes('=found') })],
    [
      'a sub-process',
      subProcess('work', [startEvent('is'), endEvent('ie')], ['i: is -> ie'], { loop: firstYes('=item') }),
    ],
    ['a call activity', callActivity('work', 'called', { loop: firstYes('=item') })],
    ['a decision', businessRuleTask('work', 'yes', 'found', { loop: firstYes('=found') })],
  ])('made of %s sees the result that has just come', async (_, activity) => {
    const host = await MemoryHost.deploy(
      through(activity),
      processModel('called', [startEvent('cs'), endEvent('ce')], ['c: cs -> ce']),
    );
    host.decisions.set('yes', ({ item }) => item ?? null);
    const instance = host.start('p', { items: [false, true, false, false] });
    expect(host.variables(instance)['results']).toEqual([false, true, null, null]);
  });

  it('collects nothing from an instance whose completion condition fails, until it is done again', async () => {
    const host = await MemoryHost.deploy(
      through(
        serviceTask('work', {
          loop: multiInstance('=items', {
            output: '=result',
            into: 'results',
            until: '=results[loopCounter] > limit',
          }),
        }),
      ),
    );
    const instance = host.start('p', { items: [1] });
    host.completeJob(instance, 'work', { result: 5 });
    expect(host.incidents(instance)).toMatchObject([{ errorType: 'FeelError' }]);
    const body = Object.values(instance.state.elements).find(({ loop }) => loop)!;
    expect(body.loop!.output!.values).toEqual([null]);
    expect(body.loop!.completed).toBe(0);
    host.resolve(instance, 'work', { limit: 4 });
    host.completeJob(instance, 'work', { result: 3 });
    expect(host.variables(instance)['results']).toEqual([3]);
  });

  it('reports an output element that fails before its completion condition', async () => {
    const host = await MemoryHost.deploy(
      through(
        serviceTask('work', {
          loop: multiInstance('=items', { output: '=missing.result', into: 'results', until: '=missing.condition' }),
        }),
      ),
    );
    const instance = host.start('p', { items: [1] });
    host.completeJob(instance, 'work');
    expect(host.incidents(instance)).toMatchObject([{ message: expect.stringContaining('output element of work') }]);
  });

  it('runs its instances side by side and collects their output in the order of the items', async () => {
    const host = await MemoryHost.deploy(
      through(serviceTask('work', { loop: multiInstance('=items', { output: '=result', into: 'results' }) })),
    );
    const instance = host.start('p', { items: ['a', 'b', 'c'] });
    expect(host.waiting(instance)).toEqual(['job work', 'job work', 'job work']);
    expect(host.facts(instance)).toContainEqual(
      expect.objectContaining({ kind: 'JOB_CREATED', localVariables: { item: 'b', loopCounter: 2, result: null } }),
    );
    const jobs = Object.values(instance.state.waits).map(({ id }) => id);
    for (const [index, result] of [
      [2, 'C'],
      [0, 'A'],
      [1, 'B'],
    ] as const)
      host.command(instance, { kind: 'COMPLETE_JOB', execution: jobs[index]!, variables: { result } });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)).toEqual({ items: ['a', 'b', 'c'], results: ['A', 'B', 'C'] });
  });

  it('runs one instance after another when it is sequential', async () => {
    const host = await MemoryHost.deploy(
      through(serviceTask('work', { loop: multiInstance('=items', { sequential: true }) })),
    );
    const instance = host.start('p', { items: [1, 2] });
    expect(host.waiting(instance)).toEqual(['job work']);
    host.completeJob(instance, 'work');
    expect(instance.state.elements[host.wait(instance, 'job', 'work').element]!.variables).toEqual({
      item: 2,
      loopCounter: 2,
    });
    host.completeJob(instance, 'work');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('completes at once over an empty list, with an empty output', async () => {
    const host = await MemoryHost.deploy(
      through(serviceTask('work', { loop: multiInstance('=[]', { output: '=1', into: 'results' }) })),
    );
    expect(host.variables(host.start('p'))).toEqual({ results: [] });
  });

  it('ends what is left once its completion condition holds', async () => {
    const host = await MemoryHost.deploy(
      through(
        serviceTask('work', {
          loop: multiInstance('=items', {
            output: '=result',
            into: 'results',
            until: '=numberOfCompletedInstances >= 2 and numberOfActiveInstances = 1',
          }),
        }),
      ),
    );
    const instance = host.start('p', { items: [1, 2, 3] });
    for (const result of ['x', 'y']) host.completeJob(instance, 'work', { result });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)).toMatchObject({ results: ['x', 'y', null] });
    expect(host.facts(instance)).toContainEqual(expect.objectContaining({ kind: 'JOB_CANCELED' }));
  });

  it('evaluates its completion condition with the results collected so far', async () => {
    const host = await MemoryHost.deploy(
      through(
        serviceTask('work', {
          loop: multiInstance('=items', {
            sequential: true,
            output: '=result',
            into: 'results',
            until: '=some r in results satisfies r = "stop"',
          }),
        }),
      ),
    );
    const instance = host.start('p', { items: [1, 2, 3] });
    host.completeJob(instance, 'work', { result: 'go' });
    host.completeJob(instance, 'work', { result: 'stop' });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)['results']).toEqual(['go', 'stop', null]);
  });

  it('waits at an incident when its collection is not a list', async () => {
    const host = await MemoryHost.deploy(through(serviceTask('work', { loop: multiInstance('=items') })));
    const instance = host.start('p', { items: 5 });
    expect(host.incidents(instance)).toMatchObject([{ node: 'work', errorType: 'FeelError' }]);
    host.resolve(instance, 'work', { items: [1] });
    expect(host.waiting(instance)).toEqual(['job work']);
  });

  it('raises the incident of one instance at that instance, and the others continue', async () => {
    const host = await MemoryHost.deploy(
      through(
        scriptTask('work', '=10 / item', 'result', {
          loop: multiInstance('=items', { output: '=result', into: 'results' }),
        }),
      ),
    );
    const instance = host.start('p', { items: [1, 0, 2] });
    expect(host.incidents(instance)).toMatchObject([{ node: 'work', errorType: 'FeelError' }]);
    host.resolve(instance, 'work', { item: 5 });
    expect(host.variables(instance)).toEqual({ items: [1, 0, 2], results: [10, 2, 5] });
  });

  it('maps input and output per instance', async () => {
    const mapping =
      '<zeebe:ioMapping><zeebe:input source="=item * factor" target="amount"/><zeebe:output source="=answer + 1" target="out"/></zeebe:ioMapping>';
    const host = await MemoryHost.deploy(
      through(
        serviceTask('work', {
          extensions: mapping,
          loop: multiInstance('=items', { output: '=out', into: 'results' }),
        }),
      ),
    );
    const instance = host.start('p', { items: [1, 2], factor: 10 });
    expect(host.facts(instance)).toContainEqual(
      expect.objectContaining({ kind: 'JOB_CREATED', localVariables: expect.objectContaining({ amount: 20 }) }),
    );
    host.completeJob(instance, 'work', { answer: 1 });
    host.completeJob(instance, 'work', { answer: 2 });
    expect(host.variables(instance)).toEqual({ items: [1, 2], factor: 10, results: [2, 3] });
  });

  it('continues with the items it began with when their variable changes', async () => {
    const host = await MemoryHost.deploy(
      through(
        serviceTask('work', {
          loop: multiInstance('=order.items', { sequential: true, output: '=item', into: 'seen' }),
        }),
      ),
    );
    const instance = host.start('p', { order: { items: [1, 2, 3] } });
    host.completeJob(instance, 'work', { order: { items: [] } });
    host.command(instance, { kind: 'SET_VARIABLES', variables: { order: null } });
    host.completeJob(instance, 'work');
    host.completeJob(instance, 'work');
    expect(host.variables(instance)).toEqual({ seen: [1, 2, 3] });
  });

  it('has its boundary events once, and they end all instances', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          serviceTask('work', { loop: multiInstance('=items') }),
          boundaryEvent('late', 'work', on.timer('PT1M')),
          boundaryEvent('bad', 'work', on.error('no')),
          endEvent('e'),
          endEvent('f'),
          endEvent('g'),
        ],
        ['a: s -> work', 'b: work -> e', 'c: late -> f', 'd: bad -> g'],
        root.error('no'),
      ),
    );
    const timed = host.start('p', { items: [1, 2] });
    expect(host.waiting(timed)).toEqual(['timer late', 'job work', 'job work']);
    host.advance(60_000);
    expect(host.completed(timed)).toEqual(['s', 'late', 'f', 'p']);
    const failing = host.start('p', { items: [1, 2] });
    host.throwJobError(failing, 'work', 'no');
    expect(host.completed(failing)).toEqual(['s', 'bad', 'g', 'p']);
  });

  it('may be a sub-process, whose variables stay apart', async () => {
    const inside = [
      startEvent('is'),
      scriptTask('double', '=item * 2', 'out'),
      serviceTask('check'),
      endEvent('ie'),
      multiInstance('=items', { output: '=out', into: 'results' }),
    ];
    const host = await MemoryHost.deploy(
      through(subProcess('work', [inside], ['ia: is -> double', 'ib: double -> check', 'ic: check -> ie'])),
    );
    const instance = host.start('p', { items: [1, 2] });
    host.completeJob(instance, 'check');
    host.completeJob(instance, 'check');
    expect(host.variables(instance)).toEqual({ items: [1, 2], results: [2, 4] });
  });

  it('may be nested, and an error inside is caught inside', async () => {
    const inner = [
      startEvent('is'),
      serviceTask('check', { loop: multiInstance('=item') }),
      boundaryEvent('bad', 'check', on.error()),
      endEvent('ie'),
      endEvent('caught'),
      multiInstance('=items'),
    ];
    const host = await MemoryHost.deploy(
      through(subProcess('work', [inner], ['ia: is -> check', 'ib: check -> ie', 'ic: bad -> caught'])),
    );
    const instance = host.start('p', { items: [[1, 2], [3]] });
    expect(host.waiting(instance)).toHaveLength(3);
    host.throwJobError(instance, 'check', 'no');
    expect(host.waiting(instance)).toHaveLength(1);
    host.completeJob(instance, 'check');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('may be a call activity', async () => {
    const called = processModel(
      'called',
      [startEvent('cs'), scriptTask('t', '=item + 1', 'out'), endEvent('ce')],
      ['ca: cs -> t', 'cb: t -> ce'],
    );
    const call = `<bpmn:callActivity id="work">${extensions('<zeebe:calledElement processId="called"/>')}${multiInstance('=items', { output: '=out', into: 'results' })}</bpmn:callActivity>`;
    const host = await MemoryHost.deploy(called, through(call));
    expect(host.variables(host.start('p', { items: [1, 2] }))).toEqual({ items: [1, 2], results: [2, 3] });
  });

  it('takes a loop cardinality', async () => {
    const counted =
      '<bpmn:multiInstanceLoopCharacteristics isSequential="true"><bpmn:loopCardinality>3</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>';
    const host = await MemoryHost.deploy(through(scriptTask('work', '=x + loopCounter', 'x', { loop: counted })));
    expect(host.variables(host.start('p', { x: 0 }))).toEqual({ x: 6 });
  });

  it('refuses a list that no instance could hold', async () => {
    const host = await MemoryHost.deploy(
      through(task('work', { loop: multiInstance('=for i in 1..900000 return i') })),
    );
    expect(host.incidents(host.start('p'))).toMatchObject([{ node: 'work' }]);
  });
});

describe('thousands of items', () => {
  const numbers = (length: number) => Array.from({ length }, (_, index) => index);

  it('that complete at once take few steps, keep no instance behind and stay in order', async () => {
    const host = await MemoryHost.deploy(
      through(
        scriptTask('work', '=item * 2', 'out', { loop: multiInstance('=items', { output: '=out', into: 'results' }) }),
      ),
    );
    const items = numbers(10_000);
    const instance = host.start('p', { items });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)['results']).toEqual(items.map((item) => item * 2));
    expect(instance.steps.filter(({ stimulus }) => stimulus !== 'rotates').length).toBeLessThan(30);
  });

  it('that workers do are leased through a window, so that the state stays small', async () => {
    const host = await MemoryHost.deploy(
      through(serviceTask('work', { loop: multiInstance('=items', { output: '=out', into: 'results' }) })),
    );
    host.compareEvery = 500;
    const items = numbers(2000);
    const instance = host.start('p', { items });
    let largest = 0;
    for (let done = 0; done < items.length; done += 1) {
      const [job] = Object.keys(instance.state.waits);
      host.command(instance, { kind: 'COMPLETE_JOB', execution: Number(job), variables: { out: done } });
      largest = Math.max(largest, Object.keys(instance.state.elements).length);
    }
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)['results']).toEqual(items);
    expect(largest).toBeLessThan(300);
  });
});

describe('a standard loop', () => {
  it.each([
    ['tests before', { testBefore: true, condition: '=x < 3' }, 5, 5],
    ['tests after', { condition: '=x < 3' }, 5, 6],
    ['tests after', { condition: '=x < 3' }, 0, 3],
    ['stops at its maximum', { condition: '=true', maximum: 4 }, 0, 4],
    ['counts', { condition: '=loopCounter < 2' }, 0, 2],
  ])('%s: %j turns %i into %i', async (_name, given, x, result) => {
    const host = await MemoryHost.deploy(through(scriptTask('work', '=x + 1', 'x', { loop: standardLoop(given) })));
    const instance = host.start('p', { x });
    expect(host.variables(instance)).toEqual({ x: result });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('waits at an incident when its condition fails, and continues where it was', async () => {
    const host = await MemoryHost.deploy(
      through(scriptTask('work', '=x + 1', 'x', { loop: standardLoop({ condition: '=x < limit' }) })),
    );
    const instance = host.start('p', { x: 0, limit: 'three' });
    expect(host.incidents(instance)).toMatchObject([{ node: 'work', errorType: 'FeelError' }]);
    host.resolve(instance, 'work', { limit: 3 });
    expect(host.variables(instance)).toMatchObject({ x: 3 });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('runs thousands of rounds without a wait, yielding in between', async () => {
    const host = await MemoryHost.deploy(
      through(scriptTask('work', '=x + 1', 'x', { loop: standardLoop({ condition: '=x < 20000' }) })),
    );
    const instance = host.start('p', { x: 0 });
    expect(host.variables(instance)).toEqual({ x: 20_000 });
    expect(instance.steps.length).toBeGreaterThan(1);
  });

  it('runs a sub-process again and again', async () => {
    const inside = [
      startEvent('is'),
      parallelGateway('f'),
      scriptTask('one', '=x + 1', 'x'),
      serviceTask('two'),
      parallelGateway('j'),
      endEvent('ie'),
      standardLoop({ condition: '=x < 2' }),
    ];
    const host = await MemoryHost.deploy(
      through(
        subProcess(
          'work',
          [inside],
          ['ia: is -> f', 'ib: f -> one', 'ic: f -> two', 'id: one -> j', 'if: two -> j', 'ig: j -> ie'],
        ),
      ),
    );
    const instance = host.start('p', { x: 0 });
    host.completeJob(instance, 'two');
    host.completeJob(instance, 'two');
    expect(instance.state.status).toBe('COMPLETED');
  });
});
