export { convertModel, type Conversion } from './convert.js';
export { convertInThread } from './in-thread.js';
export type { Job } from './context.js';
export type { Finding, Outcome } from './report.js';
export { UnreadableFile } from './xml/document.js';
export { workerStubs, type SourceFile } from './worker-stubs.js';
