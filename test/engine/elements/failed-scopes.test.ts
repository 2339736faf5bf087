/** A sub-process that waits at its own incident, or for its retry, while the event sub-processes in it still listen. */
import { describe, expect, it } from 'vitest';
import {
  endEvent,
  eventSubProcess,
  on,
  root,
  scriptTask,
  serviceTask,
  startEvent,
  subProcess,
} from '@perdure/testkit/models';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { simpleModel } from '../../support/models.js';

/** Its output mapping fails until `total` is set, so it waits at an incident after its end. */
const failing = (interrupting: boolean, rescue: string) =>
  simpleModel(
    [
      subProcess(
        'sub',
        [
          startEvent('is'),
          serviceTask('work'),
          eventSubProcess(
            'handler',
            [startEvent('hs', on.condition('late'), { interrupting }), rescue],
            ['h: hs -> rescue'],
          ),
          eventSubProcess(
            'other',
            [startEvent('os', on.message('M'), { interrupting: false }), endEvent('oe')],
            ['o: os -> oe'],
          ),
        ],
        ['i: is -> work'],
        { outputs: { result: '=total' } },
      ),
      endEvent('e'),
    ],
    ['f1: s -> sub', 'f2: sub -> e'],
    root.message('M', 'M'),
  );

async function failed(xml: string) {
  const host = await MemoryHost.deploy(xml);
  const instance = host.start('p', { late: false });
  host.completeJob(instance, 'work');
  expect(host.incidents(instance)).toMatchObject([{ node: 'sub' }]);
  return { host, instance };
}

const set = (host: MemoryHost, instance: MemoryInstance, variables: { [name: string]: boolean | number }) =>
  host.command(instance, { kind: 'SET_VARIABLES', variables });

describe('a sub-process at an incident', () => {
  it('is left to the event sub-process that interrupts it, and ends with that', async () => {
    const { host, instance } = await failed(failing(true, serviceTask('rescue')));
    set(host, instance, { late: true });
    expect(host.waiting(instance)).toEqual(['job rescue']);
    expect(host.incidents(instance)).toEqual([]);
    host.completeJob(instance, 'rescue', { total: 7 });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)).toMatchObject({ result: 7 });
  });

  it('is left to it too when its retry has been deferred by a pause', async () => {
    const { host, instance } = await failed(failing(true, serviceTask('rescue')));
    host.suspend(instance);
    host.resolve(instance, 'sub');
    set(host, instance, { late: true });
    host.resume(instance);
    expect(host.waiting(instance)).toEqual(['job rescue']);
    host.completeJob(instance, 'rescue', { total: 7 });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance).filter((node) => node === 'is')).toHaveLength(1);
  });

  it('ends when that ends at once, and is not started again', async () => {
    const { host, instance } = await failed(failing(true, scriptTask('rescue', '=7', 'total')));
    host.suspend(instance);
    host.resolve(instance, 'sub');
    set(host, instance, { late: true });
    host.resume(instance);
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance).filter((node) => node === 'is')).toHaveLength(1);
  });

  it('tries to end again when an event sub-process that does not interrupt it ends, and waits at one incident', async () => {
    const { host, instance } = await failed(failing(false, serviceTask('rescue')));
    host.publishMessage('M');
    set(host, instance, { late: true });
    host.completeJob(instance, 'rescue');
    expect(host.incidents(instance)).toMatchObject([{ node: 'sub' }]);
    set(host, instance, { late: false });
    host.resolve(instance, 'sub', { total: 7 });
    host.completeJob(instance, 'work');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('ends with what an operator has started inside it again', async () => {
    const { host, instance } = await failed(failing(false, serviceTask('rescue')));
    const modified = host.command(instance, {
      kind: 'MODIFY',
      instructions: [{ type: 'START_BEFORE_NODE', nodeID: 'work' }],
    });
    expect(modified.status).toBe('APPLIED');
    host.completeJob(instance, 'work', { total: 7 });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('is retried after a pause though an event sub-process that does not interrupt it has ended in the meantime', async () => {
    const { host, instance } = await failed(failing(false, scriptTask('rescue', '=7', 'total')));
    host.suspend(instance);
    host.resolve(instance, 'sub');
    set(host, instance, { late: true });
    host.resume(instance);
    expect(host.waiting(instance)).toContain('job work');
    host.completeJob(instance, 'work');
    expect(instance.state.status).toBe('COMPLETED');
  });
});
