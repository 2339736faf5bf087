import { describe, expect, it } from 'vitest';
import type { Command } from '@perdure/engine/contract/commands.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import { modelOf } from '@perdure/engine/model/model.js';
import { copyState, newState, type State } from '@perdure/engine/state/state.js';
import { step } from '@perdure/engine/step.js';
import { listHistory } from '../../store/steps/history.js';
import { listFacts, stateAt } from '../../store/steps/replay.js';
import { extended, flow, graphOf, processFile } from '../bpmn/support/model.js';
import { deploy, commitStep, start, useStore } from './support/store.js';

const store = useStore();

const twoJobs = processFile(
  `<bpmn:startEvent id="s"/>` +
    extended(
      'serviceTask id="a"',
      '<zeebe:taskDefinition type="t"/><zeebe:ioMapping><zeebe:input source="=x + 1" target="y"/><zeebe:output source="=y" target="z"/></zeebe:ioMapping>',
    ) +
    `<bpmn:parallelGateway id="g"/>` +
    extended('serviceTask id="b"', '<zeebe:taskDefinition type="t"/>') +
    `<bpmn:endEvent id="e"/>` +
    flow('f1', 's', 'a') +
    flow('f2', 'a', 'g') +
    flow('f3', 'g', 'b') +
    flow('f4', 'b', 'e'),
);

/** Runs the process to its end and commits each step; returns the engine's own state after each. */
async function run(graph: Graph, workflowID: string, snapshotAt?: number): Promise<State[]> {
  const model = modelOf(graph);
  const state = newState(workflowID);
  const states: State[] = [copyState(state)];
  const complete = (number: number, execution: number): Command => ({ kind: 'COMPLETE_JOB', number, execution });
  for (let number = 1; state.status === 'RUNNING'; number += 1) {
    const [job] = Object.keys(state.waits);
    const commands = job === undefined ? [] : [complete(number - 1, Number(job))];
    const input = { commands, now: 1_000 * number, ...(number === 1 && { start: { variables: { x: 1 } } }) };
    const { facts, outcomes } = step(model, state, input);
    const inputs = { now: input.now, lastCommand: state.lastCommand };
    // A step handles no more commands than were written.
    await store.database.query('UPDATE instances SET command_count = $2 WHERE workflow_id = $1', [
      workflowID,
      state.lastCommand,
    ]);
    await commitStep(store, workflowID, number, facts, {
      inputs,
      outcomes,
      ...(number === snapshotAt && { snapshot: state }),
    });
    states.push(copyState(state));
  }
  return states;
}

describe('the replay of an instance', () => {
  it('equals the state of the engine at every step commit, with and without a snapshot', async () => {
    const graph = await graphOf(twoJobs);
    for (const snapshotAt of [undefined, 1, 2, 3]) {
      const workflowID = await start(store, { definitionID: (await deploy(store, 'p', { graph })).definitionID });
      const states = await run(graph, workflowID, snapshotAt);
      expect(states).toHaveLength(4);
      const { last, state } = await stateAt(store.database, workflowID);
      expect(state).toEqual(states[3]);
      const found = await Promise.all(
        Array.from({ length: last + 1 }, (_, at) => stateAt(store.database, workflowID, at)),
      );
      expect(found.map(({ at }) => at)).toEqual(Array.from({ length: last + 1 }, (_, at) => at));
      for (const expected of states) expect(found.map((replayed) => replayed.state)).toContainEqual(expected);
      expect(found[0]!.fact).toBeUndefined();
      expect(found[1]!.fact).toMatchObject({ fact: { kind: 'INSTANCE_STARTED' }, now: 1_000 });
      expect(found[last]!.fact).toMatchObject({ fact: { kind: 'INSTANCE_COMPLETED' }, now: 3_000 });
      const listed = await Promise.all(
        Array.from({ length: last }, (_, index) =>
          listFacts(
            store.database,
            workflowID,
            { page: index + 1, pageSize: 1 },
            ({ at, fact, now, state: after }) => ({
              at,
              fact,
              now,
              state: copyState(after),
            }),
          ),
        ),
      );
      expect(listed.map(({ data }) => data)).toEqual(
        found.slice(1).map(({ at, fact, state: after }) => [{ at, ...fact, state: after }]),
      );
    }
  });

  it('beyond the last fact is that of the last fact', async () => {
    const workflowID = await start(store);
    expect(await stateAt(store.database, workflowID, 5)).toEqual({ state: newState(workflowID), at: 0, last: 0 });
  });
});

describe('the history', () => {
  it('has one entry per activation of a node, in order, with its inputs and outputs', async () => {
    const graph = await graphOf(twoJobs);
    const workflowID = await start(store, { definitionID: (await deploy(store, 'p', { graph })).definitionID });
    await run(graph, workflowID);
    const { data, total } = await listHistory(store.database, workflowID, graph, { page: 1, pageSize: 100 });
    expect(total).toBe(5);
    expect(data.map(({ nodeID, nodeType, status }) => `${nodeID} ${nodeType} ${status}`)).toEqual([
      's startEvent Completed',
      'a serviceTask Completed',
      'g parallelGateway Completed',
      'b serviceTask Completed',
      'e endEvent Completed',
    ]);
    expect(data[1]).toMatchObject({
      startedAt: 1_000,
      endedAt: 2_000,
      inputs: { y: 2 },
      outputs: { z: 2 },
      executionKey: expect.stringContaining(workflowID),
    });
    const second = await listHistory(store.database, workflowID, graph, { page: 2, pageSize: 2 });
    expect(second.data.map(({ nodeID }) => nodeID)).toEqual(['g', 'b']);
  });
});
