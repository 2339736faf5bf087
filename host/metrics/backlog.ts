/**
 * The backlog in Postgres. Queried on scrapes, at most every ten seconds and with a limit of two. The queries read the
 * start of indexes on pending rows, so their cost does not grow with the stored data.
 */
import { Gauge, type Registry } from 'prom-client';
import { readBacklog, type Backlog } from '../../store/backlog.js';
import type { Database } from '../../store/sql/database.js';

const FRESH_FOR_MS = 10_000;

/** Adds the gauges. They have no value while Postgres does not respond. */
export function addBacklogMetrics(registry: Registry, store: Database): void {
  const read = remembered(() => readBacklog(store).catch(() => undefined));
  const gauge = (name: string, help: string, labelNames: string[], fill: (gauge: Gauge, backlog: Backlog) => void) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const backlog = await read();
        this.reset();
        if (backlog) fill(this, backlog);
        else if (labelNames.length === 0) this.remove();
      },
    });
  gauge(
    'perdure_jobs_pending',
    'Jobs that have not ended, by type. At most 100,000 are counted; the types with the fewest jobs are ' +
      'combined as `other`.',
    ['task_type'],
    (jobs, { pendingJobs }) => {
      for (const { taskType, count } of pendingJobs) jobs.set({ task_type: taskType }, count);
    },
  );
  gauge('perdure_incidents_open', 'Open incidents; at most 100,000 are counted.', [], (incidents, { openIncidents }) =>
    incidents.set(openIncidents),
  );
  gauge(
    'perdure_event_delivery_age_seconds',
    'How long the event subscription that is furthest behind has been failing or waiting for a connector.',
    [],
    (age, { eventDeliveryAgeSeconds }) => age.set(eventDeliveryAgeSeconds),
  );
  gauge(
    'perdure_event_dead_letters',
    'Events whose delivery was given up; at most 100,000 are counted.',
    [],
    (letters, { deadLetters }) => letters.set(deadLetters),
  );
  gauge(
    'perdure_statistics_age_seconds',
    'How far the statistics are behind the step commits.',
    [],
    (age, { statisticsAgeSeconds }) => age.set(statisticsAgeSeconds),
  );
  gauge(
    'perdure_outbox_age_seconds',
    'Age of the oldest start or command that Temporal has not received, and of the oldest publication ' +
      'that has not been matched.',
    ['kind'],
    (age, { outboxAgeSeconds }) => {
      for (const [kind, seconds] of Object.entries(outboxAgeSeconds)) age.set({ kind }, seconds);
    },
  );
}

/** Shares one result among all scrapes within an interval. */
function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  let askedAt = -Infinity;
  return () => {
    if (!answer || performance.now() - askedAt >= FRESH_FOR_MS) {
      askedAt = performance.now();
      answer = ask();
    }
    return answer;
  };
}
