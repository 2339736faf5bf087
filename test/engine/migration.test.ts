import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../packages/testkit/memory-host.js';
import {
  adHocSubProcess,
  catchEvent,
  compensatedBy,
  complexGateway,
  endEvent,
  eventBasedGateway,
  extensions,
  multiInstance,
  on,
  parallelGateway,
  processModel,
  root,
  scriptTask,
  serviceTask,
  startEvent,
  subProcess,
  task,
  throwEvent,
} from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';
import { between, issues, migrate, oneTask, waits } from './support/migrating.js';

describe('what waits', () => {
  it('a job keeps its number, so that a worker who holds it completes it in the new version', async () => {
    const { host, instance } = await between(
      oneTask(serviceTask('a')),
      simpleModel(
        [serviceTask('a', { type: 'other' }), serviceTask('added'), endEvent('e')],
        ['f1: s -> a', 'f2: a -> added', 'f3: added -> e'],
      ),
    );
    const job = waits(instance)['a']!;
    migrate(host, instance);
    expect(waits(instance)['a']).toEqual(job);
    expect(host.command(instance, { kind: 'COMPLETE_JOB', execution: job.id, variables: { x: 1 } }).status).toBe(
      'APPLIED',
    );
    expect(host.waiting(instance)).toEqual(['job added']);
    host.completeJob(instance, 'added');
    expect(host.variables(instance)).toEqual({ x: 1 });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('an element continues under another id when the plan says so', async () => {
    const { host, instance } = await between(oneTask(serviceTask('a')), oneTask(serviceTask('b'), 'b'));
    expect(issues(host, instance)).toEqual([
      'a token is at a, but the target version has no element with this id; map it to another element',
    ]);
    migrate(host, instance, { a: 'b' });
    expect(host.waiting(instance)).toEqual(['job b']);
    host.completeJob(instance, 'b');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('a user task stays as it is', async () => {
    const { host, instance } = await between(
      oneTask('<bpmn:userTask id="a"/>'),
      oneTask('<bpmn:userTask id="b"/>', 'b'),
    );
    const { id } = waits(instance)['a']!;
    migrate(host, instance, { a: 'b' });
    expect(waits(instance)['b']).toMatchObject({ id, kind: 'userTask' });
  });

  it('a timer keeps its due time', async () => {
    const { host, instance } = await between(
      oneTask(catchEvent('a', on.timer('PT1H'))),
      oneTask(catchEvent('a', on.timer('PT5H'))),
    );
    host.advance(1_800_000);
    migrate(host, instance);
    host.advance(1_800_000);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('a message is waited for as before, though the expression of its correlation is another one', async () => {
    const { host, instance } = await between(
      oneTask(catchEvent('a', on.message('M')), 'a', '', root.message('M', '=key')),
      oneTask(catchEvent('a', on.message('M')), 'a', '', root.message('M', '=other')),
      { key: 1 },
    );
    const wait = waits(instance)['a'];
    migrate(host, instance);
    expect(waits(instance)['a']).toEqual(wait);
    host.publishMessage('M', 1);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('a message of another name is subscribed to again', async () => {
    const { host, instance } = await between(
      oneTask(catchEvent('a', on.message('M')), 'a', '', root.message('M', '=key')),
      oneTask(catchEvent('a', on.message('N')), 'a', '', root.message('N', '=other')),
      { key: 1 },
    );
    expect(issues(host, instance)[0]).toMatch(/a in the target version cannot listen: .*other/);
    migrate(host, instance, {}, { other: 2 });
    expect(waits(instance)['a']).toMatchObject({ name: 'N', correlation: 2 });
    host.publishMessage('N', 2);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('a signal of another name too, and a receive task', async () => {
    const signal = await between(
      oneTask(catchEvent('a', on.signal('M')), 'a', '', root.signal('M')),
      oneTask(catchEvent('a', on.signal('N')), 'a', '', root.signal('N')),
    );
    migrate(signal.host, signal.instance);
    expect(waits(signal.instance)['a']).toMatchObject({ type: 'signal', name: 'N' });
    const receive = (name: string) =>
      oneTask(`<bpmn:receiveTask id="a" messageRef="${name}"/>`, 'a', '', root.message(name));
    const task = await between(receive('M'), receive('N'));
    migrate(task.host, task.instance);
    expect(waits(task.instance)['a']).toMatchObject({ type: 'message', name: 'N' });
  });

  it('a condition is evaluated as the target version has it', async () => {
    const { host, instance } = await between(
      oneTask(catchEvent('a', on.condition('=x > 5'))),
      oneTask(catchEvent('a', on.condition('=x > 1'))),
      { x: 2 },
    );
    migrate(host, instance);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('another kind of event is not an event to continue with', async () => {
    const { host, instance } = await between(
      oneTask(catchEvent('a', on.timer('PT1H'))),
      oneTask(catchEvent('a', on.signal('N')), 'a', '', root.signal('N')),
    );
    expect(issues(host, instance)).toEqual(['a and a in the target version wait for different events']);
  });

  it('a called instance continues and comes back in the new version', async () => {
    const call = (id: string, process: string) =>
      `<bpmn:callActivity id="${id}">${extensions(`<zeebe:calledElement processId="${process}"/>`)}</bpmn:callActivity>`;
    const host = await MemoryHost.deploy(
      processModel('child', [startEvent('s'), serviceTask('inner')], ['f: s -> inner']),
      oneTask(call('a', 'child')),
    );
    const instance = host.start('p');
    const child = host.child(instance, 'a');
    await host.deploy(simpleModel([call('b', 'other'), serviceTask('added')], ['f1: s -> b', 'f2: b -> added']));
    migrate(host, instance, { a: 'b' });
    host.completeJob(child, 'inner', { result: 1 });
    expect(host.waiting(instance)).toEqual(['job added']);
    expect(host.variables(instance)).toEqual({ result: 1 });
  });

  it('an incident stays, and resolving it runs the element of the new version', async () => {
    const { host, instance } = await between(
      oneTask(scriptTask('a', '=1 / 0', 'x')),
      oneTask(scriptTask('b', '=42', 'x'), 'b'),
    );
    migrate(host, instance, { a: 'b' });
    expect(host.incidents(instance)).toMatchObject([{ node: 'b' }]);
    host.resolve(instance, 'b');
    expect(host.variables(instance)).toEqual({ x: 42 });
  });

  it('a decision that is being evaluated needs a decision to continue with, a job needs a job', async () => {
    const rule = (extension: string) =>
      oneTask(`<bpmn:businessRuleTask id="a">${extensions(extension)}</bpmn:businessRuleTask>`);
    const { host, instance } = await between(
      rule('<zeebe:taskDefinition type="rule"/>'),
      rule('<zeebe:calledDecision decisionId="d" resultVariable="r"/>'),
    );
    expect(issues(host, instance)).toEqual(['a waits for its job, but a in the target version has none']);
  });
});

describe('the plan', () => {
  it('is refused with every issue at once', async () => {
    const { host, instance } = await between(oneTask(serviceTask('a')), oneTask(scriptTask('b', '=1', 'x'), 'b'));
    expect(issues(host, instance, { a: 'b', missing: 'b', s: 'nowhere', e: 'b' })).toEqual([
      'a is a serviceTask, but b in the target version is a scriptTask',
      'the process has no element missing to map',
      'the target version has no element nowhere, to which s is mapped',
      'e is an endEvent, but b in the target version is a scriptTask',
    ]);
    const target = host.newestVersion(instance);
    const twice = host.command(instance, {
      kind: 'MIGRATE',
      target,
      mappings: [
        { source: 'e', target: 'e' },
        { source: 'e', target: 'e' },
        { source: 'a', target: 'b' },
      ],
    });
    expect(twice.issues).toContain('e is mapped more than once');
  });

  it('to the version that the instance runs already comes too late', async () => {
    const { host, instance } = await between(oneTask(serviceTask('a')), oneTask(serviceTask('a')));
    migrate(host, instance);
    expect(host.migrate(instance)).toMatchObject({ status: 'REJECTED', code: 'CONFLICT' });
  });

  it('may swap two elements', async () => {
    const both = (first: string, second: string) =>
      simpleModel(
        [parallelGateway('fork'), serviceTask(first), serviceTask(second), endEvent('e1'), endEvent('e2')],
        ['f1: s -> fork', `f2: fork -> ${first}`, `f3: fork -> ${second}`, `f4: ${first} -> e1`, `f5: ${second} -> e2`],
      );
    const { host, instance } = await between(both('a', 'b'), both('b', 'a'));
    const before = waits(instance);
    migrate(host, instance, { a: 'b', b: 'a' });
    expect(waits(instance)['a']!.id).toBe(before['b']!.id);
    expect(waits(instance)['b']!.id).toBe(before['a']!.id);
  });
});

describe('scopes', () => {
  const inSub = (inner: string, id = 'sub') =>
    simpleModel(
      [subProcess(id, [startEvent('is'), inner], ['i1: is -> a']), endEvent('e')],
      [`f1: s -> ${id}`, `f2: ${id} -> e`],
    );

  it('nest as they did', async () => {
    const flat = await between(inSub(serviceTask('a')), oneTask(serviceTask('a')));
    expect(issues(flat.host, flat.instance)).toEqual([
      'a token is at sub, but the target version has no element with this id; map it to another element',
      'a is active inside sub, but a in the target version is not directly inside sub',
    ]);
    const renamed = await between(inSub(serviceTask('a')), inSub(serviceTask('a'), 'other'));
    migrate(renamed.host, renamed.instance, { sub: 'other' });
    renamed.host.completeJob(renamed.instance, 'a');
    expect(renamed.instance.state.status).toBe('COMPLETED');
  });

  it('a multi-instance activity continues with its items, as the same kind of loop', async () => {
    const each = (sequential: boolean, output = '=item') =>
      oneTask(serviceTask('a', { loop: multiInstance('=[1,2,3]', { sequential, output, into: 'results' }) }));
    const kinds = await between(each(false), each(true));
    expect(issues(kinds.host, kinds.instance)).toEqual([
      'a is a parallel multi-instance activity, but a in the target version is a sequential multi-instance activity',
    ]);
    const none = await between(each(true), oneTask(serviceTask('a')));
    expect(issues(none.host, none.instance)).toEqual([
      'a is a sequential multi-instance activity, but a in the target version is not a loop',
    ]);
    const { host, instance } = await between(each(true), each(true, '=item * 10'));
    host.completeJob(instance, 'a');
    migrate(host, instance);
    host.completeJob(instance, 'a');
    host.completeJob(instance, 'a');
    expect(host.variables(instance)['results']).toEqual([1, 20, 30]);
  });
});

describe('gateways', () => {
  const joined = (ways: string[], join = 'join', flow = (way: string) => `to_${way}`) =>
    simpleModel(
      [parallelGateway('fork'), ways.map((way) => serviceTask(way)), parallelGateway(join), endEvent('e')],
      [
        'f1: s -> fork',
        ways.map((way) => [`from_${way}: fork -> ${way}`, `${flow(way)}: ${way} -> ${join}`]),
        `f2: ${join} -> e`,
      ],
    );

  it('keep the tokens that wait at them, along flows of the same id or between the same nodes', async () => {
    const { host, instance } = await between(
      joined(['a', 'b']),
      joined(['a', 'b'], 'other', (way) => `new_${way}`),
    );
    host.completeJob(instance, 'a');
    migrate(host, instance, { join: 'other' });
    expect(instance.state.arrived).toMatchObject([{ flow: 'new_a', scope: 1 }]);
    host.completeJob(instance, 'b');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('wait for what is added, and must not have fewer ways in', async () => {
    const fewer = await between(joined(['a', 'b', 'c']), joined(['a', 'b']));
    fewer.host.completeJob(fewer.instance, 'a');
    expect(issues(fewer.host, fewer.instance)).toEqual(
      expect.arrayContaining([
        'a token waits at join with 3 incoming sequence flows, but join in the target version has only 2',
      ]),
    );
    const more = await between(joined(['a', 'b']), joined(['a', 'b', 'c']));
    more.host.completeJob(more.instance, 'a');
    migrate(more.host, more.instance);
    more.host.completeJob(more.instance, 'b');
    expect(more.host.incidents(more.instance)).toMatchObject([{ node: 'join', errorCode: 'JOIN_STARVED' }]);
  });

  it('a token that waits on a flow nothing stands for is an issue', async () => {
    const { host, instance } = await between(
      joined(['a', 'b']),
      joined(['x', 'b'], 'join', (way) => `new_${way}`),
    );
    host.completeJob(instance, 'a');
    expect(issues(host, instance)).toEqual([
      'a token waits at join on sequence flow to_a, which has no counterpart in the target version: no flow with this id leads to join, and there is not exactly one flow from a to it',
    ]);
  });

  it('based on events wait for the events after them in the target version', async () => {
    const events = (...behind: [string, string][]) =>
      simpleModel(
        [eventBasedGateway('g'), behind.map(([id, definition]) => catchEvent(id, definition)), endEvent('e')],
        ['f1: s -> g', behind.map(([id]) => [`to_${id}: g -> ${id}`, `from_${id}: ${id} -> e`])],
        [root.message('M'), root.message('N')],
      );
    const { host, instance } = await between(
      events(['m', on.message('M')], ['t', on.timer('PT1H')]),
      events(['t', on.timer('PT5H')], ['n', on.message('N')]),
    );
    const timer = waits(instance)['t'];
    migrate(host, instance);
    expect(host.waiting(instance)).toEqual(['timer t', 'subscription n']);
    expect(waits(instance)['t']).toEqual(timer);
    host.publishMessage('N');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('a complex gateway that has started resets in the target version', async () => {
    const complex = (join: string) =>
      simpleModel(
        [
          parallelGateway('fork'),
          serviceTask('a'),
          serviceTask('b'),
          complexGateway(join, { activationCondition: '=activationCount >= 1' }),
          serviceTask('after'),
          endEvent('e'),
        ],
        [
          'f1: s -> fork',
          'f2: fork -> a',
          'f3: fork -> b',
          `f4: a -> ${join}`,
          `f5: b -> ${join}`,
          `f6: ${join} -> after`,
          'f7: after -> e',
        ],
      );
    const { host, instance } = await between(complex('join'), complex('other'));
    host.completeJob(instance, 'a');
    migrate(host, instance, { join: 'other' });
    host.completeJob(instance, 'b');
    expect(host.waiting(instance)).toEqual(['job after']);
    host.completeJob(instance, 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('compensation', () => {
  const undoable = (id: string, undo: string, rest = '') =>
    simpleModel(
      [
        task(id),
        serviceTask(undo, { isForCompensation: true }),
        compensatedBy(id, undo),
        serviceTask('wait'),
        throwEvent('back', on.compensation()),
        endEvent('e'),
        rest,
      ],
      [`f1: s -> ${id}`, `f2: ${id} -> wait`, 'f3: wait -> back', 'f4: back -> e'],
    );

  it('reaches what had completed before, through the handler of the target version', async () => {
    const { host, instance } = await between(undoable('a', 'undo'), undoable('b', 'other'));
    migrate(host, instance, { a: 'b', undo_a: 'undo_b' });
    host.completeJob(instance, 'wait');
    expect(host.waiting(instance)).toEqual(['job other']);
    host.completeJob(instance, 'other');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('must not lose what it can reach', async () => {
    const { host, instance } = await between(
      undoable('a', 'undo'),
      simpleModel([task('a'), serviceTask('wait'), endEvent('e')], ['f1: s -> a', 'f2: a -> wait', 'f3: wait -> e']),
    );
    expect(issues(host, instance)).toEqual([
      'compensation will process undo_a, but the target version has no element with this id; map it to another element',
    ]);
  });

  it('that runs continues', async () => {
    const { host, instance } = await between(undoable('a', 'undo'), undoable('a', 'other'));
    host.completeJob(instance, 'wait');
    migrate(host, instance, { undo: 'other' });
    host.completeJob(instance, 'other');
    expect(instance.state.status).toBe('COMPLETED');
  });
});

it('an ad-hoc sub-process keeps beginning the activities of its collection', async () => {
  const adHoc = (first: string, second: string) =>
    oneTask(
      adHocSubProcess(
        'a',
        [
          extensions('<zeebe:adHoc activeElementsCollection="=[&#34;x&#34;,&#34;y&#34;]"/>'),
          serviceTask(first),
          serviceTask(second),
        ],
        [],
        { ordering: 'Sequential' },
      ),
    );
  const { host, instance } = await between(adHoc('x', 'y'), adHoc('x', 'z'));
  expect(issues(host, instance)[0]).toMatch(
    /an ad-hoc sub-process will start y, but the target version has no element/,
  );
  migrate(host, instance, { y: 'z' });
  host.completeJob(instance, 'x');
  expect(host.waiting(instance)).toEqual(['job z']);
});

it('a held instance is migrated with the tokens that are on their way', async () => {
  const model = (next: string) =>
    simpleModel([serviceTask(next), endEvent('e')], [`f1: s -> ${next}`, `f2: ${next} -> e`]);
  const { host, instance } = await between(model('b'), model('c'), { large: 'x'.repeat(1_100_000) });
  expect(instance.state.moving).toMatchObject([{ flow: 'f1', scope: 1 }]);
  migrate(host, instance, { b: 'c' });
  host.command(instance, { kind: 'SET_VARIABLES', variables: { large: null } });
  host.command(instance, { kind: 'RESOLVE_INCIDENT', incident: host.incidents(instance)[0]!.id });
  expect(host.waiting(instance)).toEqual(['job c']);
});
