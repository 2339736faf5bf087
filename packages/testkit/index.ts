/** Process tests in milliseconds: the interpreter of the host, in memory and in virtual time. */
export type { CoveredElement, FileCoverage } from './coverage.js';
export { ExpectationFailed, type TestInstance } from './instance.js';
export { ModelRefused } from './model-refused.js';
export { PayloadTooLarge } from './payload-limit.js';
export { testProcess, type TestProcess, type TestProcessOptions } from './process.js';
export type { TestJob, TestTask } from './work.js';
