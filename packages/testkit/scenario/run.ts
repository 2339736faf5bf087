/** Runs a scenario in memory and in virtual time. It is deterministic, and the same in Node.js and in browsers. */
import { describeInstance } from '../describe.js';
import { PayloadTooLarge } from '../payload-limit.js';
import type { Bundle } from './bundle.js';
import { ScenarioCoverage } from './coverage.js';
import { expectAll, expectNoOtherIncidents } from './expectations.js';
import { StepFailed, type Failure } from './failure.js';
import { Play } from './play.js';
import type { Scenario, Step, StepKind } from './scenario.js';
import { steps } from './steps.js';

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

/** @param coverage notes what the scenario reaches */
export function runScenario(scenario: Scenario, bundle: Bundle, coverage = new ScenarioCoverage()): ScenarioResult {
  coverage.add(bundle);
  return new Runner(scenario, bundle, coverage).run();
}

class Runner {
  readonly #scenario: Scenario;
  readonly #bundle: Bundle;
  readonly #play: Play;
  #at: string | undefined;
  #steps = 0;

  constructor(scenario: Scenario, bundle: Bundle, coverage: ScenarioCoverage) {
    this.#scenario = scenario;
    this.#bundle = bundle;
    this.#play = new Play(scenario.process, bundle, coverage, Date.parse(scenario.now ?? DEFAULT_NOW));
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
      this.#play.start(start.variables, start.startAt);
    }
    for (const [index, step] of all.entries()) {
      this.#at = `steps[${index}].${kindOf(step)}`;
      this.#play.beginStep();
      carryOut(this.#play, step);
      this.#steps += 1;
    }
    this.#at = 'expect';
    if (expect) expectAll(this.#play.observe(), expect);
    expectNoOtherIncidents(this.#play.observe(), expect?.incidents ?? all.at(-1)?.expect?.incidents);
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
    };
  }

  #describe(): string {
    const { instances, host } = this.#play;
    const described = instances.slice(0, MAX_DESCRIBED).map((instance) => describeInstance(host, instance));
    const left = instances.length - described.length;
    return [...described, ...(left > 0 ? [`${left} more instances`] : [])].join('\n');
  }
}

function kindOf(step: Step): StepKind {
  return Object.keys(step)[0] as StepKind;
}

function carryOut(play: Play, step: Step): void {
  const kind = kindOf(step);
  (steps[kind] as (play: Play, content: unknown) => void)(play, step[kind]);
}
