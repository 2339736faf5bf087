/** Models without structure under random commands, pauses, modifications and migrations: none wedges, none ends twice. */
import { expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import { ChaoticRun } from './chaotic-run.js';
import { chaoticModel } from './chaotic.js';
import { keptSeeds } from './kept-seeds.js';
import { withListeners } from './listeners.js';
import { Random } from './random.js';
import { base, playSeed, scale, scaled, seedsFrom } from './seeds.js';

const MODELS = scaled(50);
const LISTENED = scaled(30);
const PATHS = 4;
const MAX_STIMULI = 60;
const test = { file: 'test/engine/random/chaotic-models.test.ts', kept: 'chaoticModels' };

type Write = (random: Random, drop: number) => string;

const listened: Write = (random, drop) => withListeners(chaoticModel(random, drop), random, drop);

async function modelFrom(xml: string): Promise<Model> {
  const { processes, problems } = await compile(xml);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return modelOf(JSON.parse(JSON.stringify(processes[0]!.graph)));
}

it(
  `the engine brings instances of ${MODELS} models to an end, a wait or an incident after every step, and cancels them (RANDOM_SEED=${base})`,
  { timeout: 240_000 * scale },
  async () => {
    await playModels(keptSeeds.chaoticModels, MODELS, test, chaoticModel);
  },
);

it(
  `and instances of ${LISTENED} models with execution listeners (RANDOM_SEED=${base})`,
  { timeout: 240_000 * scale },
  async () => {
    await playModels(keptSeeds.listenedModels, LISTENED, { ...test, kept: 'listenedModels' }, listened);
  },
);

async function playModels(kept: readonly number[], count: number, of: typeof test, write: Write): Promise<void> {
  for (const seed of seedsFrom(kept, count)) {
    await playSeed(seed, of, async () => {
      const model = await modelFrom(write(new Random(seed), 0));
      const targets = new Map([
        ['0', model],
        ['1', await modelFrom(write(new Random(seed), 0.3))],
      ]);
      for (let path = 0; path < PATHS; path += 1) play(model, targets, seed, path);
    });
  }
}

function play(model: Model, targets: ReadonlyMap<string, Model>, seed: number, path: number): void {
  const run = new ChaoticRun(model, new Random(seed * PATHS + path), targets);
  try {
    run.check();
    for (let stimulus = 0; stimulus < MAX_STIMULI && run.state.status === 'RUNNING'; stimulus += 1) {
      run.happen();
      run.check();
    }
    run.resume();
    run.check();
    if (run.state.status === 'RUNNING') run.command({ kind: 'CANCEL_INSTANCE' });
    run.check();
    expect(run.state.status).not.toBe('RUNNING');
  } catch (error) {
    throw new Error(`model seed ${seed}, path ${path}, after ${run.log.slice(-5).join(', ')}`, { cause: error });
  }
}
