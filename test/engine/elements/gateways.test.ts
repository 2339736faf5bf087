import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import {
  endEvent,
  exclusiveGateway,
  parallelGateway,
  processModel,
  scriptTask,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';

describe('an exclusive gateway', () => {
  const model = processModel(
    'p',
    [
      startEvent('s'),
      exclusiveGateway('g', { default: 'other' }),
      endEvent('small'),
      endEvent('large'),
      endEvent('rest'),
    ],
    ['a: s -> g', 'low: g -> small =x < 10', 'high: g -> large =x > 100', 'other: g -> rest'],
  );

  it.each([
    [5, 'small'],
    [500, 'large'],
    [50, 'rest'],
  ])('sends x = %i to %s', async (x, end) => {
    const host = await MemoryHost.deploy(model);
    expect(host.completed(host.start('p', { x }))).toContain(end);
  });

  it('waits at an incident when no condition holds and there is no default flow, and decides again on resolution', async () => {
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [startEvent('s'), exclusiveGateway('g'), endEvent('e'), endEvent('f')],
        ['a: s -> g', 'b: g -> e =x = 1', 'c: g -> f =x = 2'],
      ),
    );
    const instance = host.start('p', { x: 3 });
    expect(host.incidents(instance)).toMatchObject([{ node: 'g', errorType: 'GatewayNoMatch' }]);
    host.resolve(instance, 'g', { x: 2 });
    expect(host.completed(instance)).toContain('f');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('waits at an incident when a condition is neither true nor false', async () => {
    const host = await MemoryHost.deploy(model);
    expect(host.incidents(host.start('p', { x: 'many' }))).toMatchObject([
      { node: 'g', errorType: 'FeelError', errorCode: 'TYPE_MISMATCH' },
    ]);
  });

  it('yields after many moves of a loop without a wait and continues where it was', async () => {
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [startEvent('s'), scriptTask('add', '=x + 1', 'x'), exclusiveGateway('g', { default: 'again' }), endEvent('e')],
        ['a: s -> add', 'b: add -> g', 'done: g -> e =x >= 6000', 'again: g -> add'],
      ),
    );
    const instance = host.start('p', { x: 0 });
    expect(instance.steps.length).toBeGreaterThan(1);
    expect(host.variables(instance)).toEqual({ x: 6000 });
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('a parallel gateway', () => {
  const model = processModel(
    'p',
    [
      startEvent('s'),
      parallelGateway('fork'),
      serviceTask('left'),
      serviceTask('right'),
      parallelGateway('join'),
      endEvent('e'),
    ],
    ['a: s -> fork', 'b: fork -> left', 'c: fork -> right', 'd: left -> join', 'f: right -> join', 'g: join -> e'],
  );

  it('continues when a token from every incoming flow has arrived, in any order', async () => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p');
    host.completeJob(instance, 'right');
    expect(instance.state.arrived).toHaveLength(1);
    host.completeJob(instance, 'left');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance).filter((node) => node === 'join')).toHaveLength(1);
  });

  it('lets every branch of a straight fork run before the join', async () => {
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [
          startEvent('s'),
          parallelGateway('fork'),
          scriptTask('l', '=x + 1', 'l'),
          scriptTask('r', '=x + 2', 'r'),
          parallelGateway('join'),
          endEvent('e'),
        ],
        ['a: s -> fork', 'b: fork -> l', 'c: fork -> r', 'd: l -> join', 'f: r -> join', 'g: join -> e'],
      ),
    );
    const instance = host.start('p', { x: 0 });
    expect(host.variables(instance)).toEqual({ x: 0, l: 1, r: 2 });
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('conditional flows leaving an activity', () => {
  it('are taken when their condition holds, next to the unconditional ones, and the default flow when none holds', async () => {
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [
          startEvent('s'),
          '<bpmn:scriptTask id="t" default="fallback"><bpmn:extensionElements><zeebe:script xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" expression="=1" resultVariable="y"/></bpmn:extensionElements></bpmn:scriptTask>',
          endEvent('always'),
          endEvent('sometimes'),
          endEvent('otherwise'),
        ],
        ['a: s -> t', 'b: t -> always', 'c: t -> sometimes =x', 'fallback: t -> otherwise'],
      ),
    );
    expect(host.completed(host.start('p', { x: true }))).toEqual(expect.arrayContaining(['always', 'sometimes']));
    expect(host.completed(host.start('p', { x: false }))).toEqual(expect.arrayContaining(['always', 'otherwise']));
  });
});
