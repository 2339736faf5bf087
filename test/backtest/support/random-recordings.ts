/** Histories of random models, as the store would keep them. */
import { compile } from '@perdure/bpmn/compile/compile.js';
import type { Recording } from '@perdure/backtest';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import { ChaoticRun } from '../../engine/random/chaotic-run.js';
import { Random } from '../../engine/random/random.js';
import { WildInstance } from '../../engine/random/wild-instance.js';

const MAX_STIMULI = 60;
const MAX_DISTURBANCES = 25;

/** @returns undefined if the model is rejected */
export async function modelFrom(xml: string): Promise<Model | undefined> {
  const { processes, problems } = await compile(xml);
  const graph = processes[0]?.graph;
  if (!graph || problems.some(({ severity }) => severity === 'error')) return undefined;
  return modelOf(JSON.parse(JSON.stringify(graph)));
}

/** @param targets that it can be migrated to */
export function recordChaotic(model: Model, targets: ReadonlyMap<string, Model>, seed: number): Recording {
  const run = new ChaoticRun(model, new Random(seed), targets);
  for (let stimulus = 0; stimulus < MAX_STIMULI && run.state.status === 'RUNNING'; stimulus += 1) run.happen();
  run.resume();
  if (run.state.status === 'RUNNING') run.command({ kind: 'CANCEL_INSTANCE' });
  return run.recorder.recording;
}

/** With the versions that it can be migrated to. */
export function recordWild(
  model: Model,
  random: Random,
  seed: number,
): Recording & { targets: ReadonlyMap<string, Model> } {
  const instance = new WildInstance(model.graph, random, `model seed ${seed}`);
  for (let disturbance = random.below(MAX_DISTURBANCES); disturbance > 0 && instance.isRunning; disturbance -= 1)
    instance.disturb();
  instance.end();
  return { ...instance.recorder.recording, targets: instance.targets };
}
