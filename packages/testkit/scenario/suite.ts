/** The scenarios of a file that is being edited: each runs by itself, so that a caller can end one that takes too long. */
import { elementsOf } from '../coverage.js';
import type { Bundle, ScenarioFile } from './bundle.js';
import { ScenarioCoverage } from './coverage.js';
import { NeedsOf, type Needs } from './needs.js';
import { openFiles } from './open-files.js';
import { runScenario, type ScenarioResult } from './run.js';
import { InvalidScenario, readScenario, type Scenario } from './scenario.js';

export interface SuiteResult extends ScenarioResult {
  /** Nodes and sequence flows of the edited file that the scenario reached. */
  reached: string[];
  /** Missing from the files. */
  needs: Needs;
}

export class ScenarioSuite {
  /** All nodes and sequence flows of the edited file. */
  readonly elements: readonly string[];
  readonly #bundle: Bundle;
  readonly #main: string;

  /**
   * @param files the edited file first; those that do not fit to it are left out
   * @throws ModelRefused if a host would refuse the edited file
   */
  static async open(files: readonly ScenarioFile[]): Promise<ScenarioSuite> {
    const { bundle } = await openFiles(files);
    return new ScenarioSuite(bundle, files[0]!.name);
  }

  private constructor(bundle: Bundle, main: string) {
    this.#bundle = bundle;
    this.#main = main;
    this.elements = bundle.processes
      .filter(({ file }) => file === main)
      .flatMap(({ graph }) => elementsOf(graph).map(({ id }) => id));
  }

  /**
   * @param text of the scenario
   * @param file its name
   */
  run(text: string, file: string): SuiteResult {
    const coverage = new ScenarioCoverage();
    let scenario: Scenario;
    try {
      scenario = readScenario(text, file);
    } catch (error) {
      if (!(error instanceof InvalidScenario)) throw error;
      const failure = { message: error.message, differences: [], state: '', nodes: [] };
      return { name: file, steps: 0, failure, reached: [], needs: { processes: [], decisions: [] } };
    }
    const bundle = bundleOf(scenario, this.#bundle, this.#main);
    let needs: NeedsOf | undefined;
    const result = runScenario(scenario, bundle, coverage, (play) => (needs = new NeedsOf(play, bundle)));
    const { processes, decisions } = needs!.all();
    return {
      ...result,
      reached: coverage.reachedIn(this.#main),
      needs: { processes: answersCalls(scenario) ? [] : processes, decisions },
    };
  }
}

/** A scenario that answers calls itself needs them unanswered: it gets called processes only of files that it names. */
function bundleOf(scenario: Scenario, bundle: Bundle, main: string): Bundle {
  if (!answersCalls(scenario)) return bundle;
  const named = new Set([main, ...(scenario.files ?? []).map((path) => path.split('/').at(-1)!)]);
  return { ...bundle, processes: bundle.processes.filter(({ file }) => named.has(file)) };
}

function answersCalls({ steps }: Scenario): boolean {
  return steps.some(({ call }) => call !== undefined);
}
