import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import {
  adHocSubProcess,
  compensatedBy,
  endEvent,
  extensions,
  on,
  processModel,
  scriptTask,
  serviceTask,
  startEvent,
  task,
  throwEvent,
  type AdHocOptions,
  type Xml,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

const body = [serviceTask('a'), serviceTask('b'), serviceTask('c')];
const model = (options: AdHocOptions, inside = body, flows: Xml = []) =>
  simpleModel([adHocSubProcess('work', inside, flows, options), endEvent('e')], ['f1: s -> work', 'f2: work -> e']);

describe('an ad-hoc sub-process', () => {
  it('begins what its collection names and completes when all of it has', async () => {
    const host = await MemoryHost.deploy(model({ activeElements: '=wanted' }));
    const instance = host.start('p', { wanted: ['a', 'c'] });
    expect(host.waiting(instance)).toEqual(['job a', 'job c']);
    host.completeJob(instance, 'c');
    host.completeJob(instance, 'a');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('completes at once when its collection is empty', async () => {
    const host = await MemoryHost.deploy(model({ activeElements: '=[]' }));
    expect(host.start('p').state.status).toBe('COMPLETED');
  });

  it('waits for a command to begin an activity if it has no collection', async () => {
    const host = await MemoryHost.deploy(model({}));
    const instance = host.start('p');
    expect(host.waiting(instance)).toEqual([]);
    expect(host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'work', nodeID: 'b' }).status).toBe('APPLIED');
    host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'work', nodeID: 'b' });
    expect(host.waiting(instance)).toEqual(['job b', 'job b']);
    host.completeJob(instance, 'b');
    host.completeJob(instance, 'b');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it.each([['nothing'], ['work'], ['s']])('does not begin %s, which does not stand inside', async (nodeID) => {
    const host = await MemoryHost.deploy(model({}));
    expect(host.command(host.start('p'), { kind: 'TRIGGER_AD_HOC', node: 'work', nodeID })).toMatchObject({
      status: 'REJECTED',
      code: 'BAD_REQUEST',
    });
  });

  it('rejects what comes when it is over', async () => {
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [
          startEvent('s'),
          adHocSubProcess(
            'work',
            [task('a'), extensions('<zeebe:adHoc activeElementsCollection="=[&quot;a&quot;]"/>')],
            [],
          ),
          serviceTask('after'),
          endEvent('e'),
        ],
        ['f1: s -> work', 'f2: work -> after', 'f3: after -> e'],
      ),
    );
    expect(host.command(host.start('p'), { kind: 'TRIGGER_AD_HOC', node: 'work', nodeID: 'a' })).toMatchObject({
      status: 'REJECTED',
      code: 'CONFLICT',
    });
  });

  it('ends what is left when its completion condition holds', async () => {
    const host = await MemoryHost.deploy(model({ activeElements: '=["a", "b"]', until: '=enough' }));
    const instance = host.start('p', { enough: false });
    host.completeJob(instance, 'a', { enough: true });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.facts(instance)).toContainEqual(expect.objectContaining({ kind: 'JOB_CANCELED' }));
  });

  it('lets the remaining activities complete if it does not cancel them', async () => {
    const host = await MemoryHost.deploy(
      model({
        activeElements: '=["a", "b"]',
        until: '=enough',
        cancelRemainingInstances: false,
      }),
    );
    const instance = host.start('p', { enough: false });
    host.completeJob(instance, 'a', { enough: true });
    expect(host.waiting(instance)).toEqual(['job b']);
    host.completeJob(instance, 'b');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('stays open while its condition does not hold, until variables set from outside make it', async () => {
    const host = await MemoryHost.deploy(model({ activeElements: '=["a"]', until: '=enough' }));
    const instance = host.start('p', { enough: false });
    host.completeJob(instance, 'a');
    expect(instance.state.status).toBe('RUNNING');
    host.command(instance, { kind: 'SET_AD_HOC_VARIABLES', node: 'work', variables: { enough: true } });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)).toEqual({ enough: false });
  });

  it('runs one activity at a time when it is sequential', async () => {
    const host = await MemoryHost.deploy(model({ activeElements: '=["c", "a"]', ordering: 'Sequential' }));
    const instance = host.start('p');
    expect(host.waiting(instance)).toEqual(['job c']);
    expect(host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'work', nodeID: 'b' })).toMatchObject({
      status: 'REJECTED',
      code: 'CONFLICT',
    });
    host.completeJob(instance, 'c');
    expect(host.waiting(instance)).toEqual(['job a']);
    host.completeJob(instance, 'a');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('follows sequence flows inside', async () => {
    const host = await MemoryHost.deploy(model({ activeElements: '=["a"]' }, body, 'i1: a -> b'));
    const instance = host.start('p');
    host.completeJob(instance, 'a');
    expect(host.waiting(instance)).toEqual(['job b']);
    host.completeJob(instance, 'b');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it.each([['=["nope"]'], ['=5'], ['=[1]']])(
    'waits at an incident when its collection is %s',
    async (activeElements) => {
      const host = await MemoryHost.deploy(model({ activeElements }));
      expect(host.incidents(host.start('p'))).toMatchObject([{ node: 'work', errorType: 'FeelError' }]);
    },
  );

  it('keeps its active activities when its condition fails, and evaluates it again on resolution', async () => {
    const host = await MemoryHost.deploy(model({ activeElements: '=["a", "b"]', until: '=enough' }));
    const instance = host.start('p', { enough: 'perhaps' });
    host.completeJob(instance, 'a');
    expect(host.incidents(instance)).toMatchObject([{ node: 'work', errorType: 'FeelError' }]);
    expect(host.waiting(instance)).toEqual(['job b']);
    host.resolve(instance, 'work', { enough: false });
    expect(host.waiting(instance)).toEqual(['job b']);
    host.command(instance, { kind: 'SET_AD_HOC_VARIABLES', node: 'work', variables: { enough: true } });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('runs hundreds of activities that complete at once', async () => {
    const ids = Array.from({ length: 800 }, (_, index) => `t${index}`);
    const host = await MemoryHost.deploy(
      model({ activeElements: '=wanted' }, [...ids.map((id) => task(id)), scriptTask('x', '=1', 'y')]),
    );
    expect(host.start('p', { wanted: ids }).state.status).toBe('COMPLETED');
  });
});

describe('an ad-hoc sub-process whose completion condition is still true while it is compensated', () => {
  const undone = simpleModel(
    [
      adHocSubProcess(
        'work',
        [
          serviceTask('a'),
          compensatedBy('a', 'undoA'),
          serviceTask('undoA', { isForCompensation: true }),
          serviceTask('b'),
        ],
        [],
        { activeElements: '=["a"]', until: 'done' },
      ),
      throwEvent('back', on.compensation()),
      endEvent('e'),
    ],
    ['f1: s -> work', 'f2: work -> back', 'f3: back -> e'],
  );

  async function compensated() {
    const host = await MemoryHost.deploy(undone);
    const instance = host.start('p', { done: true });
    host.completeJob(instance, 'a');
    return { host, instance };
  }

  it('waits for its handlers, then continues after the compensation', async () => {
    const { host, instance } = await compensated();
    expect(host.waiting(instance)).toEqual(['job undoA']);
    host.completeJob(instance, 'undoA');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance).filter((node) => node === 'back')).toHaveLength(1);
  });

  it('accepts nothing more', async () => {
    const { host, instance } = await compensated();
    for (const body of [
      { kind: 'TRIGGER_AD_HOC', node: 'work', nodeID: 'b' },
      { kind: 'SET_AD_HOC_VARIABLES', node: 'work', variables: { done: true } },
    ] as const)
      expect(host.command(instance, body)).toMatchObject({
        status: 'REJECTED',
        code: 'CONFLICT',
        message: 'Ad-hoc sub-process work has completed and is being compensated, so nothing in it can be changed',
      });
    expect(host.waiting(instance)).toEqual(['job undoA']);
  });
});

it('an ad-hoc sub-process completes after what something inside compensates without waiting', async () => {
  const inside = [
    serviceTask('a'),
    compensatedBy('a', 'undoA'),
    serviceTask('undoA', { isForCompensation: true }),
    throwEvent('back', on.compensation({ waitForCompletion: false })),
    serviceTask('b'),
  ];
  const host = await MemoryHost.deploy(model({ activeElements: '=["a"]' }, inside, ['i: a -> back']));
  const instance = host.start('p');
  host.completeJob(instance, 'a');
  expect(host.waiting(instance)).toEqual(['job undoA']);
  expect(host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'work', nodeID: 'b' }).status).toBe('APPLIED');
  host.completeJob(instance, 'undoA');
  host.completeJob(instance, 'b');
  expect(instance.state.status).toBe('COMPLETED');
});
