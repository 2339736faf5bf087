/** Process tests in milliseconds: the interpreter of the host, in memory and in virtual time. This is the entry for Node.js. */
export { readTests } from './camunda/read-tests.js';
export type { ReadTest } from './camunda/test-cases.js';
export type { CoveredElement, FileCoverage } from './coverage.js';
export { modelsIn, ScenarioFailed, testScenario } from './files/test-scenario.js';
export { testProcess, type FileTestProcess as TestProcess, type TestProcessOptions } from './files/test-process.js';
export { ExpectationFailed, type TestInstance } from './instance.js';
export type { OpenedState } from './memory-host.js';
export { ImportRefused, type GivenInstance } from './memory/imports.js';
export { ModelRefused } from './model-refused.js';
export { PayloadTooLarge } from './payload-limit.js';
export { openBundle, type Bundle, type ScenarioFile } from './scenario/bundle.js';
export { ScenarioCoverage, type CoverageReport, type FileReport } from './scenario/coverage.js';
export { describeFailure } from './scenario/describe.js';
export { expectAll, expectAmong, expectNoOtherIncidents, type Observation } from './scenario/expectations.js';
export { StepFailed, type Difference, type Failure } from './scenario/failure.js';
export { runScenario, type ScenarioResult } from './scenario/run.js';
export {
  InvalidScenario,
  readScenario,
  type Expectation,
  type Scenario,
  type Step,
  type StepContents,
  type StepKind,
} from './scenario/scenario.js';
export { scenarioSchema } from './scenario/schema.js';
export type { TestJob, TestTask } from './work.js';
