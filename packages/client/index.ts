/** The REST API for TypeScript: typed calls, job workers and access tokens. */
export { awaitResult, type AwaitedInstance } from './await-result.js';
export { followEvents, type FollowedFeed } from './follow-events.js';
export { accessTokens, type ServiceAccount } from './access-tokens.js';
export { unwrap, createClient, type ClientOptions, type PerdureClient } from './client.js';
export {
  BpmnError,
  Decision,
  LeaseLost,
  workOnJobs,
  type Job,
  type JobHandler,
  type JobResult,
  type JobWorkerOptions,
  type Variables,
} from './job-worker.js';
export { ApiError } from './api-error.js';
export { lists, type FilterDescription, type ListDescription, type SlowOrder } from './lists.js';
export { fastOrders, type ListOrder } from './fast-orders.js';
export type { Filterable, FilterValues } from './filter-values.js';
export type { components, operations, paths, Schemas } from './schema.js';
