/** Runs the layers on one stack, in two lanes at the same time, and reports the time of each layer. */
import { rmSync } from 'node:fs';
import { makeFolderInMemory } from './in-memory.js';
import { runLanes } from './lanes.js';
import { layerOf, layers, TOTAL_BUDGET_SECONDS, type Lane, type Layer } from './layers.js';
import { runTests, type Outcome } from './run.js';
import { runFailedAgain, type SecondRun } from './second-run.js';
import { stackOfRun } from './stack.js';

/** On two cores. Layers that compute have the time in which the others wait. With more, tests miss their time limits. */
const WORKERS: Readonly<Record<Lane, number>> = { computing: 1, waiting: 3 };

export interface LayerRun {
  layer: Layer;
  outcome: Outcome;
  seconds: number;
}

export interface AllRuns extends SecondRun {
  layers: LayerRun[];
}

/** @param before work that belongs to the computing lane and comes first there */
export async function runLayers(before: () => Promise<Outcome[]>): Promise<AllRuns> {
  const temporary = useMemory();
  const { url, stop } = await stackOfRun();
  try {
    const outcomes: Outcome[] = [];
    const runs = await runLanes(
      layers,
      (layer) => runLayer(layer, url),
      async () => void outcomes.push(...(await before())),
    );
    runs.sort((a, b) => layers.indexOf(a.layer) - layers.indexOf(b.layer));
    outcomes.push(...runs.map(({ outcome }) => outcome));
    return { layers: runs, ...(await runFailedAgain(outcomes, (file) => runAlone(file, url))) };
  } finally {
    await stop();
    temporary.remove();
  }
}

/** Temporary files of this process and its children are in memory until they are removed, if there is plenty of it. */
function useMemory(): { remove(): void } {
  const before = process.env['TMPDIR'];
  const folder = makeFolderInMemory(4);
  process.env['TMPDIR'] = folder;
  const remove = () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    process.removeListener('exit', remove);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', remove);
  return { remove };
}

function runAlone(file: string, stack: string): Promise<Outcome> {
  process.stdout.write(`Once more, alone: ${file}\n`);
  return runTests(['--project', layerOf(file).name, file], { name: 'alone', stack, workers: 1 });
}

/** A table with the time and the budget of each layer, and the time of all of them together. */
export function timesOf(runs: readonly LayerRun[], seconds: number): string {
  const line = (name: string, taken: number, budget: number) =>
    `  ${name.padEnd(10)}${rounded(taken)} s${taken > budget ? `  over its budget of ${budget} s` : ''}`;
  const lines = runs.map(({ layer, seconds: taken }) => line(layer.name, taken, layer.budgetSeconds));
  return ['Layers', ...lines, line('all', seconds, TOTAL_BUDGET_SECONDS)].join('\n');
}

function rounded(seconds: number): string {
  return String(Math.round(seconds)).padStart(5);
}

async function runLayer(layer: Layer, stack: string): Promise<LayerRun> {
  process.stdout.write(`Layer ${layer.name} (servers: ${layer.servers})\n`);
  const start = performance.now();
  const outcome = await runTests(['--project', layer.name], {
    name: layer.name,
    stack,
    workers: WORKERS[layer.lane],
  });
  return { layer, outcome, seconds: (performance.now() - start) / 1000 };
}
