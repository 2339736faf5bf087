import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** The numbers the API keeps about itself. They are served on a port of their own, never by the API. */
export interface ApiMetrics {
  readonly registry: Registry;
  readonly requestSeconds: Histogram<'operation' | 'method' | 'status'>;
  readonly denials: Counter<'code'>;
  /** Of messages: taken by nobody in time. */
  readonly expiredPublications: Counter<'type'>;
  /** Older than its project wants it kept. */
  readonly removedHistory: Counter<'kind'>;
}

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
    removedHistory: new Counter({
      name: 'perdure_removed_history_total',
      help: 'Ended instances and evaluations of decisions, removed after the time their project keeps them.',
      labelNames: ['kind'],
      registers: [registry],
    }),
  };
}
