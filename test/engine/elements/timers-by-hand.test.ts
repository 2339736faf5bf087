/** Timers that are changed or fired by an operator: one tick each, counted from its own due time. */
import { describe, expect, it } from 'vitest';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import {
  boundaryEvent,
  catchEvent,
  endEvent,
  multiInstance,
  on,
  serviceTask,
  startEvent,
  subProcess,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

const MINUTE = 60_000;
const cycling = (cycle: string) =>
  simpleModel(
    [
      serviceTask('work'),
      boundaryEvent('tick', 'work', on.cycle(cycle), { interrupting: false }),
      endEvent('e'),
      endEvent('ticked'),
    ],
    ['a: s -> work', 'b: work -> e', 'c: tick -> ticked'],
  );
const once = simpleModel([catchEvent('pause', on.timer('PT1H')), endEvent('e')], ['a: s -> pause', 'b: pause -> e']);

const fired = (host: MemoryHost, instance: MemoryInstance) =>
  host.facts(instance).filter(({ kind }) => kind === 'TIMER_FIRED').length;
const open = (host: MemoryHost, instance: MemoryInstance, node = 'tick') => host.wait(instance, 'timer', node);
const fire = (host: MemoryHost, instance: MemoryInstance, timer: number) =>
  host.command(instance, { kind: 'FIRE_TIMER', timer, node: 'tick' });
const change = (host: MemoryHost, instance: MemoryInstance, timer: number, due: number) =>
  host.command(instance, { kind: 'UPDATE_TIMER', timer, node: 'tick', due });

describe('a timer that is fired by hand', () => {
  it('fires at once, and only once', async () => {
    const host = await MemoryHost.deploy(once);
    const instance = host.start('p');
    const { id } = open(host, instance, 'pause');
    expect(fire(host, instance, id)).toMatchObject({ status: 'APPLIED' });
    expect(instance.state.status).toBe('COMPLETED');
    expect(fired(host, instance)).toBe(1);
    expect(fire(host, instance, id)).toMatchObject({ status: 'REJECTED' });
  });

  it('is one tick of a cycle ahead of time: the next one is an interval after its due time', async () => {
    const host = await MemoryHost.deploy(cycling('R3/PT10M'));
    const instance = host.start('p');
    const first = open(host, instance);
    expect(fire(host, instance, first.id)).toMatchObject({ status: 'APPLIED' });
    const second = open(host, instance);
    expect(second).toMatchObject({ due: first.due + 10 * MINUTE, remaining: 2 });
    expect(second.id).not.toBe(first.id);
    expect(fire(host, instance, first.id)).toMatchObject({ status: 'REJECTED', code: 'CONFLICT' });
    host.advance(60 * MINUTE);
    expect(fired(host, instance)).toBe(3);
  });

  it('leaves the later ticks of a cron expression as they are', async () => {
    const host = await MemoryHost.deploy(cycling('0 0 9 * * *'));
    const instance = host.start('p');
    const first = open(host, instance);
    fire(host, instance, first.id);
    expect(open(host, instance).due).toBe(first.due + 24 * 60 * MINUTE);
  });
});

describe('a timer that is changed', () => {
  it('fires at its new time, under the same id', async () => {
    const host = await MemoryHost.deploy(once);
    const instance = host.start('p');
    const { id, due } = open(host, instance, 'pause');
    expect(change(host, instance, id, due + 5 * MINUTE)).toMatchObject({ status: 'APPLIED' });
    expect(open(host, instance, 'pause')).toMatchObject({ id, due: due + 5 * MINUTE });
    host.advance(60 * MINUTE);
    expect(instance.state.status).toBe('RUNNING');
    host.advance(5 * MINUTE);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('counts the later ticks of a cycle from its new time', async () => {
    const host = await MemoryHost.deploy(cycling('R/PT10M'));
    const instance = host.start('p');
    const { id, due } = open(host, instance);
    change(host, instance, id, due + 3 * MINUTE);
    host.advance(13 * MINUTE);
    expect(fired(host, instance)).toBe(1);
    expect(open(host, instance).due).toBe(due + 13 * MINUTE);
  });

  it('counts the later ticks of a cycle along the calendar of its zone from its new time', async () => {
    const host = await MemoryHost.deploy(cycling('R/2026-03-28T08:00[Europe/Berlin]/P1D'));
    const instance = host.start('p');
    const { id, due } = open(host, instance);
    expect(due).toBe(Date.parse('2026-03-28T07:00:00Z'));
    change(host, instance, id, Date.parse('2026-03-28T08:00:00Z'));
    host.advance(Date.parse('2026-03-28T08:00:00Z') - host.now);
    expect(open(host, instance).due).toBe(Date.parse('2026-03-29T07:00:00Z'));
  });

  it('fires at once if its new time has passed', async () => {
    const host = await MemoryHost.deploy(once);
    const instance = host.start('p');
    change(host, instance, open(host, instance, 'pause').id, 0);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('is refused when it does not exist', async () => {
    const host = await MemoryHost.deploy(once);
    const instance = host.start('p');
    expect(change(host, instance, 99, 0)).toMatchObject({ status: 'REJECTED', code: 'CONFLICT' });
  });
});

describe('all timers of a node that are fired by hand', () => {
  const pauses = simpleModel(
    [
      catchEvent('pause', on.timer('PT1H')),
      subProcess(
        'each',
        [startEvent('is'), catchEvent('inner', on.timer('PT1H')), endEvent('ie')],
        ['ia: is -> inner', 'ib: inner -> ie'],
        { loop: multiInstance('=[1,2,3]') },
      ),
      endEvent('e'),
    ],
    ['a: s -> each', 'b: each -> pause', 'c: pause -> e'],
  );
  const fireAll = (host: MemoryHost, instance: MemoryInstance, node: string) =>
    host.command(instance, { kind: 'FIRE_TIMERS', node });

  it('are those that are open now, and not what they lead to', async () => {
    const host = await MemoryHost.deploy(pauses);
    const instance = host.start('p');
    expect(fireAll(host, instance, 'pause')).toMatchObject({ status: 'REJECTED', code: 'NOT_FOUND' });
    expect(fireAll(host, instance, 'inner')).toMatchObject({ status: 'APPLIED' });
    expect(fired(host, instance)).toBe(3);
    open(host, instance, 'pause');
  });

  it('are one tick of each cycle', async () => {
    const host = await MemoryHost.deploy(cycling('R3/PT10M'));
    const instance = host.start('p');
    fireAll(host, instance, 'tick');
    expect(fired(host, instance)).toBe(1);
    expect(open(host, instance)).toMatchObject({ remaining: 2 });
  });

  it('fire after the command, as far as the budget of each step allows', async () => {
    const host = await MemoryHost.deploy(pauses);
    const instance = host.start('p');
    fireAll(host, instance, 'inner');
    const kinds = host.facts(instance).map(({ kind }) => kind);
    expect(kinds.lastIndexOf('TIMER_CHANGED')).toBeLessThan(kinds.indexOf('COMMAND_HANDLED'));
    expect(kinds.indexOf('COMMAND_HANDLED')).toBeLessThan(kinds.indexOf('TIMER_FIRED'));
  });

  it('do not fire after one of them has canceled the others', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          serviceTask('work', { loop: multiInstance('=[1,2,3]') }),
          boundaryEvent('late', 'work', on.timer('PT1H')),
          endEvent('e'),
          endEvent('tooLate'),
        ],
        ['a: s -> work', 'b: work -> e', 'c: late -> tooLate'],
      ),
    );
    const instance = host.start('p');
    expect(fireAll(host, instance, 'late')).toMatchObject({ status: 'APPLIED' });
    expect(instance.state.status).toBe('COMPLETED');
    expect(fired(host, instance)).toBe(1);
  });
});
