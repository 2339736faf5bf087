import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import {
  boundary,
  endEvent,
  gateway,
  on,
  scriptTask,
  serviceTask,
  simpleModel,
  task,
} from '../../support/bpmn-models.js';

describe('an inclusive gateway', () => {
  const model = simpleModel(
    gateway('inclusive', 'fork', 'default="d"') +
      serviceTask('one') +
      serviceTask('two') +
      serviceTask('rest') +
      gateway('inclusive', 'join') +
      serviceTask('after') +
      endEvent('e'),
    'a: s -> fork\nb: fork -> one =x > 0\nc: fork -> two =x > 1\nd: fork -> rest\nf: one -> join\ng: two -> join\nh: rest -> join\ni: join -> after\nj: after -> e',
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
        gateway('inclusive', 'fork') + endEvent('e') + endEvent('f'),
        'a: s -> fork\nb: fork -> e =x > 0\nc: fork -> f =x > 1',
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
        gateway('parallel', 'fork') +
          serviceTask('one') +
          serviceTask('two') +
          gateway('exclusive', 'x', 'default="out"') +
          gateway('inclusive', 'join') +
          serviceTask('after') +
          endEvent('e') +
          endEvent('away'),
        'a: s -> fork\nb: fork -> one\nc: fork -> two\nd: one -> join\nf: two -> x\ng: x -> join =stay\nout: x -> away\nh: join -> after\ni: after -> e',
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
        gateway('parallel', 'fork') +
          serviceTask('one') +
          gateway('exclusive', 'merge') +
          serviceTask('two') +
          gateway('exclusive', 'again', 'default="on"') +
          gateway('inclusive', 'join') +
          endEvent('e'),
        'a: s -> fork\nb: fork -> one\nc: fork -> merge\nd: one -> join\nf: merge -> two\ng: two -> again\nback: again -> merge =x\non: again -> join\nh: join -> e',
      ),
    );
    const instance = host.start('p', { x: true });
    host.completeJob(instance, 'one');
    host.completeJob(instance, 'two', { x: true });
    host.completeJob(instance, 'two', { x: false });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance).filter((node) => node === 'join')).toHaveLength(1);
  });

  it('inside a loop goes on in every round (the token behind it does not count)', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        gateway('inclusive', 'join') +
          scriptTask('add', '=x + 1', 'x') +
          gateway('exclusive', 'again', 'default="done"') +
          endEvent('e'),
        'a: s -> join\nb: join -> add\nc: add -> again\nback: again -> join =x < 3\ndone: again -> e',
      ),
    );
    const instance = host.start('p', { x: 0 });
    expect(host.variables(instance)).toEqual({ x: 3 });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('waits for a boundary event that can still lead to it', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        gateway('parallel', 'fork') +
          serviceTask('one') +
          serviceTask('two') +
          boundary('late', 'two', on.timer('PT1M')) +
          gateway('inclusive', 'join') +
          endEvent('e') +
          endEvent('f'),
        'a: s -> fork\nb: fork -> one\nc: fork -> two\nd: one -> join\nf1: two -> f\ng: late -> join\nh: join -> e',
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
  const twoOfThree = (condition: string, outgoing: string) =>
    simpleModel(
      `${gateway('parallel', 'fork')}${serviceTask('one')}${serviceTask('two')}${serviceTask('three')}${gateway('complex', 'c', '', condition ? `<bpmn:activationCondition>${condition}</bpmn:activationCondition>` : '')}${task('started')}${task('reset')}${endEvent('e')}${endEvent('f')}`,
      `a: s -> fork\nb: fork -> one\nc1: fork -> two\nd: fork -> three\nf1: one -> c\ng: two -> c\nh: three -> c\n${outgoing}\nk: started -> e\nl: reset -> f`,
    );

  it('starts once its activation condition holds, and swallows what comes later', async () => {
    const host = await MemoryHost.deploy(twoOfThree('=activationCount >= 2', 'i: c -> started\nj: c -> reset =false'));
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
      twoOfThree('=activationCount >= 2', 'i: c -> started =waitingForStart\nj: c -> reset =not(waitingForStart)'),
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
      twoOfThree('=activationCount >= needed', 'i: c -> started\nj: c -> reset =false'),
    );
    const instance = host.start('p', { needed: 'two' });
    host.completeJob(instance, 'one');
    expect(host.incidents(instance)).toMatchObject([{ node: 'c', errorType: 'FeelError' }]);
    host.resolve(instance, 'c', { needed: 1 });
    expect(host.completed(instance)).toContain('started');
  });
});

describe('a join that can never go on', () => {
  const starving = simpleModel(
    gateway('exclusive', 'x', 'default="a1"') +
      serviceTask('one') +
      serviceTask('two') +
      gateway('parallel', 'join') +
      endEvent('e'),
    'a: s -> x\na1: x -> one\na2: x -> two =false\nb: one -> join\nc: two -> join\nd: join -> e',
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

  it('is none while something else is active beside it', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        gateway('parallel', 'fork') +
          serviceTask('one') +
          serviceTask('slow') +
          gateway('parallel', 'join') +
          endEvent('e') +
          endEvent('f'),
        'a: s -> fork\nb: fork -> one\nc: fork -> slow\nd: one -> join\nf1: slow -> f\ng: join -> e\nh: fork -> join',
      ),
    );
    const instance = host.start('p');
    expect(host.incidents(instance)).toEqual([]);
    host.completeJob(instance, 'one');
    expect(host.completed(instance)).toContain('join');
  });
});
