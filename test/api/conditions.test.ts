/** Conditional start events as a thread evaluates them. */
import { expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { endEvent, on, processModel, startEvent } from '@perdure/testkit/models';
import { conditionsMet } from '../../api/evaluation/conditions.js';

const met = async (conditions: readonly string[], variables = {}) => {
  const starts = conditions.map((condition, index) => startEvent(`start_${index}`, on.condition(`=${condition}`)));
  const flows = conditions.map((_, index) => `flow_${index}: start_${index} -> end`);
  const { processes } = await compile(processModel('p', [...starts, endEvent('end')], flows));
  const graph = JSON.stringify(processes[0]!.graph);
  return conditionsMet({ graph, variables: JSON.stringify(variables), now: 0 });
};

const LONG = 'every i in 1..4000 satisfies i > 0';

test('those whose condition is true are met; one that fails or takes too long is not', async () => {
  expect(
    await met(['stock < 10', 'stock > 10', 'missing = 1', 'every i in 1..100000 satisfies i > 0'], { stock: 5 }),
  ).toEqual([{ node: 'start_0', trigger: 0 }]);
});

test('conditions of a definition that together take too long are refused, however short each of them is', async () => {
  expect(await met(Array<string>(10).fill(LONG))).toHaveLength(10);
  expect(await met(Array<string>(1_200).fill(LONG))).toBeUndefined();
});
