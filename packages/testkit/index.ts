/** Process tests in milliseconds: the interpreter of the host, in memory and in virtual time. This is the entry for Node.js. */
export type { CoveredElement, FileCoverage } from './coverage.js';
export { testProcess, type FileTestProcess as TestProcess, type TestProcessOptions } from './files/test-process.js';
export { ExpectationFailed, type TestInstance } from './instance.js';
export { ModelRefused } from './model-refused.js';
export { PayloadTooLarge } from './payload-limit.js';
export type { TestJob, TestTask } from './work.js';
