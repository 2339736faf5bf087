import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import {
  boundaryEvent,
  catchEvent,
  endEvent,
  eventSubProcess,
  extensions,
  on,
  processModel,
  root,
  serviceTask,
  startEvent,
  task,
  throwEvent,
  type InterruptingOptions,
  type Xml,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

const PAID = root.message('paid', '=order');
const waitForPaid = simpleModel(
  [catchEvent('wait', on.message('paid')), endEvent('e')],
  ['a: s -> wait', 'b: wait -> e'],
  PAID,
);

describe('a message catch event', () => {
  it('takes the message of its name and correlation key, with its variables', async () => {
    const host = await MemoryHost.deploy(waitForPaid);
    const instance = host.start('p', { order: 7 });
    host.publishMessage('paid', 8, { amount: 1 }, 0);
    expect(host.waiting(instance)).toEqual(['subscription wait']);
    host.publishMessage('paid', 7, { amount: 2 });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)).toEqual({ order: 7, amount: 2 });
  });

  it('takes a message that was published before it waited', async () => {
    const host = await MemoryHost.deploy(waitForPaid);
    host.publishMessage('paid', 7, { amount: 2 });
    expect(host.start('p', { order: 7 }).state.status).toBe('COMPLETED');
  });

  it.each([
    [1, '1'],
    ['1', 1],
    [true, 'true'],
    [{ a: 1, b: 2 }, { a: 1 }],
  ])('does not take %j for %j', async (wanted, given) => {
    const host = await MemoryHost.deploy(waitForPaid);
    const instance = host.start('p', { order: wanted });
    host.publishMessage('paid', given);
    expect(host.waiting(instance)).toEqual(['subscription wait']);
  });

  it('takes a message whose key has more members than it asks for', async () => {
    const host = await MemoryHost.deploy(waitForPaid);
    const instance = host.start('p', { order: { a: 1 } });
    host.publishMessage('paid', { b: 2, a: 1 });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('rejects a message when it no longer waits, so that another can have it', async () => {
    const host = await MemoryHost.deploy(waitForPaid);
    const instance = host.start('p', { order: 7 });
    const { id } = host.wait(instance, 'subscription', 'wait');
    host.command(instance, { kind: 'CORRELATE_MESSAGE', execution: id, publicationID: 'x' });
    expect(host.command(instance, { kind: 'CORRELATE_MESSAGE', execution: id, publicationID: 'y' })).toMatchObject({
      status: 'REJECTED',
    });
  });

  it.each([[null], [[1, 2]]])('waits at an incident when its correlation key is %j', async (order) => {
    const host = await MemoryHost.deploy(waitForPaid);
    const instance = host.start('p', { order });
    expect(host.incidents(instance)).toMatchObject([
      { node: 'wait', errorType: 'SubscriptionError', errorCode: 'CORRELATION_KEY' },
    ]);
    host.resolve(instance, 'wait', { order: 7 });
    host.publishMessage('paid', 7);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('does not wait for a second message when mapping the first one failed', async () => {
    const mapping = extensions(
      '<zeebe:ioMapping><zeebe:output source="=amount / factor" target="net"/></zeebe:ioMapping>',
    );
    const host = await MemoryHost.deploy(
      simpleModel(
        [catchEvent('wait', [mapping, on.message('paid')]), endEvent('e')],
        ['a: s -> wait', 'b: wait -> e'],
        PAID,
      ),
    );
    const instance = host.start('p', { order: 7, factor: 0 });
    host.publishMessage('paid', 7, { amount: 10 });
    expect(host.incidents(instance)).toMatchObject([{ node: 'wait', errorType: 'FeelError' }]);
    host.resolve(instance, 'wait', { factor: 5 });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)).toMatchObject({ net: 2 });
  });
});

describe('a message boundary event', () => {
  const model = (options: InterruptingOptions) =>
    simpleModel(
      [
        serviceTask('work'),
        boundaryEvent('hear', 'work', on.message('paid'), options),
        endEvent('e'),
        endEvent('heard'),
      ],
      ['a: s -> work', 'b: work -> e', 'c: hear -> heard'],
      PAID,
    );

  it('ends its activity when it interrupts', async () => {
    const host = await MemoryHost.deploy(model({}));
    const instance = host.start('p', { order: 7 });
    host.publishMessage('paid', 7);
    expect(host.completed(instance)).toEqual(['s', 'hear', 'heard', 'p']);
  });

  it('happens again and again when it does not interrupt', async () => {
    const host = await MemoryHost.deploy(model({ interrupting: false }));
    const instance = host.start('p', { order: 7 });
    host.publishMessage('paid', 7);
    host.publishMessage('paid', 7);
    expect(host.completed(instance).filter((node) => node === 'heard')).toHaveLength(2);
    host.completeJob(instance, 'work');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.waiting(instance)).toEqual([]);
  });
});

describe('an event sub-process that starts with a message', () => {
  const model = (interrupting: boolean) =>
    simpleModel(
      [
        serviceTask('work'),
        endEvent('e'),
        eventSubProcess(
          'handler',
          [
            startEvent('heard', on.message('paid'), { interrupting: interrupting }),
            serviceTask('book'),
            endEvent('he'),
          ],
          ['ha: heard -> book', 'hb: book -> he'],
        ),
      ],
      ['a: s -> work', 'b: work -> e'],
      PAID,
    );

  it('runs next to its scope as often as messages come when it does not interrupt', async () => {
    const host = await MemoryHost.deploy(model(false));
    const instance = host.start('p', { order: 7 });
    host.publishMessage('paid', 7);
    host.publishMessage('paid', 7);
    expect(host.waiting(instance).filter((wait) => wait === 'job book')).toHaveLength(2);
    host.completeJob(instance, 'work');
    host.completeJob(instance, 'book');
    host.completeJob(instance, 'book');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('ends everything else in its scope when it interrupts', async () => {
    const host = await MemoryHost.deploy(model(true));
    const instance = host.start('p', { order: 7 });
    host.publishMessage('paid', 7);
    expect(host.waiting(instance)).toEqual(['job book']);
  });
});

describe('a message throw event', () => {
  const mapping = '<zeebe:ioMapping><zeebe:input source="=total * 2" target="amount"/></zeebe:ioMapping>';
  const payer = (thrower: string) =>
    processModel('payer', [startEvent('s'), thrower, endEvent('e')], ['a: s -> pay', 'b: pay -> e'], PAID);

  it('publishes with its mapped inputs, and another instance takes it', async () => {
    const host = await MemoryHost.deploy(
      waitForPaid,
      payer(throwEvent('pay', [extensions(mapping), on.message('paid')])),
    );
    const waiting = host.start('p', { order: 7 });
    host.start('payer', { order: 7, total: 21 });
    expect(host.variables(waiting)).toEqual({ order: 7, amount: 42 });
  });

  it('is a job when it has a task definition', async () => {
    const host = await MemoryHost.deploy(
      payer(throwEvent('pay', [extensions('<zeebe:taskDefinition type="send"/>'), on.message('paid')])),
    );
    const instance = host.start('payer');
    host.completeJob(instance, 'pay');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('keeps what it publishes for as long as its time to live says', async () => {
    const host = await MemoryHost.deploy(
      payer(throwEvent('pay', [extensions('<zeebe:publishMessage timeToLive="=ttl"/>'), on.message('paid')])),
    );
    expect(host.facts(host.start('payer', { order: 1, ttl: '1h30m' }))).toContainEqual(
      expect.objectContaining({
        kind: 'MESSAGE_PUBLISHED',
        name: 'paid',
        correlation: 1,
        variables: {},
        ttl: 5_400_000,
      }),
    );
    expect(host.incidents(host.start('payer', { order: 1, ttl: '-PT1H' }))).toMatchObject([
      { node: 'pay', errorType: 'SubscriptionError', errorCode: 'TIME_TO_LIVE' },
    ]);
  });

  it('may be an end event or a send task', async () => {
    const body = [startEvent('s'), '<bpmn:sendTask id="pay" messageRef="paid"/>', endEvent('e', on.message('paid'))];
    const host = await MemoryHost.deploy(processModel('payer', [body], ['a: s -> pay', 'b: pay -> e'], PAID));
    const instance = host.start('payer', { order: 1 });
    expect(host.facts(instance).filter((fact) => fact.kind === 'MESSAGE_PUBLISHED')).toHaveLength(2);
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('tasks that do not need a worker', () => {
  it('a send task with a task definition is a job', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [`<bpmn:sendTask id="t">${extensions('<zeebe:taskDefinition type="mail"/>')}</bpmn:sendTask>`, endEvent('e')],
        ['a: s -> t', 'b: t -> e'],
      ),
    );
    expect(host.waiting(host.start('p'))).toEqual(['job t']);
  });

  it('a receive task waits for its message', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(['<bpmn:receiveTask id="t" messageRef="paid"/>', endEvent('e')], ['a: s -> t', 'b: t -> e'], PAID),
    );
    const instance = host.start('p', { order: 1 });
    host.publishMessage('paid', 1, { ok: true });
    expect(host.variables(instance)).toEqual({ order: 1, ok: true });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('manual and abstract tasks complete at once', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(['<bpmn:manualTask id="m"/>', task('t'), endEvent('e')], ['a: s -> m', 'b: m -> t', 'c: t -> e']),
    );
    expect(host.completed(host.start('p'))).toEqual(['s', 'm', 't', 'e', 'p']);
  });
});

describe('a process that starts by an event', () => {
  it('starts with a message, whose variables pass through the start event', async () => {
    const mapping = extensions('<zeebe:ioMapping><zeebe:output source="=sum * 2" target="total"/></zeebe:ioMapping>');
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [startEvent('go', [mapping, on.message('begin')]), serviceTask('work'), endEvent('e')],
        ['a: go -> work', 'b: work -> e'],
        root.message('begin'),
      ),
    );
    host.publishMessage('begin', undefined, { sum: 2 });
    const [instance] = [...host.instances.values()];
    expect(host.variables(instance!)).toEqual({ total: 4 });
    expect(host.waiting(instance!)).toEqual(['job work']);
  });

  it('listens in its event sub-processes', async () => {
    const handler = eventSubProcess(
      'handler',
      [startEvent('late', on.timer('PT1M')), endEvent('he')],
      ['ha: late -> he'],
    );
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        [startEvent('go', on.signal('begin')), serviceTask('work'), endEvent('e'), handler],
        ['a: go -> work', 'b: work -> e'],
        root.signal('begin'),
      ),
    );
    host.throwSignal('begin');
    const [instance] = [...host.instances.values()];
    expect(host.waiting(instance!)).toEqual(['timer late', 'job work']);
    host.advance(60_000);
    expect(instance!.state.status).toBe('COMPLETED');
  });

  it('starts at an instantiating receive task', async () => {
    const host = await MemoryHost.deploy(
      processModel(
        'p',
        ['<bpmn:receiveTask id="go" messageRef="begin" instantiate="true"/>', endEvent('e')],
        ['a: go -> e'],
        root.message('begin'),
      ),
    );
    host.publishMessage('begin', undefined, { x: 1 });
    const [instance] = [...host.instances.values()];
    expect(instance!.state.status).toBe('COMPLETED');
    expect(host.variables(instance!)).toEqual({ x: 1 });
  });

  describe('a parallel multiple start event', () => {
    const model = (definitions: Xml) =>
      processModel(
        'p',
        [startEvent('go', definitions, { parallelMultiple: true }), endEvent('e')],
        ['a: go -> e'],
        [root.message('one'), root.message('two'), root.signal('three')],
      );

    it('begins one instance when all of its triggers have arrived, with the variables of all', async () => {
      const host = await MemoryHost.deploy(model([on.message('one'), on.message('two'), on.signal('three')]));
      host.publishMessage('two', undefined, { b: 2 });
      host.throwSignal('three', { c: 3 });
      expect(host.instances.size).toBe(0);
      host.publishMessage('one', undefined, { a: 1 });
      const [instance, ...others] = [...host.instances.values()];
      expect(others).toEqual([]);
      expect(instance!.state.status).toBe('COMPLETED');
      expect(host.variables(instance!)).toEqual({ a: 1, b: 2, c: 3 });
    });

    it('brings messages together by their correlation, and uses each once', async () => {
      const host = await MemoryHost.deploy(model([on.message('one'), on.message('two')]));
      for (const key of [1, 2, '1']) host.publishMessage('one', key, { key });
      host.publishMessage('two', 2);
      host.publishMessage('two', 2);
      host.publishMessage('two');
      expect([...host.instances.values()].map((instance) => host.variables(instance))).toEqual([{ key: 2 }]);
    });

    it('uses a signal for one instance only', async () => {
      const host = await MemoryHost.deploy(model([on.message('one'), on.signal('three')]));
      host.throwSignal('three');
      host.publishMessage('one', 1);
      host.publishMessage('one', 2);
      expect(host.instances.size).toBe(1);
      host.throwSignal('three');
      expect(host.instances.size).toBe(2);
    });

    it('does not begin by what has expired', async () => {
      const host = await MemoryHost.deploy(model([on.message('one'), on.message('two')]));
      host.publishMessage('one', undefined, {}, 1000);
      host.advance(1000);
      host.publishMessage('two');
      expect(host.instances.size).toBe(0);
    });

    it('is refused with a definition whose arrival cannot be kept', async () => {
      const { problems } = await compile(
        model([on.message('one'), on.timer('PT1M')]).replace(
          '<bpmn:timeDuration>PT1M</bpmn:timeDuration>',
          '<bpmn:timeCycle>R/PT1M</bpmn:timeCycle>',
        ),
      );
      expect(problems).toContainEqual(
        expect.objectContaining({
          severity: 'error',
          elementID: 'go',
          message: expect.stringContaining('parallel multiple'),
        }),
      );
    });
  });
});
