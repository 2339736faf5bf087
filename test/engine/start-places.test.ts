/** Starting at given nodes instead of at a start event. */
import { describe, expect, it } from 'vitest';
import { modelOf } from '@perdure/engine/model/model.js';
import { issuesOfStart } from '@perdure/engine/start-issues.js';
import { compile } from '@perdure/bpmn/compile/compile.js';
import {
  boundaryEvent,
  endEvent,
  multiInstance,
  on,
  processModel,
  root,
  serviceTask,
  startEvent,
  subProcess,
} from '@perdure/testkit/models';
import { MemoryHost, type MemoryInstance } from '../../packages/testkit/memory-host.js';
import { simpleModel } from '../support/models.js';

const twoSteps = simpleModel(
  [serviceTask('first'), serviceTask('second'), endEvent('e')],
  ['a: s -> first', 'b: first -> second', 'c: second -> e'],
);
const inner = subProcess(
  'inner',
  [startEvent('is'), serviceTask('work'), endEvent('ie')],
  ['ia: is -> work', 'ib: work -> ie'],
  { extensions: '<zeebe:ioMapping><zeebe:input source="=order.total" target="amount"/></zeebe:ioMapping>' },
);
const nested = simpleModel([inner, endEvent('e')], ['a: s -> inner', 'b: inner -> e']);
const onlyByMessage = processModel(
  'p',
  [startEvent('go', on.message('order')), serviceTask('work'), endEvent('e')],
  ['a: go -> work', 'b: work -> e'],
  root.message('order'),
);

/** Nodes that wait for a job, in the order of their activation. */
const jobs = ({ state }: MemoryInstance) =>
  Object.values(state.waits).flatMap(({ kind, node }) => (kind === 'job' ? [node] : []));

async function issues(xml: string, startAt: { nodeID: string; variables?: object }[], variables = {}) {
  const { graph } = (await compile(xml)).processes[0]!;
  return issuesOfStart(modelOf(graph), { variables, startAt: startAt as never }, 0);
}

describe('an instance that starts at given nodes', () => {
  it('skips what precedes them, and sees its variables and those of the node', async () => {
    const host = await MemoryHost.deploy(twoSteps);
    const instance = host.start('p', { x: 1 }, { startAt: [{ nodeID: 'second', variables: { y: 2 } }] });
    expect(jobs(instance)).toEqual(['second']);
    expect(host.variables(instance)).toEqual({ x: 1 });
    host.completeJob(instance, 'second');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('begins the scopes around them, with their input mappings', async () => {
    const host = await MemoryHost.deploy(nested);
    const instance = host.start('p', { order: { total: 7 } }, { startAt: [{ nodeID: 'work' }] });
    expect(jobs(instance)).toEqual(['work']);
    expect(Object.values(instance.state.elements).map(({ node }) => node)).toEqual(['p', 'inner', 'work']);
    host.completeJob(instance, 'work');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('has a token at each of them, also twice at one', async () => {
    const host = await MemoryHost.deploy(twoSteps);
    const startAt = [{ nodeID: 'first' }, { nodeID: 'second' }, { nodeID: 'second' }];
    const instance = host.start('p', {}, { startAt });
    expect(jobs(instance)).toEqual(['first', 'second', 'second']);
  });

  it('needs no none start event', async () => {
    const host = await MemoryHost.deploy(onlyByMessage);
    const instance = host.start('p', {}, { startAt: [{ nodeID: 'work' }] });
    host.completeJob(instance, 'work');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('waits at an incident of the process when a scope cannot begin, and starts at the same nodes afterward', async () => {
    const host = await MemoryHost.deploy(nested);
    const instance = host.start('p', {}, { startAt: [{ nodeID: 'work' }] });
    expect(host.incidents(instance)).toMatchObject([{ node: 'p', errorCode: 'NO_START' }]);
    expect(Object.keys(instance.state.elements)).toEqual(['1']);
    expect(host.resolve(instance, 'p', { order: { total: 1 } }).status).toBe('APPLIED');
    expect(jobs(instance)).toEqual(['work']);
  });
});

describe('the validation of such a start', () => {
  it('finds nothing wrong where the instance can start', async () => {
    expect(await issues(twoSteps, [{ nodeID: 'second' }])).toEqual([]);
    expect(await issues(nested, [{ nodeID: 'work' }], { order: { total: 1 } })).toEqual([]);
  });

  it('lists every reason at once', async () => {
    expect(await issues(nested, [{ nodeID: 'nowhere' }, { nodeID: 'p' }, { nodeID: 'work' }])).toEqual([
      'startAt 1 (nowhere): the process has no node nowhere',
      'startAt 2 (p): the process itself cannot be started again in the same instance',
      expect.stringMatching(/^startAt 3 \(work\): inner cannot be started: /),
    ]);
  });

  it('refuses nodes that no token can reach from outside', async () => {
    const guarded = simpleModel(
      [
        serviceTask('work', { loop: multiInstance('=[1, 2]') }),
        boundaryEvent('late', 'work', on.timer('PT1H')),
        endEvent('e'),
      ],
      ['a: s -> work', 'b: work -> e', 'c: late -> e'],
    );
    expect(await issues(guarded, [{ nodeID: 'late' }])).toEqual([
      'startAt 1 (late): boundary event late can only occur at its activity work',
    ]);
    expect(await issues(guarded, [{ nodeID: 'work' }])).toEqual([]);
  });
});
