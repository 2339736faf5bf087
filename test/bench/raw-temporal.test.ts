import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RawTemporal, type RawTemporalOptions } from '../../bench/floor/contender.js';
import { historyOf } from '../../bench/history.js';
import { workloads } from '../../bench/workloads.js';
import { compiledScript } from '../../dev/repository.js';
import { bundleWorkflows } from '../../tools/workflow-bundle.js';
import { createEmptyDatabase, temporalAddress, uniqueName } from '../support/infrastructure.js';

const folder = mkdtempSync(join(tmpdir(), 'perdure-raw-temporal-'));
const workflowBundle = join(folder, 'bundle.js');
const stopping: RawTemporal[] = [];
beforeAll(() => bundleWorkflows(compiledScript('bench/floor/workflow.js'), workflowBundle));
afterAll(async () => {
  await Promise.all(stopping.map((contender) => contender.stop()));
  rmSync(folder, { recursive: true });
});

async function start(name: RawTemporalOptions['name']): Promise<RawTemporal> {
  const { url } = await createEmptyDatabase();
  const contender = await RawTemporal.start({
    name,
    temporalAddress: await temporalAddress(),
    taskQueue: uniqueName(name),
    databaseUrl: url,
    workflowBundle,
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
