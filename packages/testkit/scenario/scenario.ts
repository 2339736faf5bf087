/** A scenario: a test of a process as data. See `schema.ts`. */
import type { JobResult } from '@perdure/engine/contract/commands.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import type { InstanceStatus } from '@perdure/engine/state/state.js';
import { scenarioSchema } from './schema.js';
import { problemsOf } from './validate.js';

export interface Expectation {
  status?: InstanceStatus;
  active?: string[];
  passed?: string[];
  notPassed?: string[];
  variables?: Variables;
  incidents?: { node: string; type?: string }[];
}

/** Where a step applies. */
export interface Place {
  node?: string;
  type?: string;
  in?: string;
  /** Which of several that are open there, from 1: the oldest. */
  nth?: number;
}

type AtNode = Place & { node: string; variables?: Variables };

/** The content of each kind of step. */
export interface StepContents {
  completeJob: Place & { variables?: Variables; result?: JobResult };
  failJob: Place & { message?: string; retries?: number };
  throwError: Place & { code: string; variables?: Variables };
  completeTask: AtNode;
  publish: { message: string; correlation?: Json; variables?: Variables };
  signal: { name: string; variables?: Variables };
  advance: string;
  call: AtNode & { error?: string };
  triggerAdHoc: Place & { node: string; activity: string };
  setVariables: Variables;
  resolve: AtNode;
  expect: Expectation;
  /** Of test cases of Camunda; files of scenarios compare all active nodes. */
  expectAmong: { active?: string[]; notActive?: string[] };
}

export type StepKind = keyof StepContents;
/** One member: the kind of the step, with its content. */
export type Step = { [Kind in StepKind]?: StepContents[Kind] };

export interface Scenario {
  $schema?: string;
  name: string;
  process: string;
  files?: string[];
  now?: string;
  start?: { variables?: Variables; businessId?: string; startAt?: { nodeID: string; variables?: Variables }[] };
  steps: Step[];
  expect?: Expectation;
}

/** A file that is not a scenario. */
export class InvalidScenario extends Error {
  override name = 'InvalidScenario';

  constructor(file: string, problems: readonly string[]) {
    super(`${file} is not a scenario:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/**
 * @param file its name, for messages
 * @throws InvalidScenario with every problem
 */
export function readScenario(text: string, file: string): Scenario {
  const value = parseScenario(text, file);
  const problems = problemsOf(value, scenarioSchema);
  if (problems.length > 0) throw new InvalidScenario(file, problems);
  return value as Scenario;
}

/** @throws InvalidScenario if the text is not JSON */
export function parseScenario(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidScenario(file, [`the file is not JSON: ${(error as Error).message}`]);
  }
}
