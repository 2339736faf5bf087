/** Runs the layers one after another on one stack, and reports the time of each. */
import { layers, type Layer } from './layers.js';
import { runTests, type Outcome } from './run.js';
import { openStack } from './stack.js';

export interface LayerRun {
  layer: Layer;
  outcome: Outcome;
  seconds: number;
}

export async function runLayers(): Promise<LayerRun[]> {
  const { url, stop } = await stackForRun();
  try {
    const runs: LayerRun[] = [];
    for (const layer of layers) runs.push(await runLayer(layer, url));
    return runs;
  } finally {
    await stop();
  }
}

/** A table with the time and the budget of each layer. */
export function timesOf(runs: readonly LayerRun[]): string {
  const lines = runs.map(({ layer: { name, budgetSeconds }, seconds }) => {
    const over = seconds > budgetSeconds ? `  over its budget of ${budgetSeconds} s` : '';
    return `  ${name.padEnd(10)}${String(Math.round(seconds)).padStart(5)} s${over}`;
  });
  const total = runs.reduce((sum, { seconds }) => sum + seconds, 0);
  return ['Layers', ...lines, `  ${'all'.padEnd(10)}${String(Math.round(total)).padStart(5)} s`].join('\n');
}

async function runLayer(layer: Layer, stack: string): Promise<LayerRun> {
  process.stdout.write(`Layer ${layer.name} (servers: ${layer.servers})\n`);
  const start = performance.now();
  const outcome = await runTests(['--project', layer.name], stack);
  return { layer, outcome, seconds: (performance.now() - start) / 1000 };
}

async function stackForRun(): Promise<{ url: string; stop(): Promise<void> }> {
  const running = process.env['PERDURE_TEST_STACK'];
  if (running) return { url: running, stop: async () => undefined };
  const stack = await openStack();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stack.stop().finally(() => process.exit(1)));
  return stack;
}
