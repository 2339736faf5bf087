/** Scenarios of a file that is being edited: where they fail, what they reach, and what they need. */
import { describe, expect, it } from 'vitest';
import {
  callActivity,
  endEvent,
  exclusiveGateway,
  on,
  catchEvent,
  processModel,
  sequenceModel,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';
import type { ScenarioFile } from '../../packages/testkit/scenario/bundle.js';
import type { Scenario } from '../../packages/testkit/scenario/scenario.js';
import { ScenarioSuite } from '../../packages/testkit/scenario/suite.js';

const order: ScenarioFile = {
  name: 'order.bpmn',
  text: processModel(
    'order',
    [
      startEvent('start'),
      exclusiveGateway('large', { default: 'small' }),
      userTask('approve'),
      callActivity('ship', 'shipping'),
      catchEvent('later', on.timer('P1D')),
      endEvent('done'),
    ],
    ['start -> large', 'large -> approve =amount > 100', 'small: large -> ship', 'approve -> ship -> later -> done'],
  ),
};
const shipping: ScenarioFile = { name: 'shipping.bpmn', text: sequenceModel('shipping', [serviceTask('pack')]) };

async function run(given: Partial<Scenario>, files: readonly ScenarioFile[] = [order, shipping]) {
  const scenario = { name: 'a test', process: 'order', start: { variables: { amount: 200 } }, steps: [], ...given };
  return (await ScenarioSuite.open(files)).run(JSON.stringify(scenario), 'a.scenario.json');
}

describe('a scenario that fails', () => {
  it('failed at the element of its step', async () => {
    const { failure } = await run({
      start: { variables: { amount: 5 } },
      steps: [{ completeTask: { node: 'approve' } }],
    });
    expect(failure).toMatchObject({ at: 'steps[0].completeTask', nodes: ['approve'] });
  });

  it('failed at the call activity, if the element is in a called process', async () => {
    const { failure } = await run({
      start: { variables: { amount: 5 } },
      steps: [{ completeTask: { node: 'pack', in: 'ship' } }],
    });
    expect(failure?.nodes).toEqual(['ship']);
  });

  it('failed at the elements that differ from its expectation', async () => {
    const nodesOf = async (expect: Scenario['expect']) => (await run({ expect })).failure?.nodes;
    expect(await nodesOf({ active: ['ship'] })).toEqual(['ship', 'approve']);
    expect(await nodesOf({ passed: ['start', 'done'] })).toEqual(['done']);
    expect(await nodesOf({ notPassed: ['start'], active: ['approve'] })).toEqual(['start']);
    expect(await nodesOf({ incidents: [{ node: 'later' }] })).toEqual(['later']);
  });

  it('failed where the process was, if no element differs or the model has none of this name', async () => {
    expect((await run({ expect: { variables: { amount: 1 } } })).failure?.nodes).toEqual(['approve']);
    expect((await run({ steps: [{ completeTask: { node: 'gone' } }] })).failure?.nodes).toEqual(['approve']);
    const ended = await run({
      start: { variables: { amount: 5 } },
      steps: [{ completeJob: { node: 'pack' } }, { advance: 'next timer' }],
      expect: { status: 'RUNNING' },
    });
    expect(ended.failure?.nodes).toEqual(['done']);
  });
});

describe('the scenarios of an edited file', () => {
  it('reach nodes and flows of the file, not those of called processes', async () => {
    const { reached, failure } = await run({ steps: [{ completeTask: { node: 'approve' } }] });
    expect(failure).toBeUndefined();
    expect(reached).toEqual(expect.arrayContaining(['start', 'large', 'approve', 'ship']));
    expect(reached).not.toContain('pack');
    expect((await ScenarioSuite.open([order])).elements).toEqual(expect.arrayContaining([...reached, 'done']));
  });

  it('ask for called processes of the project, unless they answer the call themselves', async () => {
    const approved = [{ completeTask: { node: 'approve' } }];
    expect((await run({ steps: approved }, [order])).needs).toEqual({
      processes: [{ processID: 'shipping', binding: { kind: 'latest' }, callerFile: 'order.bpmn' }],
      decisions: [],
    });
    const answered = await run({ steps: [...approved, { call: { node: 'ship' } }] }, [order, shipping]);
    expect(answered).toMatchObject({ steps: 2, needs: { processes: [], decisions: [] } });
    expect(answered.failure).toBeUndefined();
  });

  it('fail one by one: a file that is not a scenario says why, and files that do not fit are left out', async () => {
    const suite = await ScenarioSuite.open([order, { name: 'same.bpmn', text: order.text }]);
    expect(suite.run('{}', 'a.scenario.json').failure?.message).toContain('"process" is missing');
    const { failure } = suite.run(JSON.stringify({ name: 'b', process: 'order', start: {}, steps: [] }), 'b');
    expect(failure?.message).toContain('incident');
    await expect(ScenarioSuite.open([{ name: 'order.bpmn', text: '<a/>' }])).rejects.toThrow('order.bpmn');
  });
});
