/** Starts that waited: a concurrency key without a value, and commands before the first step. */
import { describe, expect, it } from 'vitest';
import { concurrencyKeyOf } from '@perdure/engine/concurrency-key.js';
import { migrateQueued, setQueuedVariables } from '@perdure/engine/queued-start.js';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { parseFeel } from '@perdure/feel/parse.js';
import { endEvent, on, processModel, receiveTask, root, serviceTask, startEvent } from '@perdure/testkit/models';
import { MemoryHost } from '../../packages/testkit/memory-host.js';

const keyOf = (text: string, variables: object) => {
  const parsed = parseFeel(text);
  if (!parsed.ok) throw new Error('not FEEL');
  return concurrencyKeyOf(parsed.tree, variables as never, 0);
};

const started = (node: string, id = 'work') =>
  processModel('p', [node, serviceTask(id), endEvent('e')], [`a: go -> ${id}`, `b: ${id} -> e`], root.message('order'));
const byMessage = started(startEvent('go', on.message('order')));
const graphOf = async (xml: string) => (await compile(xml)).processes[0]!.graph;

describe('a concurrency key', () => {
  it.each([
    ['customer', { customer: '1' }, 'string 1'],
    ['customer', { customer: 1 }, 'number 1'],
    ['customer', { customer: 1.0 }, 'number 1'],
    ['customer', { customer: true }, 'boolean true'],
    ['customer', { customer: null }, null],
    ['date("2026-01-01")', {}, 'string 2026-01-01'],
  ])('%s of %j is %s', (text, variables, typed) => {
    expect(keyOf(text, variables)).toEqual({ ok: true, typed });
  });

  it.each([
    ['a list', 'customers', { customers: [1] }],
    ['a context', '{a: 1}', {}],
    ['a function', 'function(x) x', {}],
    ['a missing variable', 'customer.id', {}],
    ['endless work', 'count(for i in 1..1000000 return i)', {}],
  ])('is refused as %s', (_what, text, variables) => {
    expect(keyOf(text, variables)).toMatchObject({ ok: false });
  });
});

describe('an instance whose key has no value', () => {
  it('has an incident at its start event, and continues with the variables of the message once it is resolved', async () => {
    const host = await MemoryHost.deploy(byMessage);
    const instance = host.start('p', {}, { startNode: 'go', keyProblem: 'no key', payload: { order: 7 } });
    const [incident] = Object.values(instance.state.incidents);
    expect(incident).toMatchObject({ node: 'go', errorType: 'FeelError', message: 'no key' });
    host.resolve(instance, 'go');
    expect(host.variables(instance)).toEqual({ order: 7 });
    expect(Object.values(instance.state.waits)).toMatchObject([{ kind: 'job', node: 'work' }]);
  });

  it('has it itself if a receive task starts it, and is at the task once', async () => {
    const host = await MemoryHost.deploy(
      started(receiveTask('go', 'order').replace(' id=', ' instantiate="true" id=')),
    );
    const instance = host.start('p', {}, { startNode: 'go', keyProblem: 'no key', payload: { order: 7 } });
    const [incident] = Object.values(instance.state.incidents);
    expect(incident).toMatchObject({ node: 'p', errorType: 'FeelError' });
    host.resolve(instance, 'p');
    expect(Object.values(instance.state.waits)).toMatchObject([{ kind: 'job', node: 'work' }]);
    expect(host.variables(instance)).toEqual({ order: 7 });
  });
});

describe('a queued start', () => {
  it('gets variables, removes those that are null, and gives them precedence over those of the message', async () => {
    const start = { variables: { a: 1, b: 2 }, startNode: 'go', payload: { order: 7, kept: 1 } };
    const changed = setQueuedVariables(await graphOf(byMessage), start, {
      kind: 'SET_VARIABLES',
      variables: { b: null, c: 3, order: 8 },
    });
    expect(changed).toEqual({
      start: { variables: { a: 1, c: 3, order: 8 }, startNode: 'go', payload: { order: 8, kept: 1 } },
    });
  });

  it('refuses more variables than an instance has room for', async () => {
    const changed = setQueuedVariables(
      await graphOf(byMessage),
      { variables: {} },
      {
        kind: 'SET_VARIABLES',
        variables: { big: 'x'.repeat(2 * 1024 * 1024) },
      },
    );
    expect(changed).toMatchObject({ rejected: { status: 'REJECTED', code: 'BAD_REQUEST' } });
  });

  it('moves to another version whose start event is mapped', async () => {
    const other = processModel(
      'p',
      [startEvent('begin', on.message('order')), serviceTask('other'), endEvent('e')],
      ['a: begin -> other', 'b: other -> e'],
      root.message('order'),
    );
    const [source, target] = [await graphOf(byMessage), await graphOf(other)];
    const start = { variables: {}, startNode: 'go' };
    const mappings = [{ source: 'go', target: 'begin' }];
    expect(migrateQueued(source, target, start, { mappings, variables: { v: 1 } }, 0)).toEqual({
      start: { variables: { v: 1 }, startNode: 'begin' },
    });
    expect(migrateQueued(source, target, start, { mappings: [] }, 0)).toMatchObject({
      rejected: { code: 'BAD_REQUEST', issues: [expect.stringContaining('the instance starts at go')] },
    });
  });

  it('does not move to a version that cannot start the same way', async () => {
    const plain = await graphOf(started(startEvent('go')));
    const message = await graphOf(byMessage);
    const into = (source: typeof plain, target: typeof plain, startNode?: string) =>
      migrateQueued(source, target, { variables: {}, ...(startNode && { startNode }) }, { mappings: [] }, 0);
    expect(into(message, plain, 'go')).toMatchObject({
      rejected: { issues: [expect.stringContaining('other triggers')] },
    });
    expect(into(plain, message)).toMatchObject({
      rejected: { issues: [expect.stringContaining('no none start event')] },
    });
    const places = { variables: {}, startAt: [{ nodeID: 'nowhere' }] };
    expect(migrateQueued(plain, message, places, { mappings: [] }, 0)).toMatchObject({
      rejected: { code: 'BAD_REQUEST' },
    });
  });
});
