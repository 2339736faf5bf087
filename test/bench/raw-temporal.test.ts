import { afterAll, expect, test } from 'vitest';
import { RawTemporal, type RawTemporalOptions } from '../../bench/floor/contender.js';
import { historyOf } from '../../bench/history.js';
import { workloads } from '../../bench/workloads.js';
import { createEmptyDatabase, temporalAddress, uniqueName } from '../support/infrastructure.js';
import { floorBundle } from '../support/workflow-bundle.js';

const stopping: RawTemporal[] = [];
afterAll(async () => {
  await Promise.all(stopping.map((contender) => contender.stop()));
});

async function start(name: RawTemporalOptions['name']): Promise<RawTemporal> {
  const { url } = await createEmptyDatabase();
  const contender = await RawTemporal.start({
    name,
    temporalAddress: await temporalAddress(),
    taskQueue: uniqueName(name),
    databaseUrl: url,
    workflowBundle: await floorBundle(),
  });
  stopping.push(contender);
  return contender;
}

async function countsOf(contender: RawTemporal, name: string): Promise<{ events: number; workflowTasks: number }> {
  const workload = workloads.find((each) => each.name === name)!;
  await contender.run(workload, 1, 1);
  const { events, workflowTasks } = await historyOf(await temporalAddress(), await contender.newest());
  return { events, workflowTasks };
}

test('the floor wakes up for each result by signal, in a separate workflow task', async () => {
  const floor = await start('floor');
  expect(await countsOf(floor, 'W1')).toEqual({ events: 6, workflowTasks: 1 });
  expect(await countsOf(floor, 'W2')).toEqual({ events: 11, workflowTasks: 2 });
  expect(await countsOf(floor, 'W3')).toEqual({ events: 31, workflowTasks: 6 });
});

test('the ceiling takes every result inside its first workflow task', async () => {
  const ceiling = await start('ceiling');
  expect(await countsOf(ceiling, 'W1')).toEqual({ events: 6, workflowTasks: 1 });
  expect(await countsOf(ceiling, 'W2')).toEqual({ events: 7, workflowTasks: 1 });
  expect(await countsOf(ceiling, 'W3')).toEqual({ events: 11, workflowTasks: 1 });
});
