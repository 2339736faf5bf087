/** Event sub-processes beyond the conformance cases: what interrupts, what is caught inside, whose variables are whose. */
import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { modelOf } from '@perdure/engine/model/model.js';
import { newState } from '@perdure/engine/state/state.js';
import { step } from '@perdure/engine/step.js';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import {
  adHocSubProcess,
  boundaryEvent,
  endEvent,
  eventSubProcess,
  extensions,
  on,
  parallelGateway,
  processModel,
  root,
  sequenceFlow,
  serviceTask,
  startEvent,
  subProcess,
  throwEvent,
  type Xml,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

const BESIDE = { interrupting: false };
const output = (source: string, target: string) =>
  `<zeebe:ioMapping><zeebe:output source="${source}" target="${target}"/></zeebe:ioMapping>`;

describe('an error event sub-process', () => {
  it('interrupts its scope even where its graph says otherwise, because what failed cannot continue', async () => {
    const model = simpleModel(
      [
        subProcess('sub', [startEvent('is'), endEvent('ee', on.error('broken'))], ['i: is -> ee']),
        endEvent('e'),
        eventSubProcess('handler', [startEvent('caught', on.error('broken')), endEvent('he')], ['h: caught -> he']),
      ],
      ['a: s -> sub', 'b: sub -> e'],
      root.error('broken'),
    );
    const { processes } = await compile(model);
    const text = JSON.stringify(processes[0]!.graph);
    const graph = JSON.parse(text.replace('"interrupting":true', '"interrupting":false')) as never;
    expect(JSON.stringify(graph)).not.toBe(text);
    const state = newState('i');
    step(modelOf(graph), state, { start: { variables: {} }, commands: [], now: 0 });
    expect(state.status).toBe('COMPLETED');
  });
});

describe('a non-interrupting escalation event sub-process', () => {
  const ROOTS = root.escalation('late');
  const rethrows = (id: string) =>
    eventSubProcess(
      id,
      [startEvent(`${id}_start`, on.escalation('late'), BESIDE), endEvent(`${id}_end`, on.escalation('late'))],
      [`${id}_f: ${id}_start -> ${id}_end`],
    );
  const thrower = [startEvent('is'), throwEvent('throw', on.escalation('late')), endEvent('ie')];
  const flows = ['i1: is -> throw', 'i2: throw -> ie'];

  it('hands its own escalations to the enclosing scope', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          subProcess('sub', [thrower, rethrows('handler')], flows),
          boundaryEvent('outer', 'sub', on.escalation('late')),
          endEvent('e'),
          endEvent('f'),
        ],
        ['a: s -> sub', 'b: sub -> e', 'c: outer -> f'],
        ROOTS,
      ),
    );
    const instance = host.start('p');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance)).toContain('f');
    expect(host.facts(instance).filter(({ kind }) => kind === 'ESCALATION_THROWN')).toHaveLength(2);
  });

  it('hands it to the calling instance', async () => {
    const child = processModel('c', [thrower, rethrows('handler')], flows, ROOTS);
    const caller = simpleModel(
      [
        '<bpmn:callActivity id="call" calledElement="c"/>',
        boundaryEvent('outer', 'call', on.escalation('late'), { interrupting: false }),
        endEvent('e'),
        endEvent('f'),
      ],
      ['a: s -> call', 'b: call -> e', 'c: outer -> f'],
      ROOTS,
    );
    const host = await MemoryHost.deploy(child, caller);
    const instance = host.start('p');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance)).toContain('f');
  });

  it('is caught by a sibling', async () => {
    const sibling = eventSubProcess(
      'sibling',
      [startEvent('any', on.escalation(), BESIDE), endEvent('seen')],
      ['x: any -> seen'],
    );
    const host = await MemoryHost.deploy(processModel('p', [thrower, rethrows('handler'), sibling], flows, ROOTS));
    const instance = host.start('p');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance).filter((node) => node === 'seen' || node === 'handler_end')).toEqual([
      'handler_end',
      'seen',
    ]);
  });
});

describe('the variables of the event of an event sub-process', () => {
  const paying = (mapping = '') =>
    simpleModel(
      [
        serviceTask('work'),
        endEvent('e'),
        eventSubProcess(
          'handler',
          [
            startEvent('called', [extensions(mapping), on.message('call')], BESIDE),
            serviceTask('check'),
            serviceTask('pay'),
            endEvent('he'),
          ],
          ['h1: called -> check', 'h2: check -> pay', 'h3: pay -> he'],
        ),
      ],
      ['a: s -> work', 'b: work -> e'],
      root.message('call'),
    );
  const seenBy = (host: MemoryHost, instance: MemoryInstance, node: string) =>
    host
      .facts(instance)
      .flatMap((fact) => (fact.kind === 'JOB_CREATED' && fact.node === node ? [fact.localVariables] : []));

  it('belong to that event sub-process, so that two of them do not overwrite each other', async () => {
    const host = await MemoryHost.deploy(paying());
    const instance = host.start('p');
    host.publishMessage('call', undefined, { amount: 10 });
    host.publishMessage('call', undefined, { amount: 99 });
    host.completeJob(instance, 'check');
    host.completeJob(instance, 'check');
    expect(seenBy(host, instance, 'pay')).toEqual([{ amount: 10 }, { amount: 99 }]);
    expect(host.variables(instance)).toEqual({});
  });

  it('stay there with an output mapping of the start event too', async () => {
    const host = await MemoryHost.deploy(paying(output('=amount * 2', 'total')));
    const instance = host.start('p', { total: 0 });
    host.publishMessage('call', undefined, { amount: 10 });
    expect(seenBy(host, instance, 'check')).toEqual([{ total: 20 }]);
    expect(host.variables(instance)).toEqual({ total: 0 });
  });

  it('are those of the error that began it', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          serviceTask('work'),
          endEvent('e'),
          eventSubProcess(
            'handler',
            [startEvent('caught', on.error('broken')), serviceTask('repair'), endEvent('he')],
            ['h1: caught -> repair', 'h2: repair -> he'],
          ),
        ],
        ['a: s -> work', 'b: work -> e'],
        root.error('broken'),
      ),
    );
    const instance = host.start('p');
    host.throwJobError(instance, 'work', 'broken', { why: 'wet' });
    expect(seenBy(host, instance, 'repair')).toEqual([{ why: 'wet' }]);
    expect(host.variables(instance)).toEqual({});
  });
});

describe('an event with several definitions that cannot wait for them once more', () => {
  const ALL = { parallelMultiple: true };
  const ROOTS = [root.signal('go'), '<bpmn:signal id="named" name="=name"/>'];
  const both = [on.signal('go'), on.signal('named')];

  it('has its own incident while its scope continues, and waits again on resolution', async () => {
    const handler = eventSubProcess(
      'handler',
      [startEvent('event', both, { ...ALL, ...BESIDE }), serviceTask('note'), endEvent('he')],
      ['h1: event -> note', 'h2: note -> he'],
    );
    const host = await MemoryHost.deploy(
      simpleModel([serviceTask('work'), endEvent('e'), handler], ['a: s -> work', 'b: work -> e'], ROOTS),
    );
    const instance = host.start('p', { name: 'x' });
    host.command(instance, { kind: 'SET_VARIABLES', variables: { name: 1 } });
    host.throwSignal('go', {}, 0);
    host.throwSignal('x', {}, 0);
    expect(host.waiting(instance)).toEqual(['job work', 'job note']);
    expect(host.incidents(instance)).toMatchObject([{ node: 'event', errorType: 'FeelError' }]);
    host.resolve(instance, 'event');
    expect(host.incidents(instance)).toMatchObject([
      { node: 'event', errorType: 'FeelError', previous: expect.any(Number) },
    ]);
    host.resolve(instance, 'event', { name: 'y' });
    expect(host.waiting(instance).toSorted()).toEqual([
      'job note',
      'job work',
      'subscription event',
      'subscription event',
    ]);
    host.throwSignal('go', {}, 0);
    host.throwSignal('y', {}, 0);
    expect(host.waiting(instance).filter((wait) => wait === 'job note')).toHaveLength(2);
    expect(host.waiting(instance).filter((wait) => wait === 'job work')).toHaveLength(1);
  });

  it('does not touch the job of the activity that it is attached to', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          serviceTask('work'),
          boundaryEvent('event', 'work', both, { ...ALL, interrupting: false }),
          endEvent('e'),
          endEvent('f'),
        ],
        ['a: s -> work', 'b: work -> e', 'c: event -> f'],
        ROOTS,
      ),
    );
    const instance = host.start('p', { name: 'x' });
    const job = host.wait(instance, 'job', 'work').id;
    host.command(instance, { kind: 'SET_VARIABLES', variables: { name: 1 } });
    host.throwSignal('go', {}, 0);
    host.throwSignal('x', {}, 0);
    host.resolve(instance, 'event', { name: 'y' });
    expect(host.wait(instance, 'job', 'work').id).toBe(job);
    expect(host.waiting(instance)).toEqual(['job work', 'subscription event', 'subscription event']);
    host.completeJob(instance, 'work');
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('conditions of an event that needs all of them and does not interrupt', () => {
  it('have to become false before they count again', async () => {
    const both = boundaryEvent('event', 'work', [on.condition('=go'), on.condition('=ready')], {
      parallelMultiple: true,
      interrupting: false,
    });
    const host = await MemoryHost.deploy(
      simpleModel(
        [serviceTask('work'), both, endEvent('e'), endEvent('f')],
        ['a: s -> work', 'b: work -> e', 'c: event -> f'],
      ),
    );
    const instance = host.start('p', { go: false, ready: true });
    const happened = () => host.completed(instance).filter((node) => node === 'f').length;
    const set = (variables: { go?: boolean; ready?: boolean }) =>
      host.command(instance, { kind: 'SET_VARIABLES', variables });
    set({ go: true });
    expect(happened()).toBe(1);
    set({ go: false });
    set({ go: true });
    expect(happened()).toBe(1);
    set({ ready: false });
    set({ ready: true });
    expect(happened()).toBe(2);
  });
});

describe('an interruption of a scope', () => {
  const handler = eventSubProcess(
    'handler',
    [startEvent('stopped', on.signal('stop')), serviceTask('clean'), endEvent('he')],
    ['h1: stopped -> clean', 'h2: clean -> he'],
  );
  const STOP = root.signal('stop');

  it('ends a complex gateway that has started: it does not reset, and sends no token out', async () => {
    const body = [
      parallelGateway('fork'),
      serviceTask('one'),
      serviceTask('two'),
      '<bpmn:complexGateway id="join"><bpmn:activationCondition>activationCount >= 1</bpmn:activationCondition></bpmn:complexGateway>',
      serviceTask('after'),
      endEvent('e'),
    ];
    const host = await MemoryHost.deploy(
      simpleModel(
        [body, handler],
        [
          'a: s -> fork',
          'b: fork -> one',
          'c: fork -> two',
          'd: one -> join',
          'e1: two -> join',
          'f: join -> after =waitingForStart or true',
          'g: after -> e',
        ],
        STOP,
      ),
    );
    const instance = host.start('p');
    host.completeJob(instance, 'one');
    host.throwSignal('stop');
    expect(host.waiting(instance)).toEqual(['job clean']);
    host.completeJob(instance, 'clean');
    expect(instance.state.status).toBe('COMPLETED');
  });

  const adHoc = (more: Xml, condition = 'done') =>
    simpleModel(
      [
        adHocSubProcess('adhoc', [serviceTask('first'), serviceTask('second'), more], [], {
          ordering: 'Sequential',
          activeElements: '=["first", "second"]',
          until: `=${condition}`,
        }),
        endEvent('e'),
      ],
      ['a: s -> adhoc', 'b: adhoc -> e'],
      STOP,
    );

  it('ends an ad-hoc sub-process with the activities that it has not begun', async () => {
    const host = await MemoryHost.deploy(adHoc(handler));
    const instance = host.start('p', { done: false });
    host.throwSignal('stop');
    expect(host.waiting(instance)).toEqual(['job clean']);
    expect(host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'adhoc', nodeID: 'second' })).toMatchObject({
      status: 'REJECTED',
      code: 'CONFLICT',
    });
    host.completeJob(instance, 'clean');
    expect(host.completed(instance)).not.toContain('second');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('ends an ad-hoc sub-process whose handler is canceled by a modification', async () => {
    const host = await MemoryHost.deploy(adHoc(handler));
    const instance = host.start('p', { done: false });
    host.throwSignal('stop');
    host.command(instance, { kind: 'MODIFY', instructions: [{ type: 'CANCEL_TOKEN', nodeID: 'handler' }] });
    expect(instance.state.status).toBe('CANCELED');
  });

  it('ends an ad-hoc sub-process by a terminate end event', async () => {
    const inner = [endEvent('over', on.terminate), sequenceFlow('t', 'first', 'over')];
    const host = await MemoryHost.deploy(adHoc(inner));
    const instance = host.start('p', { done: false });
    host.completeJob(instance, 'first');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.completed(instance)).not.toContain('second');
  });
});
