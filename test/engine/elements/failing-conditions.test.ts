import { describe, expect, it } from 'vitest';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import {
  boundaryEvent,
  catchEvent,
  endEvent,
  eventBasedGateway,
  eventSubProcess,
  on,
  root,
  serviceTask,
  startEvent,
  subProcess,
} from '@perdure/testkit/models';
import type { Variables } from '@perdure/engine/contract/json.js';
import { simpleModel } from '../../support/models.js';

const STOP = root.signal('stop');
const FAILED = { errorType: 'FeelError', errorCode: 'TYPE_MISMATCH' };

function setter(host: MemoryHost, instance: MemoryInstance) {
  return (variables: Variables) => host.command(instance, { kind: 'SET_VARIABLES', variables });
}

describe('a condition after an event-based gateway that cannot be evaluated', () => {
  const race = [
    eventBasedGateway('g'),
    catchEvent('full', on.condition('=x > 5')),
    catchEvent('stops', on.signal('stop')),
    catchEvent('late', on.timer('PT1H')),
    endEvent('e'),
  ];
  const flows = ['b: g -> full', 'c: g -> stops', 'd: g -> late', 'f: full -> e', 'h: stops -> e', 'i: late -> e'];
  const model = simpleModel([race], ['a: s -> g', ...flows], STOP);

  it('is an incident at its event, and decides once that is resolved with a value', async () => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p', { x: '5' });
    expect(host.incidents(instance)).toMatchObject([{ node: 'full', ...FAILED }]);
    host.resolve(instance, 'full', { x: 9 });
    expect(host.completed(instance)).toEqual(['s', 'g', 'full', 'e', 'p']);
  });

  it.each([
    ['stops', (host: MemoryHost) => host.throwSignal('stop')],
    ['late', (host: MemoryHost) => host.advance(3_600_000)],
  ])('leaves the decision to %s, which ends the incident', async (event, occur) => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p', { x: '5' });
    occur(host);
    expect(host.completed(instance)).toEqual(['s', 'g', event, 'e', 'p']);
    expect(host.incidents(instance)).toEqual([]);
  });

  it('neither closes nor restarts the other events when its incident is resolved', async () => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p', { x: '5' });
    const { due } = host.wait(instance, 'timer', 'late');
    host.advance(60_000);
    host.resolve(instance, 'full', { x: 1 });
    expect(host.wait(instance, 'timer', 'late')).toMatchObject({ due });
    expect(host.waiting(instance)).toEqual(['condition full', 'subscription stops', 'timer late']);
    expect(host.incidents(instance)).toEqual([]);
  });

  it('goes to an error event around it, as that of a plain catch event does', async () => {
    const sub = subProcess('sub', [startEvent('begin'), race], ['a1: begin -> g', ...flows]);
    const rescue = boundaryEvent('failed', 'sub', on.error('FeelError'));
    const host = await MemoryHost.deploy(
      simpleModel(
        [sub, rescue, endEvent('done'), endEvent('rescued')],
        ['a: s -> sub', 'y: sub -> done', 'z: failed -> rescued'],
        [STOP, root.error('FeelError')],
      ),
    );
    expect(host.completed(host.start('p', { x: '5' }))).toContain('rescued');
  });
});

describe.each([true, false])('a condition that cannot be evaluated (interrupting: %s)', (interrupting) => {
  const boundary = (definitions: string[], parallelMultiple = false) =>
    simpleModel(
      [
        serviceTask('work'),
        boundaryEvent('event', 'work', definitions, { interrupting, ...(parallelMultiple && { parallelMultiple }) }),
        endEvent('e'),
        endEvent('f'),
      ],
      ['a: s -> work', 'b: work -> e', 'c: event -> f'],
      STOP,
    );
  const inProcess = simpleModel(
    [
      serviceTask('work'),
      endEvent('e'),
      eventSubProcess(
        'handler',
        [startEvent('event', on.condition('=x > 5'), { interrupting }), endEvent('f')],
        ['ha: event -> f'],
      ),
    ],
    ['a: s -> work', 'b: work -> e'],
  );

  it.each([
    ['a boundary event', boundary([on.condition('=x > 5')])],
    ['an event sub-process', inProcess],
  ])('is one incident at %s, however often variables change, and occurs after it', async (_, model) => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p', { x: 'many' });
    const set = setter(host, instance);
    for (const x of ['more', 'most', 7]) set({ x });
    const incidents = host.incidents(instance);
    expect(incidents).toMatchObject([{ node: 'event', ...FAILED }]);
    expect(host.facts(instance).filter(({ kind }) => kind === 'INCIDENT_RAISED')).toHaveLength(1);
    expect(host.waiting(instance)).toContain('job work');
    host.resolve(instance, 'event');
    expect(host.completed(instance)).toContain('f');
    expect(host.incidents(instance)).toEqual([]);
    expect(instance.state.status).toBe(interrupting ? 'COMPLETED' : 'RUNNING');
  });

  it.each([
    ['a boundary event', boundary([on.condition('=x > 5')])],
    ['an event sub-process', inProcess],
  ])('at %s does not keep the activity from its end, which ends the incident', async (_, model) => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p', { x: 'many' });
    host.completeJob(instance, 'work');
    expect(host.completed(instance)).toContain('e');
    expect(instance.state).toMatchObject({ status: 'COMPLETED', incidents: {} });
  });

  it.each(['=order.total > 5', '=order.items.total > 5'])('is false while %s has no such entry', async (condition) => {
    const host = await MemoryHost.deploy(boundary([on.condition(condition)]));
    const instance = host.start('p', { order: {} });
    expect(instance.state).toMatchObject({ status: 'RUNNING', incidents: {} });
    setter(host, instance)({ order: { total: 7, items: { total: 7 } } });
    expect(host.completed(instance)).toContain('f');
  });

  it('names the incident before it when a retry fails again', async () => {
    const host = await MemoryHost.deploy(boundary([on.condition('=x > 5')]));
    const instance = host.start('p', { x: 'many' });
    const [first] = host.incidents(instance);
    host.resolve(instance, 'event');
    expect(host.incidents(instance)).toMatchObject([{ node: 'event', previous: first!.id }]);
  });

  it('is evaluated again after a pause in which its incident was resolved', async () => {
    const host = await MemoryHost.deploy(boundary([on.condition('=x > 5')]));
    const instance = host.start('p', { x: 'many' });
    host.suspend(instance);
    host.resolve(instance, 'event');
    setter(host, instance)({ x: 7 });
    expect(host.completed(instance)).not.toContain('f');
    host.resume(instance);
    expect(host.completed(instance)).toContain('f');
  });

  it('is no reason for an event that needs all of its definitions to occur', async () => {
    const host = await MemoryHost.deploy(boundary([on.condition('=x > 5'), on.signal('stop')], true));
    const instance = host.start('p', { x: 'many' });
    host.throwSignal('stop');
    expect(host.completed(instance)).not.toContain('f');
    host.resolve(instance, 'event', { x: 7 });
    expect(host.completed(instance)).toContain('f');
  });
});

describe('a condition that has held and then cannot be evaluated', () => {
  it('has to become false before it happens again, whatever its incident did in between', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          serviceTask('work'),
          boundaryEvent('event', 'work', on.condition('=x > 5'), { interrupting: false }),
          endEvent('e'),
          endEvent('f'),
        ],
        ['a: s -> work', 'b: work -> e', 'c: event -> f'],
      ),
    );
    const instance = host.start('p', { x: 6 });
    const set = setter(host, instance);
    const happened = () => host.completed(instance).filter((node) => node === 'f').length;
    set({ x: 'many' });
    set({ x: 7 });
    host.resolve(instance, 'event');
    expect(happened()).toBe(1);
    set({ x: 1 });
    set({ x: 8 });
    expect(happened()).toBe(2);
  });
});

describe('an interrupting event sub-process', () => {
  it('ends the incidents of conditions that it stops', async () => {
    const handler = (id: string, definition: string, interrupting: boolean) =>
      eventSubProcess(
        id,
        [startEvent(`${id}s`, definition, { interrupting }), serviceTask(`${id}w`)],
        [`${id}f: ${id}s -> ${id}w`],
      );
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          serviceTask('work'),
          handler('watch', on.condition('=x > 5'), false),
          handler('ends', on.signal('stop'), true),
        ],
        ['a: s -> work'],
        STOP,
      ),
    );
    const instance = host.start('p', { x: 'many' });
    expect(host.incidents(instance)).toMatchObject([{ node: 'watchs' }]);
    host.throwSignal('stop');
    expect(host.waiting(instance)).toEqual(['job endsw']);
    expect(host.incidents(instance)).toEqual([]);
  });
});
