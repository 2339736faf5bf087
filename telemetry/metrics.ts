import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** The metrics of the API. They are served on a separate port, never by the API itself. */
export interface ApiMetrics {
  readonly registry: Registry;
  readonly requestSeconds: Histogram<'operation' | 'method' | 'status'>;
  readonly denials: Counter<'code'>;
  /** By `place`, which is `loop` or `thread`: bytes of JSON that were read there. */
  readonly bodyBytes: Counter<'place'>;
  /** The same for JSON values. Bodies that were refused are not counted. */
  readonly bodyValues: Counter<'place'>;
  /** Connections and requests that a listener refused or cut off. */
  readonly refusedConnections: Counter<'listener' | 'reason'>;
  /** By type: publications that expired before anything consumed them. */
  readonly expiredPublications: Counter<'type'>;
  /** From the moment when a job could be leased to the moment when it was. */
  readonly jobWaitSeconds: Histogram;
  /** From the lease to the end that the job worker reports. */
  readonly jobWorkSeconds: Histogram<'end'>;
  readonly jobsRequeued: Counter;
  /** Instances that searches have scanned. */
  readonly searchedInstances: Counter;
  readonly searchSeconds: Histogram;
  /** History that is older than its project's retention. */
  readonly removedHistory: Counter<'kind'>;
}

/** Seconds. Requests that wait for people or external systems can take hours. */
const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600];

export function createMetrics(): ApiMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry, ...requestMetrics(registry), ...jobMetrics(registry), ...dataMetrics(registry) };
}

/** Requests, their bodies, and connections. */
function requestMetrics(registry: Registry) {
  return {
    requestSeconds: new Histogram({
      name: 'perdure_http_request_seconds',
      help: 'Time from request to response, by operation.',
      labelNames: ['operation', 'method', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30, 60],
      registers: [registry],
    }),
    denials: new Counter({
      name: 'perdure_http_denials_total',
      help: 'Responses 401, 404, and 429, by problem code.',
      labelNames: ['code'],
      registers: [registry],
    }),
    bodyBytes: new Counter({
      name: 'perdure_http_body_bytes_total',
      help: 'Bytes of JSON bodies that the event loop, or a thread, has read.',
      labelNames: ['place'],
      registers: [registry],
    }),
    bodyValues: new Counter({
      name: 'perdure_http_body_values_total',
      help: 'JSON values of bodies that the event loop has built, or a thread has verified.',
      labelNames: ['place'],
      registers: [registry],
    }),
    refusedConnections: new Counter({
      name: 'perdure_connections_refused_total',
      help: 'Connections that a listener refused or cut off, by listener and reason.',
      labelNames: ['listener', 'reason'],
      registers: [registry],
    }),
  };
}

function jobMetrics(registry: Registry) {
  return {
    jobWaitSeconds: new Histogram({
      name: 'perdure_job_wait_seconds',
      help: 'Time that a job which could be leased waited for a job worker.',
      buckets: latencyBuckets,
      registers: [registry],
    }),
    jobWorkSeconds: new Histogram({
      name: 'perdure_job_work_seconds',
      help: 'Time from the lease of a job to the end that its job worker reports.',
      labelNames: ['end'],
      buckets: latencyBuckets,
      registers: [registry],
    }),
    jobsRequeued: new Counter({
      name: 'perdure_jobs_requeued_total',
      help: 'Technical failures of jobs that are retried.',
      registers: [registry],
    }),
  };
}

/** Publications, searches, and retention. */
function dataMetrics(registry: Registry) {
  return {
    expiredPublications: new Counter({
      name: 'perdure_publications_expired_total',
      help: 'Expired publications: messages that nothing consumed, and signals.',
      labelNames: ['type'],
      registers: [registry],
    }),
    searchedInstances: new Counter({
      name: 'perdure_search_instances_scanned_total',
      help: 'Instances scanned by searches, including those that the prefilter excluded.',
      registers: [registry],
    }),
    searchSeconds: new Histogram({
      name: 'perdure_search_seconds',
      help: 'Duration of one page of a search.',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60],
      registers: [registry],
    }),
    removedHistory: new Counter({
      name: 'perdure_history_removed_total',
      help: 'Ended instances and decision evaluations removed after the retention of their project.',
      labelNames: ['kind'],
      registers: [registry],
    }),
  };
}
