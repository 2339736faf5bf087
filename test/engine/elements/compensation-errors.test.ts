/** An error of a compensation handler does not reach the sub-process or the transaction that it undoes. */
import { describe, expect, it } from 'vitest';
import {
  boundaryEvent,
  compensatedBy,
  endEvent,
  eventSubProcess,
  on,
  root,
  serviceTask,
  startEvent,
  subProcess,
  task,
  throwEvent,
  transaction,
} from '@perdure/testkit/models';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import { simpleModel } from '../../support/models.js';

describe('an error of a handler', () => {
  const model = simpleModel(
    [
      subProcess(
        'sub',
        [
          startEvent('is'),
          task('a'),
          compensatedBy('a', 'undo'),
          serviceTask('undo', { isForCompensation: true }),
          eventSubProcess('handler', [startEvent('hs', on.error()), task('inside')], ['h: hs -> inside']),
        ],
        ['i: is -> a'],
      ),
      boundaryEvent('failed', 'sub', on.error()),
      task('aside'),
      throwEvent('back', on.compensation()),
      endEvent('e'),
    ],
    ['f1: s -> sub', 'f2: sub -> back', 'f3: back -> e', 'f4: failed -> aside'],
  );

  it('is not caught by the sub-process that it undoes, because that has completed', async () => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p');
    host.throwJobError(instance, 'undo', 'E');
    expect(host.incidents(instance)).toMatchObject([{ node: 'undo', errorCode: 'E' }]);
    host.resolve(instance, 'undo');
    host.completeJob(instance, 'undo');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance)).not.toContain('aside');
    expect(host.completed(instance).filter((node) => node === 'back')).toHaveLength(1);
  });
});

describe('a transaction whose cancel end event has fired', () => {
  const undone = (options: { around?: string[]; throws?: string } = {}) => [
    startEvent('is'),
    task('a'),
    compensatedBy('a', 'undo'),
    options.throws === undefined
      ? serviceTask('undo', { isForCompensation: true })
      : subProcess('undo', [startEvent('us'), endEvent('ue', options.throws)], ['u: us -> ue'], {
          isForCompensation: true,
        }),
    ...(options.around ?? []),
  ];
  const catching = (trigger: string, interrupting = true) =>
    eventSubProcess('handler', [startEvent('hs', trigger, { interrupting }), task('inside')], ['h: hs -> inside']);
  const flows = ['f1: s -> tx', 'f2: tx -> normal', 'f3: undone -> aside'];
  const inside = ['i1: is -> a', 'i2: a -> ie'];
  const canceling = (body: string[], rest: string[] = [], moreFlows: string[] = []) =>
    simpleModel(
      [
        transaction('tx', [...body, endEvent('ie', on.cancel)], inside),
        boundaryEvent('undone', 'tx', on.cancel),
        task('normal'),
        task('aside'),
        ...rest,
      ],
      [...flows, ...moreFlows],
      root.escalation('U'),
    );

  it('has an incident at a handler that fails, although an event sub-process inside would catch the error', async () => {
    const host = await MemoryHost.deploy(canceling(undone({ around: [catching(on.error())] })));
    const instance = host.start('p');
    host.throwJobError(instance, 'undo', 'E');
    expect(host.incidents(instance)).toMatchObject([{ node: 'undo', errorCode: 'E' }]);
    host.resolve(instance, 'undo');
    host.completeJob(instance, 'undo');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance)).toEqual(expect.arrayContaining(['undone', 'aside']));
    expect(host.completed(instance)).not.toEqual(expect.arrayContaining(['normal']));
  });

  it('passes an error of a handler to the error boundary event around it', async () => {
    const host = await MemoryHost.deploy(
      canceling(
        undone({ around: [catching(on.error())] }),
        [boundaryEvent('hazard', 'tx', on.error()), task('repaired')],
        ['f4: hazard -> repaired'],
      ),
    );
    const instance = host.start('p');
    host.throwJobError(instance, 'undo', 'E');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance)).toContain('repaired');
    expect(host.completed(instance)).not.toContain('normal');
  });

  it.each([true, false])(
    'is left as canceled if a handler escalates, interrupting an event sub-process or not: %s',
    async (interrupting) => {
      const host = await MemoryHost.deploy(
        canceling(undone({ around: [catching(on.escalation('U'), interrupting)], throws: on.escalation('U') })),
      );
      const instance = host.start('p');
      expect(instance.state.status).toBe('COMPLETED');
      expect(host.completed(instance)).toContain('aside');
      expect(host.completed(instance)).not.toContain('inside');
      expect(host.completed(instance)).not.toContain('normal');
    },
  );

  it('does not fire its cancel boundary event if it had completed and is being compensated', async () => {
    const model = simpleModel(
      [
        transaction('tx', [...undone({ throws: on.cancel }), endEvent('ie')], inside),
        boundaryEvent('undone', 'tx', on.cancel),
        throwEvent('normal', on.compensation()),
        task('aside'),
      ],
      flows,
    );
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance).filter((node) => node === 'normal')).toHaveLength(1);
    expect(host.completed(instance)).not.toContain('aside');
  });

  it('of an instance without the flag is left along its normal flow when an event sub-process has caught', async () => {
    const host = await MemoryHost.deploy(canceling(undone({ around: [catching(on.error())] })));
    const instance = host.start('p', {}, { flags: [] });
    host.throwJobError(instance, 'undo', 'E');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance)).toContain('normal');
  });
});
