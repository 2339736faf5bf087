/** The entry for browsers: the same interpreter, for files that are in memory. */
export { readTests } from './camunda/read-tests.js';
export type { ReadTest } from './camunda/test-cases.js';
export type { CoveredElement, FileCoverage } from './coverage.js';
export { ExpectationFailed, type TestInstance } from './instance.js';
export type { OpenedState } from './memory-host.js';
export { ModelRefused } from './model-refused.js';
export { PayloadTooLarge } from './payload-limit.js';
export { openProcess, TestProcess, type ModelFile, type ProcessOptions } from './process.js';
export { openBundle, type Bundle, type ScenarioFile } from './scenario/bundle.js';
export { ScenarioCoverage, type CoverageReport, type FileReport } from './scenario/coverage.js';
export { describeFailure } from './scenario/describe.js';
export type { Difference, Failure } from './scenario/failure.js';
export { runScenario, type ScenarioResult } from './scenario/run.js';
export { InvalidScenario, readScenario, type Expectation, type Scenario, type Step } from './scenario/scenario.js';
export { scenarioSchema } from './scenario/schema.js';
export type { TaskUpdate, TestJob, TestTask } from './work.js';
