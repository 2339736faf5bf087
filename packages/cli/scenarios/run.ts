/** Runs scenario files without a host. */
import { readdir } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import {
  InvalidScenario,
  ModelRefused,
  openBundle,
  readScenario,
  runScenario,
  ScenarioCoverage,
  type Bundle,
  type Failure,
  type Scenario,
} from '@perdure/testkit';
import { kindOf } from '../models/find.js';
import { readText } from '../values.js';
import { WrongUse } from '../wrong-use.js';

/** The outcome of one file. */
export interface TestedScenario {
  readonly file: string;
  /** That of the file if it is not a scenario. */
  readonly name: string;
  readonly steps: number;
  readonly milliseconds: number;
  /** Absent if the scenario passed. */
  readonly failure?: Failure;
}

export interface TestRun {
  readonly scenarios: readonly TestedScenario[];
  readonly coverage: ScenarioCoverage;
  /** By name: the models that the scenarios use. */
  readonly models: ReadonlyMap<string, string>;
}

export async function runScenarios(files: readonly string[]): Promise<TestRun> {
  const models = new Models();
  const coverage = new ScenarioCoverage();
  const scenarios: TestedScenario[] = [];
  for (const file of files) scenarios.push(await runOne(file, models, coverage));
  return { scenarios, coverage, models: models.texts };
}

async function runOne(file: string, models: Models, coverage: ScenarioCoverage): Promise<TestedScenario> {
  const begun = performance.now();
  const since = () => Math.round(performance.now() - begun);
  let name = file;
  try {
    const scenario = readScenario(await readText(file), file);
    name = scenario.name;
    const bundle = await models.bundleOf(scenario, dirname(file));
    const { steps, failure } = runScenario(scenario, bundle, coverage);
    return { file, name, steps, milliseconds: since(), ...(failure && { failure }) };
  } catch (error) {
    if (!(error instanceof InvalidScenario || error instanceof ModelRefused || error instanceof WrongUse)) throw error;
    const failure = { message: error.message, differences: [], state: '' };
    return { file, name, steps: 0, milliseconds: since(), failure };
  }
}

/** Model files, read and compiled once for all scenarios. */
class Models {
  readonly texts = new Map<string, string>();
  readonly #bundles = new Map<string, Promise<Bundle>>();
  readonly #folders = new Map<string, Promise<string[]>>();

  async bundleOf({ files }: Scenario, folder: string): Promise<Bundle> {
    const paths = files ? files.map((file) => slashed(join(folder, file))) : await this.#modelsIn(folder);
    const key = JSON.stringify(paths.toSorted());
    const opened = this.#bundles.get(key) ?? this.#open(paths);
    this.#bundles.set(key, opened);
    return opened;
  }

  async #open(paths: readonly string[]): Promise<Bundle> {
    const opened = [];
    for (const path of paths) {
      const text = this.texts.get(path) ?? (await readText(path));
      this.texts.set(path, text);
      opened.push({ name: path, text });
    }
    return openBundle(opened);
  }

  #modelsIn(folder: string): Promise<string[]> {
    const found = this.#folders.get(folder) ?? modelsIn(folder);
    this.#folders.set(folder, found);
    return found;
  }
}

/** Not below the folder. */
async function modelsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const models = entries.filter((entry) => !entry.isDirectory() && kindOf(entry.name) !== undefined);
  return models.map(({ name }) => slashed(join(folder, name))).sort();
}

function slashed(path: string): string {
  return normalize(path).split(sep).join('/');
}
