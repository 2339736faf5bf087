/** The entry for browsers: the same interpreter, for files that are in memory. */
export type { CoveredElement, FileCoverage } from './coverage.js';
export { ExpectationFailed, type TestInstance } from './instance.js';
export { ModelRefused } from './model-refused.js';
export { PayloadTooLarge } from './payload-limit.js';
export { openProcess, TestProcess, type ModelFile, type ProcessOptions } from './process.js';
export type { TestJob, TestTask } from './work.js';
