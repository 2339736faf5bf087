/** Runs scenario files. */
import { readdir } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import {
  InvalidScenario,
  ModelRefused,
  openBundle,
  runScenario,
  readTests,
  ScenarioCoverage,
  type Bundle,
  type Failure,
  type ReadTest,
  type Scenario,
} from '@perdure/testkit';
import { modelKind } from '@perdure/lib/model-files/kind.js';
import { readText } from '../values.js';
import { WrongUse } from '../wrong-use.js';

/** The outcome of one test of a file. */
export interface TestedScenario {
  readonly file: string;
  /** That of the file if it is not a scenario. */
  readonly name: string;
  readonly steps: number;
  readonly milliseconds: number;
  /** Absent if the scenario passed, or was skipped. */
  readonly failure?: Failure;
  /** Why it did not run. */
  readonly skipped?: string;
}

export type Played = Pick<TestedScenario, 'steps' | 'failure' | 'skipped'>;

/** Plays one scenario: in memory, or on a host. */
export type Player = (
  scenario: Scenario,
  bundle: Bundle,
  context: { coverage: ScenarioCoverage; texts: ReadonlyMap<string, string> },
) => Played | Promise<Played>;

export const inMemory: Player = (scenario, bundle, { coverage }) => runScenario(scenario, bundle, coverage);

export interface TestRun {
  readonly scenarios: readonly TestedScenario[];
  readonly coverage: ScenarioCoverage;
  /** By name: the models that the scenarios use. */
  readonly models: ReadonlyMap<string, string>;
}

export async function runScenarios(files: readonly string[], player: Player): Promise<TestRun> {
  const run = { models: new Models(), coverage: new ScenarioCoverage(), player };
  const scenarios: TestedScenario[] = [];
  for (const file of files) scenarios.push(...(await runFile(file, run)));
  return { scenarios, coverage: run.coverage, models: run.models.texts };
}

interface Run {
  models: Models;
  coverage: ScenarioCoverage;
  player: Player;
}

async function runFile(file: string, run: Run): Promise<TestedScenario[]> {
  const finish = timed(file);
  let tests: ReadTest[];
  try {
    tests = readTests(await readText(file), file);
  } catch (error) {
    return [finish(file, { steps: 0, failure: failureOf(error) })];
  }
  const tested: TestedScenario[] = [];
  for (const test of tests) tested.push(await runOne(file, test, run));
  return tested;
}

async function runOne(file: string, test: ReadTest, { models, coverage, player }: Run): Promise<TestedScenario> {
  const finish = timed(file);
  try {
    if ('invalid' in test) throw test.invalid;
    const bundle = await models.bundleOf(test.scenario, dirname(file));
    return finish(test.name, await player(test.scenario, bundle, { coverage, texts: models.texts }));
  } catch (error) {
    return finish(test.name, { steps: 0, failure: failureOf(error) });
  }
}

/** @returns a function that ends the measurement */
function timed(file: string) {
  const begun = performance.now();
  return (name: string, { steps, failure, skipped }: Played): TestedScenario => ({
    file,
    name,
    steps,
    milliseconds: Math.round(performance.now() - begun),
    ...(failure && { failure }),
    ...(skipped !== undefined && { skipped }),
  });
}

/** Of what users can cause: the others are defects. */
function failureOf(error: unknown): Failure {
  if (!(error instanceof InvalidScenario || error instanceof ModelRefused || error instanceof WrongUse)) throw error;
  return { message: error.message, differences: [], state: '' };
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
  const models = entries.filter((entry) => !entry.isDirectory() && isRun(entry.name));
  return models.map(({ name }) => slashed(join(folder, name))).sort();
}

/** A process does not read element templates. */
function isRun(name: string): boolean {
  const kind = modelKind(name);
  return kind !== undefined && kind !== 'TEMPLATE';
}

function slashed(path: string): string {
  return normalize(path).split(sep).join('/');
}
