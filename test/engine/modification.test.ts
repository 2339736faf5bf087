import { describe, expect, it } from 'vitest';
import type { ModificationInstruction } from '@perdure/engine/contract/commands.js';
import { MemoryHost, type MemoryInstance } from '../../packages/testkit/memory-host.js';
import {
  adHocSubProcess,
  boundaryEvent,
  catchEvent,
  compensatedBy,
  complexGateway,
  element,
  endEvent,
  eventBasedGateway,
  eventSubProcess,
  exclusiveGateway,
  extensions,
  multiInstance,
  on,
  parallelGateway,
  processModel,
  root,
  scriptTask,
  sequenceFlows,
  serviceTask,
  standardLoop,
  startEvent,
  subProcess,
  task,
  throwEvent,
  type AdHocOptions,
} from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';

const start = (
  nodeID: string,
  more: { scope?: number; variables?: Record<string, number> } = {},
): ModificationInstruction => ({ type: 'START_BEFORE_NODE', nodeID, ...more });
const cancel = (nodeID: string, scopeID?: number): ModificationInstruction => ({
  type: 'CANCEL_TOKEN',
  nodeID,
  ...(scopeID !== undefined && { scope: scopeID }),
});

/** Modifies and expects it to be done. */
function modify(host: MemoryHost, instance: MemoryInstance, ...instructions: ModificationInstruction[]) {
  const outcome = host.command(instance, { kind: 'MODIFY', instructions });
  expect(outcome).toMatchObject({ status: 'APPLIED' });
  return outcome;
}

/** Modifies and expects it to be refused, with nothing changed. */
function refused(host: MemoryHost, instance: MemoryInstance, ...instructions: ModificationInstruction[]): string[] {
  const before = host.facts(instance).length;
  const outcome = host.command(instance, { kind: 'MODIFY', instructions });
  expect(outcome).toMatchObject({ status: 'REJECTED', code: 'BAD_REQUEST' });
  expect(
    host
      .facts(instance)
      .slice(before)
      .map(({ kind }) => kind),
  ).toEqual(['COMMAND_HANDLED']);
  return outcome.issues!;
}

/** Element instances of this node, oldest first. */
const elements = (instance: MemoryInstance, node: string) =>
  Object.values(instance.state.elements).filter((element) => element.node === node);

const twoJobs = simpleModel(
  [serviceTask('a'), serviceTask('b'), endEvent('e')],
  ['f1: s -> a', 'f2: a -> b', 'f3: b -> e'],
);

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

  it('cancels where it stood and begins where it was put', async () => {
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

  it('adds a token beside the others when none is canceled', async () => {
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

  it('between the one that is named and the node are begun anew', async () => {
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

describe('events', () => {
  it('on a boundary and at the start of an event sub-process are not started before', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          serviceTask('a'),
          boundaryEvent('late', 'a', on.timer('PT1H')),
          eventSubProcess('handler', [startEvent('hs', on.message('M')), serviceTask('h')], ['h1: hs -> h']),
        ],
        ['f1: s -> a'],
        root.message('M'),
      ),
    );
    const instance = host.start('p');
    expect(refused(host, instance, start('late'), start('hs'))).toEqual([
      'instruction 1 (START_BEFORE_NODE late): boundary event late can only occur at its activity a',
      'instruction 2 (START_BEFORE_NODE hs): start event hs belongs to an event sub-process; start before handler instead',
    ]);
  });

  it('an event sub-process that is started runs beside the rest and interrupts nothing', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          serviceTask('a'),
          eventSubProcess('handler', [startEvent('hs', on.message('M')), serviceTask('h')], ['h1: hs -> h']),
        ],
        ['f1: s -> a'],
        root.message('M'),
      ),
    );
    const instance = host.start('p');
    modify(host, instance, start('handler'));
    expect(host.waiting(instance)).toEqual(['subscription hs', 'job a', 'job h']);
    host.completeJob(instance, 'a');
    host.completeJob(instance, 'h');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('a none start event and a catch event behind an event-based gateway can be started before', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          serviceTask('a'),
          eventBasedGateway('g'),
          catchEvent('m', on.message('M')),
          catchEvent('t', on.timer('PT1H')),
          endEvent('e'),
        ],
        ['f1: s -> a', 'f2: a -> g', 'f3: g -> m', 'f4: g -> t', 'f5: m -> e', 'f6: t -> e'],
        root.message('M'),
      ),
    );
    const instance = host.start('p');
    modify(host, instance, start('m'), start('s'));
    expect(host.waiting(instance)).toEqual(['job a', 'subscription m', 'job a']);
  });

  it('handlers of compensation are reached by compensation only', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          serviceTask('a'),
          serviceTask('undo', { isForCompensation: true }),
          compensatedBy('a', 'undo'),
          serviceTask('b'),
        ],
        ['f1: s -> a', 'f2: a -> b'],
      ),
    );
    const instance = host.start('p');
    expect(refused(host, instance, start('undo'))).toEqual([
      'instruction 1 (START_BEFORE_NODE undo): undo can only be reached by compensation',
    ]);
  });

  it('a compensation goes on when one of its handlers is canceled', async () => {
    const undo = (id: string) => [
      serviceTask(`undo${id}`, { type: 'undo', isForCompensation: true }),
      compensatedBy(id, `undo${id}`),
    ];
    const host = await MemoryHost.deploy(
      simpleModel(
        [task('a'), task('b'), undo('a'), undo('b'), throwEvent('back', on.compensation()), endEvent('e')],
        ['f1: s -> a', 'f2: a -> b', 'f3: b -> back', 'f4: back -> e'],
      ),
    );
    const instance = host.start('p');
    expect(host.waiting(instance)).toEqual(['job undob']);
    modify(host, instance, cancel('undob'));
    expect(host.waiting(instance)).toEqual(['job undoa']);
    host.completeJob(instance, 'undoa');
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('gateways', () => {
  const fork = [
    parallelGateway('fork'),
    serviceTask('a'),
    serviceTask('b'),
    parallelGateway('join'),
    serviceTask('after'),
    endEvent('e'),
  ];
  const flows = [
    'f1: s -> fork',
    'f2: fork -> a',
    'f3: fork -> b',
    'f4: a -> join',
    'f5: b -> join',
    'f6: join -> after',
    'f7: after -> e',
  ];

  it('a join that is started before fires, and tokens that wait at it go on waiting', async () => {
    const host = await MemoryHost.deploy(simpleModel([fork], flows));
    const instance = host.start('p');
    host.completeJob(instance, 'a');
    modify(host, instance, start('join'));
    expect(host.waiting(instance)).toEqual(['job b', 'job after']);
    expect(instance.state.arrived).toEqual([{ flow: 'f4', scope: 1 }]);
  });

  it('a token that waits at a join can be canceled, and the join then stands at an incident when nothing else comes', async () => {
    const host = await MemoryHost.deploy(simpleModel([fork], flows));
    const instance = host.start('p');
    host.completeJob(instance, 'a');
    modify(host, instance, cancel('join'));
    expect(instance.state.arrived).toEqual([]);
    host.completeJob(instance, 'b');
    expect(host.incidents(instance)).toMatchObject([{ node: 'join', errorCode: 'JOIN_STARVED' }]);
    modify(host, instance, cancel('join'), start('after'));
    expect(host.incidents(instance)).toEqual([]);
    host.completeJob(instance, 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('a complex gateway that is started before fires, and resets after the tokens that can still come', async () => {
    const complex = [
      parallelGateway('fork'),
      serviceTask('a'),
      serviceTask('b'),
      complexGateway('join', { activationCondition: '=activationCount >= 2' }),
      serviceTask('after'),
      endEvent('e'),
    ];
    const host = await MemoryHost.deploy(simpleModel([complex], flows));
    const instance = host.start('p');
    modify(host, instance, start('join'));
    expect(host.waiting(instance)).toEqual(['job a', 'job b', 'job after']);
    host.completeJob(instance, 'a');
    host.completeJob(instance, 'b');
    expect(host.waiting(instance)).toEqual(['job after']);
    host.completeJob(instance, 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('loops', () => {
  const each = simpleModel(
    [
      subProcess(
        'each',
        [
          multiInstance('=items', { output: '=item', into: 'results' }),
          startEvent('is'),
          serviceTask('x'),
          serviceTask('y'),
        ],
        ['i1: is -> x', 'i2: x -> y'],
      ),
      serviceTask('b'),
    ],
    ['f1: s -> each', 'f2: each -> b'],
  );

  it('are begun anew by a token before them', async () => {
    const host = await MemoryHost.deploy(each);
    const instance = host.start('p', { items: [1, 2] });
    modify(host, instance, start('each'));
    expect(elements(instance, 'each').filter((element) => element.loop)).toHaveLength(2);
    expect(host.waiting(instance)).toEqual(['job x', 'job x', 'job x', 'job x']);
  });

  it('take a token inside one of their instances only', async () => {
    const host = await MemoryHost.deploy(each);
    const instance = host.start('p', { items: [1, 2] });
    const [body, , second] = elements(instance, 'each');
    expect(refused(host, instance, start('y', { scope: body!.id }))[0]).toMatch(/is the loop body of each/);
    modify(host, instance, start('y', { scope: second!.id }), cancel('x', second!.id));
    expect(host.waiting(instance)).toEqual(['job x', 'job y']);
    modify(host, instance, cancel('each'), start('b'));
    expect(host.waiting(instance)).toEqual(['job b']);
    expect(refused(host, instance, start('y'))[0]).toMatch(/no instance of each is active, and it is a loop/);
  });

  it('go on with their other instances when one is canceled', async () => {
    const host = await MemoryHost.deploy(each);
    const instance = host.start('p', { items: [1, 2] });
    const [body, first] = elements(instance, 'each');
    modify(host, instance, cancel('each', body!.id));
    expect(instance.state.elements[first!.id]).toBeUndefined();
    host.completeJob(instance, 'x');
    host.completeJob(instance, 'y');
    expect(host.variables(instance)['results']).toEqual([null, 2]);
    expect(host.waiting(instance)).toEqual(['job b']);
  });

  it('go on with the next item when the last token of a sequential instance is canceled', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [serviceTask('x', { loop: multiInstance('=[1,2]', { sequential: true }) }), serviceTask('b')],
        ['f1: s -> x', 'f2: x -> b'],
      ),
    );
    const instance = host.start('p');
    const [body] = elements(instance, 'x');
    modify(host, instance, cancel('x', body!.id));
    expect(host.waiting(instance)).toEqual(['job x']);
    modify(host, instance, cancel('x', body!.id));
    expect(host.waiting(instance)).toEqual(['job b']);
  });

  it('a standard loop looks at its condition again', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [serviceTask('x', { loop: standardLoop({ maximum: 2 }) }), serviceTask('b')],
        ['f1: s -> x', 'f2: x -> b'],
      ),
    );
    const instance = host.start('p');
    modify(host, instance, cancel('x', elements(instance, 'x')[0]!.id));
    expect(elements(instance, 'x')[1]!.loopCounter).toBe(2);
    modify(host, instance, cancel('x', elements(instance, 'x')[0]!.id));
    expect(host.waiting(instance)).toEqual(['job b']);
  });
});

describe('an ad-hoc sub-process', () => {
  const adHoc = (options: AdHocOptions = {}) =>
    simpleModel(
      [
        adHocSubProcess('work', [serviceTask('a'), serviceTask('b'), serviceTask('c')], ['i1: b -> c'], options),
        serviceTask('after'),
      ],
      ['f1: s -> work', 'f2: work -> after'],
    );

  it('takes tokens before anything inside, and stays when they are canceled', async () => {
    const host = await MemoryHost.deploy(adHoc());
    const instance = host.start('p');
    modify(host, instance, start('c'));
    expect(host.waiting(instance)).toEqual(['job c']);
    modify(host, instance, cancel('c'));
    expect(instance.state.status).toBe('RUNNING');
    host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'work', nodeID: 'a' });
    host.completeJob(instance, 'a');
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('that is begun for a token inside begins nothing else', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          serviceTask('first'),
          adHocSubProcess(
            'work',
            [
              extensions('<zeebe:adHoc activeElementsCollection="=[&#34;a&#34;]"/>'),
              serviceTask('a'),
              serviceTask('b'),
            ],
            [],
          ),
          endEvent('e'),
        ],
        ['f1: s -> first', 'f2: first -> work', 'f3: work -> e'],
      ),
    );
    const instance = host.start('p');
    modify(host, instance, cancel('first'), start('b'));
    expect(host.waiting(instance)).toEqual(['job b']);
    host.completeJob(instance, 'b');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('that is sequential takes one at a time', async () => {
    const host = await MemoryHost.deploy(adHoc({ ordering: 'Sequential' }));
    const instance = host.start('p');
    modify(host, instance, start('a'));
    expect(refused(host, instance, start('b'))[0]).toMatch(/work is sequential, and something inside it is active/);
    modify(host, instance, cancel('a'), start('b'));
    expect(host.waiting(instance)).toEqual(['job b']);
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
