/** Next to a loop that spends the budget of every step, everything else advances in turns. */
import { describe, expect, it } from 'vitest';
import { MemoryHost, type MemoryInstance } from '../../packages/testkit/memory-host.js';
import {
  adHocSubProcess,
  boundaryEvent,
  catchEvent,
  endEvent,
  exclusiveGateway,
  inclusiveGateway,
  multiInstance,
  on,
  parallelGateway,
  scriptTask,
  serviceTask,
  startEvent,
  subProcess,
} from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';

/** Automatic, and without an end: each round writes a third of what a step may write. */
const ROUND = [exclusiveGateway('again'), scriptTask('turn', '=load', 'x')];
const LOOP = [parallelGateway('fork'), ...ROUND];
const LOAD = { load: 'y'.repeat(80_000) };
const LOOP_FLOWS = ['a: s -> fork', 'l1: fork -> again', 'l2: again -> turn', 'l3: turn -> again'];
const WITHOUT_FLAG = {
  flags: ['canceledTransactionsStayCanceled', 'cyclesCountFromTheirStart', 'operatorsPassDeferredCommands'],
};

async function besideLoop(elements: string[], flows: string[], variables = {}, options = {}) {
  const host = await MemoryHost.deploy(simpleModel([...LOOP, ...elements], [...LOOP_FLOWS, ...flows]));
  host.compareEvery = Infinity;
  const instance = host.start('p', { ...LOAD, ...variables }, options);
  expect(host.incidents(instance)).toMatchObject([{ errorCode: 'LOOP_WITHOUT_WAIT' }]);
  return { host, instance };
}

/** Rounds of the loop before `node` was entered for the `nth` time. */
function roundsBefore(host: MemoryHost, instance: MemoryInstance, node: string, nth = 1): number {
  const entered = host.facts(instance).flatMap((fact) => (fact.kind === 'ELEMENT_ACTIVATED' ? [fact.node] : []));
  const at = entered.flatMap((entry, index) => (entry === node ? [index] : []))[nth - 1];
  expect(at, `${node} is entered ${nth} times`).toBeDefined();
  return entered.slice(0, at).filter((entry) => entry === 'turn').length;
}

describe('next to a loop without a wait', () => {
  const items = { items: Array.from({ length: 1_000 }, (_, index) => index) };

  it('every item of a multi-instance activity is begun and done', async () => {
    const { host, instance } = await besideLoop(
      [scriptTask('x', '=item', 'y', { loop: multiInstance('=items') }), endEvent('e')],
      ['b: fork -> x', 'c: x -> e'],
      items,
    );
    expect(host.completed(instance).filter((node) => node === 'x').length).toBeGreaterThanOrEqual(1_000);
    expect(roundsBefore(host, instance, 'e')).toBeLessThan(200);
  });

  it('the jobs of a multi-instance activity are created', async () => {
    const { host, instance } = await besideLoop(
      [serviceTask('x', { loop: multiInstance('=items') }), endEvent('e')],
      ['b: fork -> x', 'c: x -> e'],
      { items: [1, 2, 3] },
    );
    expect(host.waiting(instance).filter((wait) => wait === 'job x')).toHaveLength(3);
  });

  it('an instance from before this build keeps its order', async () => {
    const { host, instance } = await besideLoop(
      [serviceTask('x', { loop: multiInstance('=items') }), endEvent('e')],
      ['b: fork -> x', 'c: x -> e'],
      { items: [1, 2, 3] },
      WITHOUT_FLAG,
    );
    expect(host.waiting(instance).filter((wait) => wait === 'job x')).toEqual([]);
  });

  it('an inclusive join continues when its last token is there, and not before', async () => {
    const { host, instance } = await besideLoop(
      [
        inclusiveGateway('split'),
        scriptTask('one', '=1', 'a'),
        scriptTask('two', '=1', 'b'),
        subProcess(
          'slow',
          [startEvent('i'), scriptTask('more', '=1', 'c', { loop: multiInstance('=items') })],
          ['f1: i -> more'],
        ),
        inclusiveGateway('join'),
        serviceTask('after'),
      ],
      [
        'b: fork -> split',
        'd1: split -> one =true',
        'd2: split -> two =true',
        'g: one -> join',
        'h: two -> slow',
        'j: slow -> join',
        'k: join -> after',
      ],
      items,
    );
    expect(host.waiting(instance)).toContain('job after');
    expect(host.completed(instance).filter((node) => node === 'join')).toHaveLength(1);
    expect(host.completed(instance).indexOf('slow')).toBeLessThan(host.completed(instance).indexOf('join'));
  });

  it('an ad-hoc sub-process begins all of its activities', async () => {
    const { host, instance } = await besideLoop(
      [
        adHocSubProcess('x', [serviceTask('one'), serviceTask('two'), serviceTask('three')], [], {
          activeElements: '=["one", "two", "three"]',
        }),
      ],
      ['b: fork -> x'],
    );
    expect(host.waiting(instance)).toEqual(expect.arrayContaining(['job one', 'job two', 'job three']));
  });

  it('a due timer of another branch fires', async () => {
    const { host, instance } = await besideLoop(
      [catchEvent('soon', on.date('2000-01-01T00:00:00Z')), serviceTask('after')],
      ['b: fork -> soon', 'c: soon -> after'],
    );
    expect(host.waiting(instance)).toContain('job after');
    expect(roundsBefore(host, instance, 'after')).toBeLessThan(20);
  });

  it('a due timer ends the loop that it is attached to', async () => {
    const loop = subProcess(
      'box',
      [startEvent('i'), ...ROUND],
      ['l1: i -> again', 'l2: again -> turn', 'l3: turn -> again'],
    );
    const host = await MemoryHost.deploy(
      simpleModel(
        [loop, boundaryEvent('late', 'box', on.date('2000-01-01T00:00:00Z')), endEvent('e')],
        ['a: s -> box', 'b: late -> e'],
      ),
    );
    const instance = host.start('p', LOAD);
    expect(instance.state.status).toBe('COMPLETED');
  });
});
