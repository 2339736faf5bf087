/** A soak as text. */
import type { Latency, Sample } from './sample.js';
import type { Trend } from './verdict.js';

const MEGABYTE = 1024 * 1024;

const columns: { title: string; width: number; value(sample: Sample): string }[] = [
  { title: 'minute', width: 6, value: ({ minute }) => minute.toFixed(1) },
  { title: 'load', width: 5, value: ({ loadAverage }) => loadAverage.toFixed(1) },
  { title: 'offered', width: 7, value: ({ offered }) => String(offered) },
  { title: 'ended', width: 6, value: ({ ended }) => String(ended) },
  { title: 'running', width: 7, value: ({ running }) => String(running) },
  { title: 'errors', width: 6, value: ({ errors }) => String(errors.length) },
  { title: 'start ms', width: 11, value: ({ start }) => both(start) },
  { title: 'read ms', width: 11, value: ({ read }) => both(read) },
  { title: 'job ms', width: 11, value: ({ end }) => both(end.job) },
  { title: 'message ms', width: 11, value: ({ end }) => both(end.message) },
  { title: 'timer ms', width: 11, value: ({ end }) => both(end.timer) },
  { title: 'RSS MB', width: 26, value: ({ processes }) => megabytes(processes, ({ rssBytes }) => rssBytes) },
  { title: 'heap MB', width: 20, value: ({ processes }) => megabytes(processes, ({ heapBytes }) => heapBytes) },
  { title: 'tables MB', width: 9, value: ({ tables }) => (sum(tables, ({ bytes }) => bytes) / MEGABYTE).toFixed(1) },
  { title: 'dead rows', width: 9, value: ({ tables }) => String(sum(tables, ({ deadRows }) => deadRows)) },
  { title: 'outbox s', width: 8, value: ({ outboxAgeSeconds }) => outboxAgeSeconds.toFixed(2) },
  { title: 'events', width: 6, value: ({ history }) => String(history.events) },
];

/** The heads of the columns of `line`; latencies are p50/p99, memory is per process, APIs first. */
export function header(): string {
  return columns.map(({ title, width }) => title.padStart(width)).join('  ');
}

export function line(sample: Sample): string {
  return columns.map(({ width, value }) => value(sample).padStart(width)).join('  ');
}

/** The compared figures with their limits; those that grew are marked. */
export function table(trends: readonly Trend[]): string {
  const widest = Math.max(0, ...trends.map(({ what }) => what.length));
  const heading = `${'median of the'.padEnd(widest)}  ${'first third'.padStart(12)}  ${'last third'.padStart(12)}  ${'limit'.padStart(12)}`;
  const body = trends.map(
    ({ what, unit, first, last, limit, isFlat }) =>
      `${what.padEnd(widest)}  ${number(first)}  ${number(last)}  ${number(limit)}  ${unit}${isFlat ? '' : '  <- grew'}`,
  );
  return [heading, ...body].join('\n');
}

function both({ p50, p99 }: Latency): string {
  return `${p50.toFixed(0)}/${p99.toFixed(0)}`;
}

function megabytes(processes: Sample['processes'], bytes: (memory: Sample['processes'][string]) => number): string {
  return Object.values(processes)
    .map((memory) => (bytes(memory) / MEGABYTE).toFixed(0))
    .join(' ');
}

function sum(tables: Sample['tables'], value: (size: Sample['tables'][string]) => number): number {
  return Object.values(tables).reduce((total, size) => total + value(size), 0);
}

function number(value: number): string {
  return value.toFixed(1).padStart(12);
}
