import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import { compile } from '@perdure/bpmn/compile/compile.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import {
  boundaryEvent,
  businessRuleTask,
  callActivity,
  catchEvent,
  endEvent,
  eventSubProcess,
  multiInstance,
  on,
  parallelGateway,
  processModel,
  receiveTask,
  root,
  scriptTask,
  serviceTask,
  startEvent,
  subProcess,
  userTask,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

const PRICE = { outputs: { 'result.price': '=found' } };
const KEPT = { result: { id: 7, price: 100 } };

const mapping = (lines: readonly (readonly [source: string, target: string])[], kind = 'output') =>
  `<zeebe:ioMapping>${lines.map(([source, target]) => `<zeebe:${kind} source="${source}" target="${target}"/>`).join('')}</zeebe:ioMapping>`;

/** Completes a job with `given`, whose outputs are `lines`, in an instance with the variables `present`. */
async function mapped(
  lines: readonly (readonly [source: string, target: string])[],
  present: Variables,
  given: Variables = {},
): Promise<Variables> {
  const work = serviceTask('work', { extensions: mapping(lines) });
  const host = await MemoryHost.deploy(simpleModel([work, endEvent('e')], ['a: s -> work', 'b: work -> e']));
  const instance = host.start('p', present);
  host.completeJob(instance, 'work', given);
  expect(instance.state.status, JSON.stringify(host.incidents(instance))).toBe('COMPLETED');
  return host.variables(instance);
}

it('an input mapping without a source sets its variable to null', async () => {
  const work = serviceTask('work', {
    extensions:
      '<zeebe:ioMapping><zeebe:input target="note"/><zeebe:output source="=note = null" target="empty"/></zeebe:ioMapping>',
  });
  const host = await MemoryHost.deploy(simpleModel([work, endEvent('e')], ['a: s -> work', 'b: work -> e']));
  const instance = host.start('p', { note: 'outside' });
  host.completeJob(instance, 'work', {});
  expect(host.variables(instance)).toEqual({ note: 'outside', empty: true });
});

describe('an output mapping to a member keeps the other members of the variable', () => {
  const found = { found: 100 };
  const afterwards = async (activity: string, act: (host: MemoryHost) => Variables, roots: string[] = []) => {
    const host = await MemoryHost.deploy(
      simpleModel([activity, endEvent('e')], ['a: s -> work', 'b: work -> e'], roots),
      processModel('called', [startEvent('cs'), endEvent('ce')], ['c: cs -> ce']),
    );
    return act(host);
  };
  const start = (host: MemoryHost) => host.start('p', { result: { id: 7 }, ...found });

  it('of a job', async () => {
    const given = await afterwards(serviceTask('work', PRICE), (host) => {
      const instance = host.start('p', { result: { id: 7 } });
      host.completeJob(instance, 'work', found);
      return host.variables(instance);
    });
    expect(given).toEqual(KEPT);
  });

  it('of a user task', async () => {
    const given = await afterwards(userTask('work', PRICE), (host) => {
      const instance = host.start('p', { result: { id: 7 } });
      host.completeTask(instance, 'work', found);
      return host.variables(instance);
    });
    expect(given).toEqual(KEPT);
  });

  it('of a script, of a decision, of a sub-process, and of a call activity', async () => {
    const inner = subProcess('work', [startEvent('is'), endEvent('ie')], ['i: is -> ie'], PRICE);
    const activities = [
      scriptTask('work', '=found', 'found', PRICE),
      businessRuleTask('work', 'fee', 'found', PRICE),
      inner,
      callActivity('work', 'called', PRICE),
    ];
    for (const activity of activities) {
      const given = await afterwards(activity, (host) => {
        host.decisions.set('fee', () => 100);
        return host.variables(start(host));
      });
      expect(given, activity).toMatchObject(KEPT);
    }
  });

  it.each([
    ['a message event', catchEvent('work', on.message('paid'), PRICE)],
    ['a receive task', receiveTask('work', 'paid', PRICE)],
  ])('of %s', async (_, activity) => {
    const given = await afterwards(
      activity,
      (host) => {
        const instance = host.start('p', { result: { id: 7 } });
        host.publishMessage('paid', 'k', found);
        return host.variables(instance);
      },
      [root.message('paid', '="k"')],
    );
    expect(given).toMatchObject(KEPT);
  });

  it('of a signal on the boundary', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [serviceTask('work'), boundaryEvent('heard', 'work', on.signal('alarm'), PRICE), endEvent('e')],
        ['a: s -> work', 'b: work -> e', 'c: heard -> e'],
        [root.signal('alarm')],
      ),
    );
    const instance = host.start('p', { result: { id: 7 } });
    host.throwSignal('alarm', found);
    expect(host.variables(instance)).toEqual(KEPT);
  });

  it('of the start event of an event sub-process, which gets a copy', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          serviceTask('work'),
          eventSubProcess(
            'esp',
            [startEvent('heard', on.signal('alarm'), PRICE), serviceTask('inside'), endEvent('ie')],
            ['i: heard -> inside', 'j: inside -> ie'],
          ),
          endEvent('e'),
        ],
        ['a: s -> work', 'b: work -> e'],
        [root.signal('alarm')],
      ),
    );
    const instance = host.start('p', { result: { id: 7 } });
    host.throwSignal('alarm', found);
    expect(host.facts(instance)).toContainEqual(
      expect.objectContaining({ kind: 'JOB_CREATED', node: 'inside', localVariables: KEPT }),
    );
    expect(host.variables(instance)).toEqual({ result: { id: 7 } });
  });

  it('of the parallel instances of a multi-instance activity', async () => {
    const inner = subProcess(
      'work',
      [startEvent('is'), serviceTask('job'), endEvent('ie')],
      ['i: is -> job', 'j: job -> ie'],
      {
        loop: multiInstance('=["price", "amount"]'),
        outputs: {
          'result.price': '=if item = "price" then 1 else result.price',
          'result.amount': '=if item = "amount" then 2 else result.amount',
        },
      },
    );
    const host = await MemoryHost.deploy(simpleModel([inner, endEvent('e')], ['a: s -> work', 'b: work -> e']));
    const instance = host.start('p', { result: { id: 7, price: 0, amount: 0 } });
    for (const wait of Object.values(instance.state.waits))
      host.command(instance, { kind: 'COMPLETE_JOB', execution: wait.id });
    expect(host.variables(instance)).toEqual({ result: { id: 7, price: 1, amount: 2 } });
  });

  it('in concurrent branches, which both keep what the other has set in the meantime', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          parallelGateway('fork'),
          serviceTask('one', { inputs: { result: '=result' }, outputs: { 'result.one': '=1' } }),
          serviceTask('two', { inputs: { result: '=result' }, outputs: { 'result.two': '=2' } }),
          parallelGateway('join'),
          endEvent('e'),
        ],
        ['a: s -> fork', 'b: fork -> one', 'c: fork -> two', 'd: one -> join', 'f: two -> join', 'g: join -> e'],
      ),
    );
    const instance = host.start('p', { result: { id: 7 } });
    host.completeJob(instance, 'one');
    host.completeJob(instance, 'two');
    expect(host.variables(instance)).toEqual({ result: { id: 7, one: 1, two: 2 } });
  });

  it('in the nearest scope that has the variable', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          subProcess(
            'sub',
            [startEvent('is'), serviceTask('work', PRICE), serviceTask('then'), endEvent('ie')],
            ['i: is -> work', 'j: work -> then', 'k: then -> ie'],
            {
              inputs: { result: '={inner: true}' },
            },
          ),
          endEvent('e'),
        ],
        ['a: s -> sub', 'b: sub -> e'],
      ),
    );
    const instance = host.start('p', { result: { id: 7 } });
    host.completeJob(instance, 'work', { found: 100 });
    const { scope } = instance.state.elements[host.wait(instance, 'job', 'then').element]!;
    expect(instance.state.elements[scope]!.variables).toEqual({ result: { inner: true, price: 100 } });
    expect(host.variables(instance)).toEqual({ result: { id: 7 } });
  });
});

describe('an output mapping to a member', () => {
  it('keeps members at every depth', async () => {
    expect(
      await mapped(
        [
          ['=1', 'a.b.c'],
          ['=2', 'a.e'],
        ],
        { a: { b: { d: 3 }, f: 4 } },
      ),
    ).toEqual({
      a: { b: { c: 1, d: 3 }, e: 2, f: 4 },
    });
  });

  it.each([[null], ['text'], [5], [[1, 2]]])('replaces %j, which has no members', async (present) => {
    expect(await mapped([['=1', 'a.b']], { a: present })).toEqual({ a: { b: 1 } });
    expect(await mapped([['=1', 'a.b.c']], { a: { b: present, d: 2 } })).toEqual({ a: { b: { c: 1 }, d: 2 } });
  });

  it('after one to the whole variable adds to the new value', async () => {
    expect(
      await mapped(
        [
          ['={c: 1}', 'a'],
          ['=2', 'a.b'],
        ],
        { a: { old: true } },
      ),
    ).toEqual({ a: { c: 1, b: 2 } });
    expect(
      await mapped(
        [
          ['=2', 'a.b'],
          ['={c: 1}', 'a'],
        ],
        { a: { old: true } },
      ),
    ).toEqual({ a: { c: 1 } });
  });

  it('lets out no member of a local variable that is not mapped', async () => {
    const given = { a: { b: 1, secret: 2 } };
    expect(await mapped([['=a.b', 'a.b']], { a: { old: true } }, given)).toEqual({ a: { old: true, b: 1 } });
  });

  it('reads the members of a local variable of the same name one after another', async () => {
    const given = { a: { b: 1, c: 2 } };
    expect(
      await mapped(
        [
          ['=a.b', 'a.b'],
          ['=a.c', 'a.c'],
        ],
        { a: { c: 0, d: 3 } },
        given,
      ),
    ).toEqual({
      a: { b: 1, c: 2, d: 3 },
    });
  });

  it('is seen by the mappings after it', async () => {
    expect(
      await mapped(
        [
          ['=1', 'a.b'],
          ['=a.b + a.c', 'sum'],
          ['=sum', 'a.sum'],
        ],
        { a: { c: 2 } },
      ),
    ).toEqual({
      a: { b: 1, c: 2, sum: 3 },
      sum: 3,
    });
  });

  it('keeps members with the names of object prototypes', async () => {
    const present = { a: { constructor: 1, toString: 2 } };
    expect(await mapped([['=3', 'a.hasOwnProperty']], present)).toEqual({
      a: { constructor: 1, toString: 2, hasOwnProperty: 3 },
    });
  });

  it('becomes an incident if the variable would be too large, and changes nothing', async () => {
    const half = 'x'.repeat(600 * 1024);
    const work = serviceTask('work', { outputs: { 'a.b': '=text' } });
    const host = await MemoryHost.deploy(simpleModel([work, endEvent('e')], ['a: s -> work', 'b: work -> e']));
    const instance = host.start('p', { a: { old: half } });
    host.completeJob(instance, 'work', { text: 'y'.repeat(500 * 1024) });
    expect(host.incidents(instance)).toMatchObject([{ errorType: 'SnapshotSizeExceeded' }]);
    expect(host.variables(instance)).toEqual({ a: { old: half } });
  });

  it('becomes an incident if thousands of them copy a variable with thousands of members', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => [`=${index}`, `a.n${index}`] as const);
    const work = serviceTask('work', { extensions: mapping(lines) });
    const host = await MemoryHost.deploy(simpleModel([work, endEvent('e')], ['a: s -> work', 'b: work -> e']));
    const members = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`m${index}`, 1]));
    const instance = host.start('p', { a: members });
    host.completeJob(instance, 'work');
    expect(host.incidents(instance)).toMatchObject([{ errorType: 'FeelError', errorCode: 'BUDGET' }]);
  });

  it('is refused if its target has more names than a variable can be deep', async () => {
    const target = Array.from({ length: 51 }, () => 'a').join('.');
    const work = serviceTask('work', { extensions: mapping([['=1', target]]) });
    const { problems } = await compile(simpleModel([work, endEvent('e')], ['a: s -> work', 'b: work -> e']));
    expect(problems.map(({ message }) => message)).toContain(
      'The target of an output mapping may have 50 names at most, but has 51',
    );
  });
});

describe('an input mapping to a member', () => {
  const localsOf = async (lines: readonly (readonly [source: string, target: string])[], present: Variables) => {
    const work = serviceTask('work', { extensions: mapping(lines, 'input') });
    const host = await MemoryHost.deploy(simpleModel([work, endEvent('e')], ['a: s -> work', 'b: work -> e']));
    const instance = host.start('p', present);
    expect(host.incidents(instance)).toEqual([]);
    expect(host.variables(instance)).toEqual(present);
    return instance.state.elements[host.wait(instance, 'job', 'work').element]!.variables;
  };

  it('makes a local variable of the mapped members only', async () => {
    expect(
      await localsOf(
        [
          ['=1', 'a.b'],
          ['=2', 'a.c'],
        ],
        { a: { old: true } },
      ),
    ).toEqual({ a: { b: 1, c: 2 } });
  });

  it('reads members of the outer variable of the same name one after another', async () => {
    expect(
      await localsOf(
        [
          ['=a.b', 'a.b'],
          ['=a.c', 'a.c'],
        ],
        { a: { b: 1, c: 2, d: 3 } },
      ),
    ).toEqual({
      a: { b: 1, c: 2 },
    });
  });

  it('is seen by the mappings to other variables as the local variable that it makes', async () => {
    expect(
      await localsOf(
        [
          ['=1', 'a.b'],
          ['=a', 'c'],
          ['=a.old', 'a.d'],
        ],
        { a: { old: 2 } },
      ),
    ).toEqual({
      a: { b: 1, d: 2 },
      c: { b: 1 },
    });
  });
});
