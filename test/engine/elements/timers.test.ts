/** Timers at the edges of time: far in the past, and farther than a date can be written. */
import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import {
  boundaryEvent,
  catchEvent,
  endEvent,
  eventSubProcess,
  on,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

const DAY = 86_400_000;
const fired = (host: MemoryHost, instance: MemoryInstance) =>
  host.facts(instance).filter(({ kind }) => kind === 'TIMER_FIRED').length;
const beside = (cycle: string) =>
  simpleModel(
    [
      serviceTask('work'),
      boundaryEvent('tick', 'work', on.cycle(cycle), { interrupting: false }),
      endEvent('e'),
      endEvent('ticked'),
    ],
    ['a: s -> work', 'b: work -> e', 'c: tick -> ticked'],
  );

describe('a cycle that began before its timer starts', () => {
  it.each([
    'R/2025-01-01T09:00:00Z/P1D',
    'R/2025-01-01T09:00:00Z/PT1S',
    'R/0000-01-01T00:00:00Z/PT0.001S',
    'R/2020-01-31T09:00:00Z/P1M',
  ])('does not make up the ticks of %s, and fires once', async (cycle) => {
    const host = await MemoryHost.deploy(beside(cycle));
    const instance = host.start('p');
    expect(fired(host, instance)).toBe(1);
  });

  it('continues with the next tick of its schedule', async () => {
    const host = await MemoryHost.deploy(beside('R/2025-01-01T09:00:00Z/P1D'));
    const instance = host.start('p');
    expect(host.wait(instance, 'timer', 'tick').due).toBe(Date.parse('2026-01-01T09:00:00Z'));
    host.advance(DAY);
    expect(fired(host, instance)).toBe(2);
  });

  it('counts the ticks that have passed', async () => {
    const host = await MemoryHost.deploy(beside('R4/2025-12-30T09:00:00Z/P1D'));
    const instance = host.start('p');
    expect(fired(host, instance)).toBe(1);
    host.advance(30 * DAY);
    expect(fired(host, instance)).toBe(3);
  });

  it('fires once like a date that has passed when none of its ticks is left', async () => {
    const host = await MemoryHost.deploy(beside('R2/2025-01-01T09:00:00Z/P1D'));
    const instance = host.start('p');
    host.advance(30 * DAY);
    expect(fired(host, instance)).toBe(1);
    expect(host.waiting(instance)).toEqual(['job work']);
  });
});

describe('a timer due after the year 9999', () => {
  const waiting = (kind: string) =>
    simpleModel(
      [
        catchEvent(
          'wait',
          `<bpmn:timerEventDefinition><bpmn:${kind}>=later</bpmn:${kind}></bpmn:timerEventDefinition>`,
        ),
        endEvent('e'),
      ],
      ['a: s -> wait', 'b: wait -> e'],
    );

  it.each([
    ['timeDuration', 'P999999Y'],
    ['timeDuration', 'P7975Y'],
    ['timeDuration', 'P9999999D'],
    ['timeDate', '9999-12-31T23:59:59-18:00'],
  ])('is an incident at its node, %s %s', async (kind, later) => {
    const host = await MemoryHost.deploy(waiting(kind));
    const instance = host.start('p', { later });
    expect(host.incidents(instance)).toMatchObject([
      { node: 'wait', errorType: 'TimerResolution', errorCode: 'TIMER_TOO_LATE' },
    ]);
    host.resolve(instance, 'wait', { later: kind === 'timeDate' ? '9999-12-31T23:59:59Z' : 'P7972Y' });
    expect(host.waiting(instance)).toEqual(['timer wait']);
    expect(() => new Date(host.wait(instance, 'timer', 'wait').due).toISOString()).not.toThrow();
  });

  it('is refused when it is deployed as a fixed text', async () => {
    const { problems } = await compile(
      simpleModel([catchEvent('wait', on.timer('P999999Y')), endEvent('e')], ['a: s -> wait', 'b: wait -> e']),
    );
    expect(problems).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        elementID: 'wait',
        message: expect.stringContaining('before the year 10000'),
      }),
    );
  });

  it('ends a cycle whose next tick it would be', async () => {
    const host = await MemoryHost.deploy(beside('R/P5000Y'));
    const instance = host.start('p');
    host.advance(host.wait(instance, 'timer', 'tick').due - host.now);
    expect(host.waiting(instance)).toEqual(['job work']);
  });

  it('of an event sub-process is an incident of the scope around it', async () => {
    const handler = eventSubProcess(
      'handler',
      [
        startEvent(
          'late',
          '<bpmn:timerEventDefinition><bpmn:timeDuration>=later</bpmn:timeDuration></bpmn:timerEventDefinition>',
        ),
        endEvent('he'),
      ],
      ['h: late -> he'],
    );
    const host = await MemoryHost.deploy(
      simpleModel([serviceTask('work'), endEvent('e'), handler], ['a: s -> work', 'b: work -> e']),
    );
    const instance = host.start('p', { later: 'P999999Y' });
    expect(host.incidents(instance)).toMatchObject([{ node: 'p', errorType: 'TimerResolution' }]);
    host.resolve(instance, 'p', { later: 'PT1M' });
    expect(host.waiting(instance)).toEqual(['timer late', 'job work']);
  });
});
