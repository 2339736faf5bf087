/** No model, value or moment wedges an instance: random ones of all of these, and a cancel works after every step. */
import { expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import { keptSeeds } from './kept-seeds.js';
import { Random } from './random.js';
import { base, playSeed, scale, scaled, seedsFrom } from './seeds.js';
import { WildInstance } from './wild-instance.js';
import { WildModel } from './wild.js';

const MODELS = scaled(50);
const MAX_DISTURBANCES = 25;
const test = { file: 'test/engine/random/wild-models.test.ts', kept: 'wildModels' };

it(
  `the engine stays within its bounds and can be canceled, in ${MODELS} models without any structure (RANDOM_SEED=${base})`,
  { timeout: 600_000 * scale },
  async () => {
    let played = 0;
    let steps = 0;
    for (const seed of seedsFrom(keptSeeds.wildModels, MODELS)) {
      const taken = await playSeed(seed, test, () => play(seed));
      if (taken > 0) played += 1;
      steps += taken;
    }
    expect(played).toBeGreaterThan(MODELS / 4);
    expect(steps).toBeGreaterThan(5 * played);
  },
);

/** @returns how many steps were taken; 0 when the model is rejected */
async function play(seed: number): Promise<number> {
  const random = new Random(seed);
  const { processes, problems } = await compile(new WildModel(random).process());
  const graph = processes[0]?.graph;
  if (!graph || problems.some(({ severity }) => severity === 'error')) return 0;
  const instance = new WildInstance(JSON.parse(JSON.stringify(graph)) as Graph, random, `model seed ${seed}`);
  for (let disturbance = random.below(MAX_DISTURBANCES); disturbance > 0 && instance.isRunning; disturbance -= 1) {
    if (random.chance(0.4)) instance.expectCancelable();
    instance.disturb();
  }
  instance.expectCancelable();
  if (random.chance(0.3)) instance.rest();
  instance.expectCancelable();
  return instance.steps;
}
