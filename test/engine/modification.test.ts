import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../packages/testkit/memory-host.js';
import {
  boundaryEvent,
  element,
  endEvent,
  eventSubProcess,
  exclusiveGateway,
  extensions,
  on,
  parallelGateway,
  processModel,
  root,
  scriptTask,
  sequenceFlows,
  serviceTask,
  startEvent,
  subProcess,
} from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';
import { cancel, elements, modify, refused, start, twoJobs } from './support/modifying.js';

describe('moving a token', () => {
  it('cancels the instance once when it empties two scopes, one inside the other', async () => {
    const nested = simpleModel(
      [
        subProcess('sub', [startEvent('is'), serviceTask('a'), endEvent('ie')], ['i1: is -> a', 'i2: a -> ie']),
        serviceTask('b'),
        parallelGateway('fork'),
        endEvent('e'),
        endEvent('f'),
      ],
      ['f1: s -> fork', 'f2: fork -> sub', 'f3: fork -> b', 'f4: sub -> e', 'f5: b -> f'],
    );
    const host = await MemoryHost.deploy(nested);
    const instance = host.start('p');
    modify(host, instance, cancel('a'), cancel('b'));
    expect(instance.state.status).toBe('CANCELED');
    const ends = host
      .facts(instance)
      .filter((fact) => fact.kind === 'INSTANCE_CANCELED' || (fact.kind === 'ELEMENT_CANCELED' && fact.element === 1));
    expect(ends.map(({ kind }) => kind)).toEqual(['ELEMENT_CANCELED', 'INSTANCE_CANCELED']);
  });

  it('cancels the token at its node and begins it at another one', async () => {
    const host = await MemoryHost.deploy(twoJobs);
    const instance = host.start('p');
    modify(host, instance, cancel('a'), start('b'));
    expect(host.waiting(instance)).toEqual(['job b']);
    expect(host.facts(instance)).toContainEqual({
      kind: 'JOB_CANCELED',
      job: 4,
      reason: 'the token was canceled by a modification',
    });
    host.completeJob(instance, 'b');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('adds a token next to the others when none is canceled', async () => {
    const host = await MemoryHost.deploy(twoJobs);
    const instance = host.start('p');
    modify(host, instance, start('b'), start('b'));
    expect(host.waiting(instance)).toEqual(['job a', 'job b', 'job b']);
    modify(host, instance, cancel('b'));
    expect(host.waiting(instance)).toEqual(['job a', 'job b']);
  });

  it('skips an activity at an incident, and the incident is withdrawn', async () => {
    const host = await MemoryHost.deploy(
      simpleModel([scriptTask('calc', '=1 / 0', 'x'), serviceTask('b')], ['f1: s -> calc', 'f2: calc -> b']),
    );
    const instance = host.start('p');
    modify(host, instance, cancel('calc'), start('b'));
    expect(host.incidents(instance)).toEqual([]);
    expect(host.waiting(instance)).toEqual(['job b']);
  });

  it('cancels a called instance with the call', async () => {
    const call = `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="child"/>')}</bpmn:callActivity>`;
    const host = await MemoryHost.deploy(
      simpleModel([call, serviceTask('b')], ['f1: s -> call', 'f2: call -> b']),
      processModel('child', [startEvent('s'), serviceTask('inner')], ['f: s -> inner']),
    );
    const instance = host.start('p');
    const child = host.child(instance, 'call');
    modify(host, instance, cancel('call'), start('b'));
    expect(child.state.status).toBe('CANCELED');
  });

  it('gives variables to the activity that it begins, and to the scope around an event or gateway', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [serviceTask('a'), scriptTask('calc', '=x + 1', 'y'), exclusiveGateway('g'), endEvent('e')],
        ['f1: s -> a', 'f2: a -> g', 'f3: g -> calc', 'f4: calc -> e'],
      ),
    );
    const instance = host.start('p');
    modify(host, instance, start('calc', { variables: { x: 1 } }));
    expect(host.variables(instance)).toEqual({ y: 2 });
    modify(host, instance, start('g', { variables: { x: 5 } }));
    expect(host.variables(instance)).toEqual({ x: 5, y: 6 });
  });
});

describe('the whole request', () => {
  it('is refused with every problem, and nothing is changed', async () => {
    const host = await MemoryHost.deploy(twoJobs);
    const instance = host.start('p');
    expect(
      refused(
        host,
        instance,
        cancel('b'),
        start('nowhere'),
        start('b'),
        cancel('p'),
        start('p'),
        start('b', { scope: 99 }),
      ),
    ).toEqual([
      'instruction 1 (CANCEL_TOKEN b): there is no token at b',
      'instruction 2 (START_BEFORE_NODE nowhere): the process has no node nowhere',
      'instruction 4 (CANCEL_TOKEN p): the process itself is not a token; cancel the instance instead',
      'instruction 5 (START_BEFORE_NODE p): the process itself cannot be started again in the same instance',
      'instruction 6 (START_BEFORE_NODE b): no scope 99 is active',
    ]);
    expect(host.waiting(instance)).toEqual(['job a']);
  });

  it('is carried out in its order', async () => {
    const host = await MemoryHost.deploy(twoJobs);
    const instance = host.start('p');
    modify(host, instance, start('b'), cancel('b'));
    expect(host.waiting(instance)).toEqual(['job a']);
    refused(host, instance, cancel('b'), start('b'));
  });

  it('cancels the instance when it leaves no token, and says so', async () => {
    const host = await MemoryHost.deploy(twoJobs);
    const instance = host.start('p');
    expect(modify(host, instance, cancel('a')).message).toMatch(/The instance is canceled/);
    expect(instance.state.status).toBe('CANCELED');
  });

  it('comes too late for an ended instance', async () => {
    const host = await MemoryHost.deploy(twoJobs);
    const instance = host.start('p');
    host.command(instance, { kind: 'CANCEL_INSTANCE' });
    expect(host.command(instance, { kind: 'MODIFY', instructions: [start('a')] })).toMatchObject({
      status: 'REJECTED',
      code: 'INSTANCE_ENDED',
    });
  });
});

describe('scopes', () => {
  const inner = (mapping = '=1') => [
    extensions(`<zeebe:ioMapping><zeebe:input source="${mapping}" target="given"/></zeebe:ioMapping>`),
    startEvent('is'),
    serviceTask('x'),
    serviceTask('y'),
    endEvent('ie'),
    eventSubProcess(
      'handler',
      [startEvent('hs', on.message('M'), { interrupting: false }), serviceTask('h')],
      ['h1: hs -> h'],
    ),
  ];
  const nested = (mapping?: string) =>
    simpleModel(
      [
        serviceTask('a'),
        subProcess(
          'outer',
          [
            startEvent('os'),
            subProcess('sub', [inner(mapping)], ['i1: is -> x', 'i2: x -> y', 'i3: y -> ie']),
            boundaryEvent('late', 'sub', on.timer('PT1H')),
          ],
          ['o1: os -> sub'],
        ),
        endEvent('e'),
      ],
      ['f1: s -> a', 'f2: a -> outer', 'f3: outer -> e'],
      root.message('M'),
    );

  it('that are not active are begun, outer first, without their start events', async () => {
    const host = await MemoryHost.deploy(nested());
    const instance = host.start('p');
    modify(host, instance, cancel('a'), start('y'));
    expect(host.waiting(instance)).toEqual(['timer late', 'subscription hs', 'job y']);
    expect(host.completed(instance)).toEqual(['s']);
    expect(elements(instance, 'sub')[0]!.variables).toEqual({ given: 1 });
    host.completeJob(instance, 'y');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('that cannot be begun are a reason to refuse', async () => {
    const host = await MemoryHost.deploy(nested('=missing'));
    const instance = host.start('p');
    expect(refused(host, instance, start('y'))[0]).toMatch(/sub cannot be started: .*missing/);
    expect(host.waiting(instance)).toEqual(['job a']);
  });

  it('that are active take the token', async () => {
    const host = await MemoryHost.deploy(nested());
    const instance = host.start('p');
    host.completeJob(instance, 'a');
    modify(host, instance, cancel('x'), start('y'));
    expect(elements(instance, 'sub')).toHaveLength(1);
    expect(host.waiting(instance)).toEqual(['timer late', 'subscription hs', 'job y']);
  });

  it('are canceled with their last token, up to the instance', async () => {
    const host = await MemoryHost.deploy(nested());
    const instance = host.start('p');
    host.completeJob(instance, 'a');
    modify(host, instance, start('a'));
    modify(host, instance, cancel('x'));
    expect(host.waiting(instance)).toEqual(['job a']);
    modify(host, instance, start('x'), cancel('a'));
    modify(host, instance, cancel('x'));
    expect(instance.state.status).toBe('CANCELED');
  });

  it('that are active more than once have to be named', async () => {
    const host = await MemoryHost.deploy(nested());
    const instance = host.start('p');
    modify(host, instance, start('outer'), start('outer'));
    const [first, second] = elements(instance, 'sub');
    expect(refused(host, instance, start('y'), cancel('x'))).toEqual([
      `instruction 1 (START_BEFORE_NODE y): sub (the scope of y) is active 2 times; select one by scopeID: ${first!.id}, ${second!.id}`,
      `instruction 2 (CANCEL_TOKEN x): x has tokens in several scopes; select one by scopeID: ${first!.id}, ${second!.id}`,
    ]);
    modify(host, instance, start('y', { scope: second!.id }), cancel('x', second!.id));
    expect(
      Object.values(instance.state.waits)
        .filter(({ kind }) => kind === 'job')
        .map(({ node, element }) => [node, instance.state.elements[element]!.scope]),
    ).toEqual([
      ['a', 1],
      ['x', first!.id],
      ['y', second!.id],
    ]);
  });

  it('between the one that is named and the node are begun again', async () => {
    const host = await MemoryHost.deploy(nested());
    const instance = host.start('p');
    host.completeJob(instance, 'a');
    modify(host, instance, start('y', { scope: elements(instance, 'outer')[0]!.id }));
    expect(elements(instance, 'sub')).toHaveLength(2);
    expect(refused(host, instance, start('a', { scope: elements(instance, 'outer')[0]!.id }))[0]).toMatch(
      /is an instance of outer, which does not contain a/,
    );
  });
});

it('a token that is put before something while the instance is held begins when it is released', async () => {
  const host = await MemoryHost.deploy(
    simpleModel(
      [serviceTask('a'), element('task', { id: 'b' }, sequenceFlows([])), endEvent('e')],
      ['f1: s -> a', 'f2: a -> b', 'f3: b -> e'],
    ),
  );
  const instance = host.start('p', { large: 'x'.repeat(1_100_000) });
  expect(host.incidents(instance)).toMatchObject([{ errorType: 'SnapshotSizeExceeded' }]);
  modify(host, instance, start('b'));
  expect(elements(instance, 'b')).toMatchObject([{ placed: true }]);
  host.command(instance, { kind: 'SET_VARIABLES', variables: { large: null } });
  host.command(instance, { kind: 'RESOLVE_INCIDENT', incident: host.incidents(instance)[0]!.id });
  expect(elements(instance, 'b')).toEqual([]);
  expect(host.completed(instance)).toContain('b');
});
