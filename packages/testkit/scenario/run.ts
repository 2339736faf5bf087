/** Runs a scenario in memory and in virtual time. It is deterministic, and the same in Node.js and in browsers. */
import { describeInstance } from '../describe.js';
import { PayloadTooLarge } from '../payload-limit.js';
import type { Bundle } from './bundle.js';
import { ScenarioCoverage } from './coverage.js';
import { expectAll, expectNoOtherIncidents } from './expectations.js';
import { StepFailed, type Failure } from './failure.js';
import { Play } from './play.js';
import type { Place, Scenario } from './scenario.js';
import { carryOut, kindOf, placeOf } from './steps.js';

export interface ScenarioResult {
  name: string;
  /** Steps carried out. */
  steps: number;
  /** Absent if the scenario passed. */
  failure?: Failure;
}

const DEFAULT_NOW = '2026-01-01T00:00:00Z';
/** Instances described in a failure. */
const MAX_DESCRIBED = 5;

/**
 * @param coverage notes what the scenario reaches
 * @param watch called with the processes before they start
 */
export function runScenario(
  scenario: Scenario,
  bundle: Bundle,
  coverage = new ScenarioCoverage(),
  watch: (play: Play) => void = () => undefined,
): ScenarioResult {
  coverage.add(bundle);
  const runner = new Runner(scenario, bundle, coverage);
  watch(runner.play);
  return runner.run();
}

class Runner {
  readonly #scenario: Scenario;
  readonly #bundle: Bundle;
  readonly play: Play;
  #at: string | undefined;
  /** Where the step applies that is carried out. */
  #place: Place | undefined;
  #steps = 0;

  constructor(scenario: Scenario, bundle: Bundle, coverage: ScenarioCoverage) {
    this.#scenario = scenario;
    this.#bundle = bundle;
    this.play = new Play(scenario.process, bundle, coverage, Date.parse(scenario.now ?? DEFAULT_NOW));
  }

  run(): ScenarioResult {
    const { name } = this.#scenario;
    try {
      this.#runAll();
      return { name, steps: this.#steps };
    } catch (error) {
      return { name, steps: this.#steps, failure: this.#failureOf(error) };
    }
  }

  #runAll(): void {
    const { process, start, steps: all, expect } = this.#scenario;
    this.#expectProcess(process);
    if (start) {
      this.#at = 'start';
      this.play.start(start.variables, start.startAt);
    }
    for (const [index, step] of all.entries()) {
      this.#at = `steps[${index}].${kindOf(step)}`;
      this.#place = placeOf(step);
      this.play.beginStep();
      carryOut(this.play, step);
      this.#steps += 1;
    }
    this.#at = 'expect';
    this.#place = undefined;
    if (expect) expectAll(this.play.observe(), expect);
    expectNoOtherIncidents(this.play.observe(), expect?.incidents ?? all.at(-1)?.expect?.incidents);
  }

  #expectProcess(processID: string): void {
    const { processes, files } = this.#bundle;
    if (processes.some((process) => process.processID === processID)) return;
    const found = processes.map((process) => process.processID).join(', ') || 'none';
    throw new StepFailed(`process ${processID} is in none of the files ${files.join(', ')}`, [
      { what: 'process', expected: processID, found },
    ]);
  }

  #failureOf(error: unknown): Failure {
    const isDeep = error instanceof RangeError;
    if (!(error instanceof StepFailed || error instanceof PayloadTooLarge || isDeep)) throw error;
    return {
      ...(this.#at !== undefined && { at: this.#at }),
      message: isDeep ? 'processes call or message each other too deeply' : error.message,
      differences: error instanceof StepFailed ? [...error.differences] : [],
      state: this.#describe(),
      nodes: this.#nodesOf(error),
    };
  }

  /** Nodes of the process under test: for one of a called process, the call activity. */
  #nodesOf(error: unknown): string[] {
    const { node, in: call } = this.#place ?? {};
    const differing = error instanceof StepFailed ? error.nodes : [];
    const named = (differing.length > 0 ? differing : [node, call]).filter((id) => id !== undefined);
    const own = named.filter((id) => this.#isOwn(id));
    if (own.length > 0) return own;
    const { active = [], completed = [] } = this.play.observe().root ?? {};
    return active.length > 0 ? [...active] : completed.slice(-1);
  }

  #isOwn(nodeID: string): boolean {
    const own = this.#bundle.processes.find(({ processID }) => processID === this.#scenario.process);
    return own?.graph.nodes.some(({ id }) => id === nodeID) ?? false;
  }

  #describe(): string {
    const { instances, host } = this.play;
    const described = instances.slice(0, MAX_DESCRIBED).map((instance) => describeInstance(host, instance));
    const left = instances.length - described.length;
    return [...described, ...(left > 0 ? [`${left} more instances`] : [])].join('\n');
  }
}
