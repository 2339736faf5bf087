import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import {
  boundaryEvent,
  complexGateway,
  endEvent,
  exclusiveGateway,
  inclusiveGateway,
  on,
  parallelGateway,
  scriptTask,
  serviceTask,
  task,
  type Xml,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

describe('an inclusive gateway', () => {
  const model = simpleModel(
    [
      inclusiveGateway('fork', { default: 'd' }),
      serviceTask('one'),
      serviceTask('two'),
      serviceTask('rest'),
      inclusiveGateway('join'),
      serviceTask('after'),
      endEvent('e'),
    ],
    [
      'a: s -> fork',
      'b: fork -> one =x > 0',
      'c: fork -> two =x > 1',
      'd: fork -> rest',
      'f: one -> join',
      'g: two -> join',
      'h: rest -> join',
      'i: join -> after',
      'j: after -> e',
    ],
  );

  it.each([
    [0, ['rest']],
    [1, ['one']],
    [2, ['one', 'two']],
  ])('with x = %i waits for exactly the branches it has taken: %j', async (x, branches) => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p', { x });
    expect(host.waiting(instance)).toEqual(branches.map((branch) => `job ${branch}`));
    for (const [index, branch] of branches.entries()) {
      host.completeJob(instance, branch);
      expect(host.waiting(instance).includes('job after')).toBe(index === branches.length - 1);
    }
    host.completeJob(instance, 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('waits at an incident when no condition holds and it has no default flow', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [inclusiveGateway('fork'), endEvent('e'), endEvent('f')],
        ['a: s -> fork', 'b: fork -> e =x > 0', 'c: fork -> f =x > 1'],
      ),
    );
    const instance = host.start('p', { x: 0 });
    expect(host.incidents(instance)).toMatchObject([{ node: 'fork', errorType: 'GatewayNoMatch' }]);
    host.resolve(instance, 'fork', { x: 1 });
    expect(host.completed(instance)).toContain('e');
  });

  it('does not wait for a token that has gone another way', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          parallelGateway('fork'),
          serviceTask('one'),
          serviceTask('two'),
          exclusiveGateway('x', { default: 'out' }),
          inclusiveGateway('join'),
          serviceTask('after'),
          endEvent('e'),
          endEvent('away'),
        ],
        [
          'a: s -> fork',
          'b: fork -> one',
          'c: fork -> two',
          'd: one -> join',
          'f: two -> x',
          'g: x -> join =stay',
          'out: x -> away',
          'h: join -> after',
          'i: after -> e',
        ],
      ),
    );
    const instance = host.start('p', { stay: false });
    host.completeJob(instance, 'one');
    expect(host.waiting(instance)).toEqual(['job two']);
    host.completeJob(instance, 'two');
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('waits for a token that can still come round a loop', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          parallelGateway('fork'),
          serviceTask('one'),
          exclusiveGateway('merge'),
          serviceTask('two'),
          exclusiveGateway('again', { default: 'on' }),
          inclusiveGateway('join'),
          endEvent('e'),
        ],
        [
          'a: s -> fork',
          'b: fork -> one',
          'c: fork -> merge',
          'd: one -> join',
          'f: merge -> two',
          'g: two -> again',
          'back: again -> merge =x',
          'on: again -> join',
          'h: join -> e',
        ],
      ),
    );
    const instance = host.start('p', { x: true });
    host.completeJob(instance, 'one');
    host.completeJob(instance, 'two', { x: true });
    host.completeJob(instance, 'two', { x: false });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance).filter((node) => node === 'join')).toHaveLength(1);
  });

  it('inside a loop continues in every round (the token after it does not count)', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          inclusiveGateway('join'),
          scriptTask('add', '=x + 1', 'x'),
          exclusiveGateway('again', { default: 'done' }),
          endEvent('e'),
        ],
        ['a: s -> join', 'b: join -> add', 'c: add -> again', 'back: again -> join =x < 3', 'done: again -> e'],
      ),
    );
    const instance = host.start('p', { x: 0 });
    expect(host.variables(instance)).toEqual({ x: 3 });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('waits for a boundary event that can still lead to it', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          parallelGateway('fork'),
          serviceTask('one'),
          serviceTask('two'),
          boundaryEvent('late', 'two', on.timer('PT1M')),
          inclusiveGateway('join'),
          endEvent('e'),
          endEvent('f'),
        ],
        [
          'a: s -> fork',
          'b: fork -> one',
          'c: fork -> two',
          'd: one -> join',
          'f1: two -> f',
          'g: late -> join',
          'h: join -> e',
        ],
      ),
    );
    const instance = host.start('p');
    host.completeJob(instance, 'one');
    expect(host.completed(instance)).not.toContain('join');
    host.advance(60_000);
    expect(host.completed(instance).filter((node) => node === 'join')).toHaveLength(1);
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('a complex gateway', () => {
  const twoOfThree = (condition: string, outgoing: Xml) =>
    simpleModel(
      [
        parallelGateway('fork'),
        serviceTask('one'),
        serviceTask('two'),
        serviceTask('three'),
        complexGateway('c', { activationCondition: condition }),
        task('started'),
        task('reset'),
        endEvent('e'),
        endEvent('f'),
      ],
      [
        'a: s -> fork',
        'b: fork -> one',
        'c1: fork -> two',
        'd: fork -> three',
        'f1: one -> c',
        'g: two -> c',
        'h: three -> c',
        outgoing,
        'k: started -> e',
        'l: reset -> f',
      ],
    );

  it('starts once its activation condition holds, and swallows what comes later', async () => {
    const host = await MemoryHost.deploy(
      twoOfThree('=activationCount >= 2', ['i: c -> started', 'j: c -> reset =false']),
    );
    const instance = host.start('p');
    host.completeJob(instance, 'one');
    expect(host.completed(instance)).not.toContain('c');
    host.completeJob(instance, 'three');
    expect(host.completed(instance)).toContain('started');
    host.completeJob(instance, 'two');
    expect(host.completed(instance).filter((node) => node === 'started')).toHaveLength(1);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('sends tokens where its conditions say when it resets', async () => {
    const host = await MemoryHost.deploy(
      twoOfThree('=activationCount >= 2', ['i: c -> started =waitingForStart', 'j: c -> reset =not(waitingForStart)']),
    );
    const instance = host.start('p');
    for (const job of ['one', 'two']) host.completeJob(instance, job);
    expect(host.completed(instance)).not.toContain('reset');
    host.completeJob(instance, 'three');
    expect(host.completed(instance)).toContain('reset');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('becomes an incident when its activation condition fails, and another look at it when that is resolved', async () => {
    const host = await MemoryHost.deploy(
      twoOfThree('=activationCount >= needed', ['i: c -> started', 'j: c -> reset =false']),
    );
    const instance = host.start('p', { needed: 'two' });
    host.completeJob(instance, 'one');
    expect(host.incidents(instance)).toMatchObject([{ node: 'c', errorType: 'FeelError' }]);
    host.resolve(instance, 'c', { needed: 1 });
    expect(host.completed(instance)).toContain('started');
  });
});

describe('a join that can never continue', () => {
  const starving = simpleModel(
    [
      exclusiveGateway('x', { default: 'a1' }),
      serviceTask('one'),
      serviceTask('two'),
      parallelGateway('join'),
      endEvent('e'),
    ],
    ['a: s -> x', 'a1: x -> one', 'a2: x -> two =false', 'b: one -> join', 'c: two -> join', 'd: join -> e'],
  );

  it('is an incident, and another one when resolving it changes nothing', async () => {
    const host = await MemoryHost.deploy(starving);
    const instance = host.start('p');
    host.completeJob(instance, 'one');
    const [first] = host.incidents(instance);
    expect(first).toMatchObject({ node: 'join', errorType: 'GatewayNoMatch', errorCode: 'JOIN_STARVED' });
    expect(host.resolve(instance, 'join').status).toBe('APPLIED');
    expect(host.incidents(instance)).toMatchObject([{ node: 'join', previous: first!.id }]);
    host.command(instance, { kind: 'CANCEL_INSTANCE' });
    expect(host.incidents(instance)).toEqual([]);
  });

  it('is none while something else is active next to it', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          parallelGateway('fork'),
          serviceTask('one'),
          serviceTask('slow'),
          parallelGateway('join'),
          endEvent('e'),
          endEvent('f'),
        ],
        [
          'a: s -> fork',
          'b: fork -> one',
          'c: fork -> slow',
          'd: one -> join',
          'f1: slow -> f',
          'g: join -> e',
          'h: fork -> join',
        ],
      ),
    );
    const instance = host.start('p');
    expect(host.incidents(instance)).toEqual([]);
    host.completeJob(instance, 'one');
    expect(host.completed(instance)).toContain('join');
  });
});
