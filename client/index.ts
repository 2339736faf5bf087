/** The REST API for TypeScript: typed calls, job workers and access tokens. */
export { accessTokens, type ServiceAccount } from './access-tokens.js';
export { answerOf, createClient, type ClientOptions, type PerdureClient } from './client.js';
export {
  BpmnError,
  LeaseLost,
  workOnJobs,
  type Job,
  type JobHandler,
  type JobWorkerOptions,
  type Variables,
} from './job-worker.js';
export { RefusedCall } from './refused-call.js';
export type { components, operations, paths, Schemas } from './schema.js';
