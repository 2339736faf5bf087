import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** The numbers the API keeps about itself. They are served on a port of their own, never by the API. */
export interface ApiMetrics {
  readonly registry: Registry;
  readonly requestSeconds: Histogram<'operation' | 'method' | 'status'>;
  readonly denials: Counter<'code'>;
  /** Of messages: taken by nobody in time. */
  readonly expiredPublications: Counter<'type'>;
  /** From the moment at which a job could be handed out to the moment at which it was. */
  readonly jobWaitSeconds: Histogram;
  /** From hand-out to the end that its worker reports. */
  readonly jobWorkSeconds: Histogram<'end'>;
  readonly jobsRequeued: Counter;
  /** Instances a search has looked at. */
  readonly searchedInstances: Counter;
  readonly searchSeconds: Histogram;
  /** Older than its project wants it kept. */
  readonly removedHistory: Counter<'kind'>;
}

/** Seconds; what waits for people and machines elsewhere may take hours. */
const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600];

export function createMetrics(): ApiMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'perdure_http_request_seconds',
      help: 'Time from request to answer, by operation.',
      labelNames: ['operation', 'method', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30, 60],
      registers: [registry],
    }),
    denials: new Counter({
      name: 'perdure_http_denials_total',
      help: 'Answers 401, 404 and 429, by problem code.',
      labelNames: ['code'],
      registers: [registry],
    }),
    expiredPublications: new Counter({
      name: 'perdure_expired_publications_total',
      help: 'Messages that nobody took and signals, dropped after their time to live.',
      labelNames: ['type'],
      registers: [registry],
    }),
    jobWaitSeconds: new Histogram({
      name: 'perdure_job_wait_seconds',
      help: 'How long a job that could be handed out waited for a worker.',
      buckets: latencyBuckets,
      registers: [registry],
    }),
    jobWorkSeconds: new Histogram({
      name: 'perdure_job_work_seconds',
      help: 'Time from the hand-out of a job to the end that its worker reports.',
      labelNames: ['end'],
      buckets: latencyBuckets,
      registers: [registry],
    }),
    jobsRequeued: new Counter({
      name: 'perdure_jobs_requeued_total',
      help: 'Technical failures of jobs that are tried again.',
      registers: [registry],
    }),
    searchedInstances: new Counter({
      name: 'perdure_search_instances_total',
      help: 'Instances that searches have scanned, screened ones included.',
      registers: [registry],
    }),
    searchSeconds: new Histogram({
      name: 'perdure_search_seconds',
      help: 'Time for one page of a search.',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60],
      registers: [registry],
    }),
    removedHistory: new Counter({
      name: 'perdure_removed_history_total',
      help: 'Ended instances and evaluations of decisions, removed after the time their project keeps them.',
      labelNames: ['kind'],
      registers: [registry],
    }),
  };
}
