/** Rules of the store and the REST API that a test of a process has to meet in memory too. */
import { describe, expect, it } from 'vitest';
import { PayloadTooLarge, testProcess } from '@perdure/testkit';
import {
  boundaryEvent,
  catchEvent,
  endEvent,
  exclusiveGateway,
  extensions,
  on,
  parallelGateway,
  processModel,
  root,
  serviceTask,
  startEvent,
  task,
  userTask,
} from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';

const startedBy = (processID: string) =>
  processModel(
    processID,
    [startEvent('go', on.message('order')), serviceTask('work')],
    ['f: go -> work'],
    root.message('order'),
  );
const calling = (inner: string) =>
  simpleModel(
    [
      `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="called"/>')}</bpmn:callActivity>`,
      inner,
    ],
    ['f: s -> call'],
    root.message('stop'),
  );
const called = processModel('called', [startEvent('cs'), serviceTask('inner')], ['cf: cs -> inner']);

describe('a message', () => {
  it('starts one process, although two could take it', async () => {
    const process = await testProcess(startedBy('first'), { with: [startedBy('second')] });
    process.publishMessage('order');
    expect(process.instances.map(({ processID }) => processID)).toEqual(['first']);
  });

  it('goes to the subscription that has waited longest, not to the instance that started first', async () => {
    const process = await testProcess(
      simpleModel(
        [serviceTask('before'), catchEvent('paid', on.message('payment')), endEvent('e')],
        ['a: s -> before', 'b: before -> paid', 'c: paid -> e'],
        root.message('payment'),
      ),
    );
    const [first, second] = [process.start(), process.start()];
    second.job('before').complete();
    first.job('before').complete();
    process.publishMessage('payment');
    expect([first.status, second.status]).toEqual(['RUNNING', 'COMPLETED']);
  });
});

describe('a called instance', () => {
  it('is canceled with the reason that its caller no longer waits', async () => {
    const process = await testProcess(calling(boundaryEvent('stopped', 'call', on.message('stop'))), {
      with: [called],
    });
    const instance = process.start();
    const child = instance.called('call');
    process.publishMessage('stop');
    expect(child.status).toBe('CANCELED');
    expect(child.cancelReason).toBe('The parent instance no longer waits for it');
  });

  it('tells its caller why it was canceled', async () => {
    const instance = (await testProcess(calling(''), { with: [called] })).start();
    instance.called('call').cancel('ordered twice');
    instance.expectIncident('call', 'CallActivityCanceled');
    expect(instance.incidents[0]?.message).toContain('ordered twice');
  });
});

describe('a pause', () => {
  const model = simpleModel(
    [
      parallelGateway('fork'),
      serviceTask('work'),
      userTask('approve'),
      catchEvent('paid', on.message('payment')),
      catchEvent('late', on.timer('PT1M')),
    ],
    ['a: s -> fork', 'b: fork -> work', 'c: fork -> approve', 'd: fork -> paid', 'f: fork -> late'],
    root.message('payment'),
  );

  it('of an instance keeps messages, results and timers back until it is resumed', async () => {
    const process = await testProcess(model);
    const instance = process.start();
    const job = instance.job('work');
    instance.suspend();
    expect(instance.isPaused).toBe(true);
    process.publishMessage('payment', { variables: { amount: 3 } });
    job.complete({ done: true });
    process.advance(120_000);
    expect(() => instance.task('approve').complete()).toThrow(
      'Expected COMPLETE_USER_TASK to apply; it is refused while the instance is suspended, but',
    );
    expect(instance.completed).toEqual(['s', 'fork']);
    instance.resume();
    expect(instance.completed).toEqual(['s', 'fork', 'paid', 'work', 'late']);
    instance.expectVariables({ amount: 3, done: true });
    instance.task('approve').complete();
    instance.expectCompleted();
  });

  it('of a process keeps it from starting, and a message starts it once it is resumed', async () => {
    const process = await testProcess(startedBy('p'));
    process.suspend();
    process.publishMessage('order');
    expect(process.instances).toEqual([]);
    process.resume();
    expect(process.instances.map(({ waitingAt }) => waitingAt)).toEqual([['work']]);
  });

  it('of a process reaches down to what its instances have called, and cancel works in it', async () => {
    const process = await testProcess(calling(''), { with: [called] });
    const instance = process.start();
    const child = instance.called('call');
    process.suspend();
    expect(child.isPaused).toBe(true);
    child.job('inner').complete();
    expect(child.status).toBe('RUNNING');
    instance.cancel();
    expect([instance.status, child.status]).toEqual(['CANCELED', 'CANCELED']);
  });

  it('gives a message to another instance when the paused one it was given to is canceled', async () => {
    const process = await testProcess(
      simpleModel([catchEvent('paid', on.message('payment'))], ['a: s -> paid'], root.message('payment')),
    );
    const [first, second] = [process.start(), process.start()];
    process.suspend();
    process.publishMessage('payment');
    first.cancel();
    process.resume();
    expect([first.status, second.status]).toEqual(['CANCELED', 'COMPLETED']);
  });
});

describe('limits', () => {
  const large = { text: 'x'.repeat(1024 * 1024) };

  it.each<[string, (process: Awaited<ReturnType<typeof testProcess>>) => void]>([
    ['a start', (process) => process.start(large)],
    ['a message', (process) => process.publishMessage('m', { variables: large })],
    ['a signal', (process) => process.throwSignal('m', large)],
    ['the result of a job', (process) => process.start().job('work').complete(large)],
  ])('refuse %s with variables above 1 MiB', async (_what, send) => {
    const process = await testProcess(simpleModel([serviceTask('work')], ['a: s -> work']));
    expect(() => send(process)).toThrow(PayloadTooLarge);
  });

  it('stop a process that never comes to rest', async () => {
    const endless = simpleModel(
      [exclusiveGateway('merge'), task('again')],
      ['a: s -> merge', 'b: merge -> again', 'c: again -> merge'],
    );
    const instance = (await testProcess(endless)).start();
    expect(instance.incidents).toHaveLength(1);
    instance.cancel();
    expect(instance.status).toBe('CANCELED');
  });
});
