import { expect, it } from 'vitest';
import {
  activeNodes,
  nodeMarks,
  openingStep,
  stepsOf,
  takenFlows,
  type Visit,
} from '../../console/features/backtests/run-steps.js';

type Short = [nodeID: string, counterpart?: number, endedAfter?: number];

const visits = (...of: Short[]): Visit[] =>
  of.map(([nodeID, counterpart, endedAfter], index) => ({
    nodeID,
    at: '2026-03-01T00:00:00Z',
    flows: index === 0 ? [] : [`to-${nodeID}`],
    ...(counterpart !== undefined && { counterpart }),
    ...(endedAfter !== undefined && { endedAfter }),
  }));

const pairs = (before: Visit[], after: Visit[]) => stepsOf(before, after).map((step) => [step.before, step.after]);

it('visits of both runs are one step, and so are those that take the place of each other', () => {
  const before = visits(['s', 1], ['gateway', 2], ['check'], ['end']);
  const after = visits(['s', 1], ['gateway', 2], ['end']);
  expect(pairs(before, after)).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 3],
  ]);
});

it('a visit that only one run has does not delay what both have', () => {
  const before = visits(['s', 1], ['end', 3]);
  const after = visits(['s', 1], ['new'], ['end', 2]);
  expect(pairs(before, after)).toEqual([
    [0, 0],
    [1, 1],
    [1, 2],
    [2, 3],
  ]);
});

it('branches in another order are followed to the end', () => {
  const before = visits(['s', 1], ['one', 3], ['two', 2], ['end', 4]);
  const after = visits(['s', 1], ['two', 3], ['one', 2], ['end', 4]);
  const steps = pairs(before, after);
  expect(steps.at(-1)).toEqual([4, 4]);
  expect(steps.length).toBeLessThan(8);
});

it('two empty runs have one step', () => {
  expect(pairs([], [])).toEqual([[0, 0]]);
});

it('opens where the node of the first difference begins, counting its visits', () => {
  const before = visits(['s', 1], ['gateway', 2], ['loop', 3], ['gateway', 4], ['end']);
  const after = visits(['s', 1], ['gateway', 2], ['loop', 3], ['gateway', 4], ['loop'], ['gateway']);
  const steps = stepsOf(before, after);
  const open = (occurrence: number, more: object = {}) =>
    openingStep(steps, { nodeID: 'gateway', occurrence, ...more }, { before, after });
  expect(open(1, { expected: ['loop'], found: ['end'] })).toBe(2);
  expect(open(2, { expected: ['end'], found: ['loop'] })).toBe(4);
  // An incident that only the run of the version has.
  expect(open(3)).toBe(6);
  expect(open(9)).toBe(steps.length - 1);
  expect(openingStep(steps, undefined, { before, after })).toBe(steps.length - 1);
});

it('marks tokens until their visit ends, visited nodes, and the first difference', () => {
  const run = visits(['s', 1, 1], ['fork', 2, 2], ['one', 3, 4], ['two', 4, 5], ['join', 5, 5]);
  expect([...activeNodes(run, 4)]).toEqual([
    ['one', 1],
    ['two', 1],
  ]);
  expect([...activeNodes(run, 5)]).toEqual([
    ['two', 1],
    ['join', 1],
  ]);
  const marks = nodeMarks(run, 4, { nodeID: 'fork', occurrence: 1 });
  expect(marks.get('s')).toMatchObject({ tokens: 0, heat: 1 });
  expect(marks.get('one')).toMatchObject({ tokens: 1 });
  expect(marks.get('fork')?.label?.title).toBe('The first difference');
  expect(nodeMarks(run, 0, { nodeID: 'fork', occurrence: 1 }).get('fork')?.label?.title).toBe('The first difference');
});

it('colors flows that only this run took', () => {
  const run = visits(['s', 1], ['gateway', 2], ['check']);
  const flows = takenFlows(run, 3, 'less');
  expect(flows.get('to-gateway')).toMatchObject({ text: undefined, title: 'Taken once', change: undefined });
  expect(flows.get('to-check')).toMatchObject({ change: 'less' });
  expect(takenFlows(run, 2, 'less').has('to-check')).toBe(false);
});
