import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../packages/testkit/memory-host.js';
import {
  adHocSubProcess,
  boundaryEvent,
  catchEvent,
  compensatedBy,
  complexGateway,
  endEvent,
  eventBasedGateway,
  eventSubProcess,
  extensions,
  multiInstance,
  on,
  parallelGateway,
  root,
  serviceTask,
  standardLoop,
  startEvent,
  subProcess,
  task,
  throwEvent,
  type AdHocOptions,
} from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';
import { cancel, elements, modify, refused, start } from './support/modifying.js';

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

  it('an event sub-process that is started runs next to the rest and interrupts nothing', async () => {
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

  it('a compensation continues when one of its handlers is canceled', async () => {
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

  it('a join that is started before fires, and tokens that wait at it keep waiting', async () => {
    const host = await MemoryHost.deploy(simpleModel([fork], flows));
    const instance = host.start('p');
    host.completeJob(instance, 'a');
    modify(host, instance, start('join'));
    expect(host.waiting(instance)).toEqual(['job b', 'job after']);
    expect(instance.state.arrived).toMatchObject([{ flow: 'f4', scope: 1 }]);
  });

  it('a token that waits at a join can be canceled, and the join then has an incident if no other token can come', async () => {
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

  it('are begun again by a token before them', async () => {
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

  it('continue with their other instances when one is canceled', async () => {
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

  it('continue with the next item when the last token of a sequential instance is canceled', async () => {
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
