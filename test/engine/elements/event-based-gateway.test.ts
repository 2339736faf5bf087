import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import {
  catchEvent,
  element,
  endEvent,
  eventBasedGateway,
  on,
  processModel,
  root,
  serviceTask,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

const ROOTS = [root.message('paid', '=order'), root.signal('stop')];

describe('an event-based gateway', () => {
  const model = simpleModel(
    [
      eventBasedGateway('g'),
      catchEvent('pays', on.message('paid')),
      catchEvent('late', on.timer('PT1M')),
      '<bpmn:receiveTask id="stops" messageRef="halt"/>',
      endEvent('x'),
      endEvent('y'),
      endEvent('z'),
    ],
    ['a: s -> g', 'b: g -> pays', 'c: g -> late', 'd: g -> stops', 'f: pays -> x', 'h: late -> y', 'i: stops -> z'],
    [ROOTS, root.message('halt', '=order')],
  );

  it.each([
    ['paid', 'x'],
    ['halt', 'z'],
  ])('continues after message %s and waits for the others no more', async (message, end) => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p', { order: 1 });
    host.publishMessage(message, 1, { from: message });
    expect(host.completed(instance)).toContain(end);
    expect(host.variables(instance)).toMatchObject({ from: message });
    expect(host.waiting(instance)).toEqual([]);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('continues after its timer', async () => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p', { order: 1 });
    host.advance(60_000);
    expect(host.completed(instance)).toEqual(['s', 'g', 'late', 'y', 'p']);
  });

  it('waits at an incident with nothing open, and listens once to each event after it is resolved', async () => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p', { order: null });
    expect(host.incidents(instance)).toMatchObject([{ node: 'g', errorType: 'SubscriptionError' }]);
    host.resolve(instance, 'g', { order: 1 });
    expect(host.waiting(instance)).toEqual(['subscription pays', 'timer late', 'subscription stops']);
  });
});

describe('an instantiating event-based gateway', () => {
  const model = (type: 'Exclusive' | 'Parallel') =>
    processModel(
      'p',
      [
        eventBasedGateway('g', { instantiate: true, eventGatewayType: type }),
        catchEvent('one', on.message('m1')),
        catchEvent('two', on.message('m2')),
        element(`${type === 'Parallel' ? 'parallel' : 'exclusive'}Gateway`, { id: 'j' }),
        serviceTask('work'),
        endEvent('e'),
      ],
      ['a: g -> one', 'b: g -> two', 'c: one -> j', 'd: two -> j', 'f: j -> work', 'h: work -> e'],
      [root.message('m1'), root.message('m2')],
    );

  it('starts with the event that happened', async () => {
    const host = await MemoryHost.deploy(model('Exclusive'));
    host.publishMessage('m2', undefined, { x: 2 });
    const [instance] = [...host.instances.values()];
    expect(host.completed(instance!)).toEqual(['g', 'two', 'j']);
    expect(host.waiting(instance!)).toEqual(['job work']);
    expect(host.variables(instance!)).toEqual({ x: 2 });
  });

  it('waits for the other events too when it is parallel', async () => {
    const host = await MemoryHost.deploy(model('Parallel'));
    host.publishMessage('m2');
    const [instance] = [...host.instances.values()];
    expect(host.waiting(instance!)).toEqual(['subscription one']);
    host.publishMessage('m1');
    expect(host.instances.size).toBe(1);
    expect(host.waiting(instance!)).toEqual(['job work']);
  });
});

describe('a parallel event-based gateway that begins an instance', () => {
  const model = processModel(
    'p',
    [
      eventBasedGateway('g', { instantiate: true, eventGatewayType: 'Parallel' }),
      catchEvent('orders', on.message('ordered')),
      catchEvent('pays', on.message('paid')),
    ],
    ['a: g -> orders', 'b: g -> pays'],
    [root.message('ordered', '=order'), root.message('paid', '=order')],
  );

  it('waits for the others with correlation keys from the first message', async () => {
    const host = await MemoryHost.deploy(model);
    host.publishMessage('ordered', 7, { order: 7 });
    const [instance] = [...host.instances.values()];
    expect(host.incidents(instance!)).toEqual([]);
    expect(host.wait(instance!, 'subscription', 'pays').correlation).toBe(7);
    host.publishMessage('paid', 7);
    expect(instance!.state.status).toBe('COMPLETED');
  });
});
