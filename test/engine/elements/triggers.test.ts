import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { nextTick, parseCron } from '@perdure/engine/time/cron.js';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import {
  boundaryEvent,
  catchEvent,
  endEvent,
  eventSubProcess,
  exclusiveGateway,
  extensions,
  on,
  parallelGateway,
  processModel,
  root,
  serviceTask,
  startEvent,
  subProcess,
  throwEvent,
  type InterruptingOptions,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

const MINUTE = 60_000;

describe('a signal', () => {
  const GO = root.signal('go');
  const waiter = simpleModel(
    [catchEvent('wait', on.signal('go')), endEvent('e')],
    ['a: s -> wait', 'b: wait -> e'],
    GO,
  );

  it('wakes everyone who waits', async () => {
    const host = await MemoryHost.deploy(waiter);
    const instances = [host.start('p'), host.start('p')];
    host.throwSignal('go', { x: 1 });
    for (const instance of instances) expect(host.variables(instance)).toEqual({ x: 1 });
  });

  it('is thrown by events, and an instance can hear its own', async () => {
    const body = [
      parallelGateway('fork'),
      catchEvent('wait', on.signal('go')),
      throwEvent('call', on.signal('go')),
      endEvent('e'),
      endEvent('f', on.signal('go')),
    ];
    const host = await MemoryHost.deploy(
      simpleModel([body], ['a: s -> fork', 'b: fork -> wait', 'c: fork -> call', 'd: wait -> e', 'f1: call -> f'], GO),
    );
    const instance = host.start('p');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.facts(instance).filter((fact) => fact.kind === 'SIGNAL_THROWN')).toHaveLength(2);
  });

  it('reaches an instance once, however long it is kept', async () => {
    const again = simpleModel(
      [
        serviceTask('work'),
        boundaryEvent('hear', 'work', on.signal('go'), { interrupting: false }),
        endEvent('e'),
        endEvent('heard'),
      ],
      ['a: s -> work', 'b: work -> e', 'c: hear -> heard'],
      GO,
    );
    const host = await MemoryHost.deploy(again);
    const instance = host.start('p');
    host.throwSignal('go');
    expect(host.completed(instance).filter((node) => node === 'heard')).toHaveLength(1);
    host.throwSignal('go');
    expect(host.completed(instance).filter((node) => node === 'heard')).toHaveLength(2);
  });
});

describe('a condition', () => {
  const change = (definitions: string, attributes: InterruptingOptions = {}) =>
    simpleModel(
      [
        serviceTask('work'),
        boundaryEvent('changed', 'work', definitions, attributes),
        endEvent('e'),
        endEvent('noticed'),
      ],
      ['a: s -> work', 'b: work -> e', 'c: changed -> noticed'],
    );

  it('lets a catch event continue at once when it holds, else when it becomes true', async () => {
    const host = await MemoryHost.deploy(
      simpleModel([catchEvent('wait', on.condition('=x > 5')), endEvent('e')], ['a: s -> wait', 'b: wait -> e']),
    );
    expect(host.start('p', { x: 6 }).state.status).toBe('COMPLETED');
    const instance = host.start('p', { x: 1 });
    host.command(instance, { kind: 'SET_VARIABLES', variables: { x: 2 } });
    expect(host.waiting(instance)).toEqual(['condition wait']);
    host.command(instance, { kind: 'SET_VARIABLES', variables: { x: 7 } });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('does not hold while a variable it names does not exist', async () => {
    const host = await MemoryHost.deploy(
      simpleModel([catchEvent('wait', on.condition('=x > 5')), endEvent('e')], ['a: s -> wait', 'b: wait -> e']),
    );
    const instance = host.start('p');
    expect(host.waiting(instance)).toEqual(['condition wait']);
    host.command(instance, { kind: 'SET_VARIABLES', variables: { x: 7 } });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('has to become false before it happens again on a boundary that does not interrupt', async () => {
    const host = await MemoryHost.deploy(change(on.condition('=x > 5'), { interrupting: false }));
    const instance = host.start('p', { x: 1 });
    for (const x of [6, 7, 1, 8]) host.command(instance, { kind: 'SET_VARIABLES', variables: { x } });
    expect(host.completed(instance).filter((node) => node === 'noticed')).toHaveLength(2);
  });

  it('interrupts its activity', async () => {
    const host = await MemoryHost.deploy(change(on.condition('=x > 5')));
    const instance = host.start('p', { x: 1 });
    host.command(instance, { kind: 'SET_VARIABLES', variables: { x: 6 } });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance)).not.toContain('e');
  });

  it('that cannot be evaluated is an incident at the event that waits', async () => {
    const host = await MemoryHost.deploy(
      simpleModel([catchEvent('wait', on.condition('=x > 5')), endEvent('e')], ['a: s -> wait', 'b: wait -> e']),
    );
    const instance = host.start('p', { x: 'many' });
    expect(host.incidents(instance)).toMatchObject([{ node: 'wait', errorType: 'FeelError' }]);
    host.resolve(instance, 'wait', { x: 9 });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('starts an event sub-process', async () => {
    const handler = eventSubProcess(
      'handler',
      [startEvent('changed', on.condition('=stop')), endEvent('he')],
      ['ha: changed -> he'],
    );
    const host = await MemoryHost.deploy(
      simpleModel([serviceTask('work'), endEvent('e'), handler], ['a: s -> work', 'b: work -> e']),
    );
    const instance = host.start('p', { stop: false });
    host.command(instance, { kind: 'SET_VARIABLES', variables: { stop: true } });
    expect(host.completed(instance)).toEqual(['s', 'changed', 'he', 'handler', 'p']);
  });
});

describe('a link', () => {
  it('continues at the catch event of its name, and back again', async () => {
    const body = [
      throwEvent('out', on.link('L')),
      catchEvent('in', on.link('L')),
      serviceTask('work'),
      exclusiveGateway('again', { default: 'done' }),
      throwEvent('back', on.link('L')),
      endEvent('e'),
    ];
    const host = await MemoryHost.deploy(
      simpleModel(
        [body],
        ['a: s -> out', 'b: in -> work', 'c: work -> again', 'd: again -> back =x', 'done: again -> e'],
      ),
    );
    const instance = host.start('p');
    host.completeJob(instance, 'work', { x: true });
    host.completeJob(instance, 'work', { x: false });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance).filter((node) => node === 'in')).toHaveLength(2);
  });

  it('without a target is an incident in a graph that was not checked', async () => {
    const file = simpleModel([throwEvent('out', on.link('L')), catchEvent('in', on.link('L'))], ['a: s -> out']);
    const { processes } = await compile(file);
    for (const node of processes[0]!.graph.nodes)
      if (node.kind === 'intermediateCatchEvent') node.triggers = [{ kind: 'link', name: 'M' }];
    const host = new MemoryHost();
    host.add(processes);
    expect(host.incidents(host.start('p'))).toMatchObject([{ node: 'out', errorType: 'LinkNotFound' }]);
  });
});

describe('an escalation', () => {
  const LATE = [root.escalation('late'), root.escalation('lost')];
  const inside = (thrown = 'late') =>
    subProcess(
      'sub',
      [startEvent('is'), throwEvent('shout', on.escalation(thrown)), serviceTask('work'), endEvent('ie')],
      ['ia: is -> shout', 'ib: shout -> work', 'ic: work -> ie'],
    );
  const model = (events: string, thrown?: string) =>
    simpleModel(
      [inside(thrown), events, endEvent('e'), endEvent('heard')],
      ['a: s -> sub', 'b: sub -> e', 'c: hear -> heard'],
      LATE,
    );

  it('interrupts the sub-process when the boundary event says so', async () => {
    const host = await MemoryHost.deploy(model(boundaryEvent('hear', 'sub', on.escalation('late'))));
    const instance = host.start('p');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance)).toEqual(['s', 'is', 'hear', 'heard', 'p']);
  });

  it('leaves the sub-process running when the boundary event does not interrupt', async () => {
    const host = await MemoryHost.deploy(model(boundaryEvent('hear', 'sub', on.escalation(), { interrupting: false })));
    const instance = host.start('p');
    expect(host.completed(instance)).toContain('heard');
    expect(host.waiting(instance)).toEqual(['job work']);
  });

  it('of another code is noted and changes nothing', async () => {
    const host = await MemoryHost.deploy(model(boundaryEvent('hear', 'sub', on.escalation('late')), 'lost'));
    const instance = host.start('p');
    expect(host.waiting(instance)).toEqual(['job work']);
    expect(host.facts(instance)).toContainEqual(
      expect.objectContaining({ kind: 'ESCALATION_THROWN', escalationCode: 'lost', caught: 'NOWHERE' }),
    );
  });

  it('starts an event sub-process of its scope', async () => {
    const handler = eventSubProcess(
      'handler',
      [startEvent('heard', on.escalation('late'), { interrupting: false }), endEvent('he')],
      ['ha: heard -> he'],
    );
    const host = await MemoryHost.deploy(
      simpleModel(
        [throwEvent('shout', on.escalation('late')), serviceTask('work'), endEvent('e'), handler],
        ['a: s -> shout', 'b: shout -> work', 'c: work -> e'],
        LATE,
      ),
    );
    const instance = host.start('p');
    expect(host.completed(instance)).toContain('handler');
    expect(host.waiting(instance)).toEqual(['job work']);
  });

  it.each([
    [{ interrupting: true }, 'CANCELED'],
    [{ interrupting: false }, 'COMPLETED'],
  ])('reaches the calling instance: with %j the called one is %s', async (attributes, status) => {
    const called = processModel(
      'called',
      [startEvent('cs'), throwEvent('shout', on.escalation('late')), serviceTask('work'), endEvent('ce')],
      ['ca: cs -> shout', 'cb: shout -> work', 'cc: work -> ce'],
      LATE,
    );
    const call = `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="called"/>')}</bpmn:callActivity>`;
    const host = await MemoryHost.deploy(
      called,
      simpleModel(
        [call, boundaryEvent('hear', 'call', on.escalation('late'), attributes), endEvent('e'), endEvent('heard')],
        ['a: s -> call', 'b: call -> e', 'c: hear -> heard'],
        LATE,
      ),
    );
    const parent = host.start('p');
    const child = [...host.instances.values()].find((instance) => instance !== parent)!;
    expect(host.completed(parent)).toContain('heard');
    if (child.state.status === 'RUNNING') host.completeJob(child, 'work');
    expect(child.state.status).toBe(status);
    expect(parent.state.status).toBe('COMPLETED');
  });

  it('thrown by an end event lets its sub-process complete', async () => {
    const body = subProcess('sub', [startEvent('is'), endEvent('shout', on.escalation('late'))], ['ia: is -> shout']);
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          body,
          boundaryEvent('hear', 'sub', on.escalation('late'), { interrupting: false }),
          endEvent('e'),
          endEvent('heard'),
        ],
        ['a: s -> sub', 'b: sub -> e', 'c: hear -> heard'],
        LATE,
      ),
    );
    expect(host.completed(host.start('p'))).toEqual(expect.arrayContaining(['heard', 'e']));
  });
});

describe('an event with several definitions', () => {
  const ROOTS = [root.signal('one'), root.signal('two'), root.signal('three')];

  it('continues with the first that happens, and waits for the others no more', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [catchEvent('wait', [on.signal('one'), on.timer('PT1M')]), endEvent('e')],
        ['a: s -> wait', 'b: wait -> e'],
        ROOTS,
      ),
    );
    const instance = host.start('p');
    host.advance(MINUTE);
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.waiting(instance)).toEqual([]);
  });

  it('needs all of them when it is parallel multiple, in any order, and keeps their variables', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          catchEvent('wait', [on.signal('one'), on.timer('PT1M'), on.signal('two')], { parallelMultiple: true }),
          endEvent('e'),
        ],
        ['a: s -> wait', 'b: wait -> e'],
        ROOTS,
      ),
    );
    const instance = host.start('p');
    host.throwSignal('two', { b: 2 });
    host.advance(MINUTE);
    expect(host.waiting(instance)).toEqual(['subscription wait']);
    host.throwSignal('one', { a: 1 });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)).toEqual({ a: 1, b: 2 });
  });

  it('can be parallel multiple on a boundary that does not interrupt, again and again', async () => {
    const events = boundaryEvent('both', 'work', [on.signal('one'), on.signal('two')], {
      parallelMultiple: true,
      interrupting: false,
    });
    const host = await MemoryHost.deploy(
      simpleModel(
        [serviceTask('work'), events, endEvent('e'), endEvent('heard')],
        ['a: s -> work', 'b: work -> e', 'c: both -> heard'],
        ROOTS,
      ),
    );
    const instance = host.start('p');
    for (const name of ['one', 'two', 'two', 'one']) host.throwSignal(name, {}, 0);
    expect(host.completed(instance).filter((node) => node === 'heard')).toHaveLength(2);
  });

  it('throws all of them in their order', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [throwEvent('shout', [on.signal('two'), on.signal('one')]), endEvent('e')],
        ['a: s -> shout', 'b: shout -> e'],
        ROOTS,
      ),
    );
    const instance = host.start('p');
    expect(host.facts(instance).flatMap((fact) => (fact.kind === 'SIGNAL_THROWN' ? fact.name : []))).toEqual([
      'two',
      'one',
    ]);
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('a timer', () => {
  it('of a cycle may tick by a cron expression', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          serviceTask('work'),
          boundaryEvent('tick', 'work', on.cycle('0 */10 9-17 * * MON-FRI'), { interrupting: false }),
          endEvent('e'),
          endEvent('ticked'),
        ],
        ['a: s -> work', 'b: work -> e', 'c: tick -> ticked'],
      ),
    );
    const instance = host.start('p');
    const due = () => Object.values(instance.state.waits).flatMap((wait) => (wait.kind === 'timer' ? [wait.due] : []));
    const [first] = due();
    expect(new Date(first!)).toEqual(new Date(nextTick(parseCron('0 */10 9-17 * * MON-FRI')!, host.now)!));
    host.advance(first! - host.now);
    expect(host.completed(instance)).toContain('ticked');
    expect(due()).toEqual([first! + 10 * MINUTE]);
  });

  it('that fails at one boundary event leaves no second one behind after its incident is resolved', async () => {
    const events = [
      boundaryEvent('first', 'work', on.timer('PT1M'), { interrupting: false }),
      boundaryEvent('second', 'work', on.timer('=later')),
    ];
    const host = await MemoryHost.deploy(
      simpleModel(
        [serviceTask('work'), events, endEvent('e'), endEvent('f'), endEvent('g')],
        ['a: s -> work', 'b: work -> e', 'c: first -> f', 'd: second -> g'],
      ),
    );
    const instance = host.start('p', { later: 'soon' });
    expect(host.incidents(instance)).toMatchObject([{ errorType: 'TimerResolution' }]);
    host.resolve(instance, 'work', { later: 'PT2M' });
    expect(host.waiting(instance)).toEqual(['timer first', 'timer second', 'job work']);
  });
});

describe('a throw event with several definitions', () => {
  it('does not throw again what it has thrown when a later one failed', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [throwEvent('shout', [on.signal('one'), on.message('paid')]), endEvent('e')],
        ['a: s -> shout', 'b: shout -> e'],
        [root.signal('one'), root.message('paid', '=order')],
      ),
    );
    const instance = host.start('p', { order: null });
    expect(host.incidents(instance)).toMatchObject([{ node: 'shout', errorType: 'SubscriptionError' }]);
    host.resolve(instance, 'shout', { order: 1 });
    expect(host.facts(instance).filter((fact) => fact.kind === 'SIGNAL_THROWN')).toHaveLength(1);
    expect(instance.state.status).toBe('COMPLETED');
  });
});
