/**
 * Whether a soak stayed flat: for everything that must not grow, the median of the last third of the minutes against that
 * of the first third, after a warm-up in which caches fill and the first instances become old enough to be removed.
 */
import { median } from '../statistics.js';
import type { Sample } from './sample.js';

export interface Trend {
  what: string;
  unit: string;
  /** Medians of the first and of the last third. */
  first: number;
  last: number;
  /** Limits for the last third. */
  limit: number;
  isFlat: boolean;
}

export interface Verdict {
  trends: Trend[];
  /** Sentences; none when all is well. */
  problems: string[];
}

/** How much the last third may be above the first: a share of it, and as much as noise amounts to. */
interface Tolerance {
  share: number;
  noise: number;
}

interface Series {
  what: string;
  unit: 'MB' | 'ms' | 'rows' | 'instances';
  tolerance: Tolerance;
  values: readonly number[];
}

const MEGABYTE = 1024 * 1024;
const memory: Tolerance = { share: 0.1, noise: 5 };
/** Autovacuum lets a fifth of a table be dead before it comes, and pages come in hundreds. */
const tableSize: Tolerance = { share: 0.2, noise: 1 };
const deadRows: Tolerance = { share: 0.5, noise: 1000 };
const latency: Tolerance = { share: 0.25, noise: 10 };
const backlog: Tolerance = { share: 0.25, noise: 10 };

/** Tables whose rows have their own retention (`docs/retention.md`), longer than a soak: an id per removed instance. */
const keptForDays: ReadonlySet<string> = new Set(['gone_instances']);

/** An instance continues in a new run after 4,000 events (`workflows/instance/rotation.ts`), and one step may add more. */
const MAX_HISTORY_EVENTS = 5_000;
const OLDEST_OUTBOX_ROW_SECONDS = 30;

/** @param warmUpMinutes samples of these minutes do not count */
export function judge(samples: readonly Sample[], warmUpMinutes: number): Verdict {
  const counted = samples.filter(({ minute }) => minute > warmUpMinutes);
  if (counted.length < 3)
    return {
      trends: [],
      problems: [
        `Too short to judge: ${counted.length} minutes after ${warmUpMinutes} of warm-up, and at least 3 are needed`,
      ],
    };
  const trends = seriesOf(counted).map(trendOf);
  const grown = trends
    .filter(({ isFlat }) => !isFlat)
    .map(
      ({ what, unit, first, last, limit }) =>
        `${what} grew from ${show(first)} to ${show(last)} ${unit}, beyond ${show(limit)}`,
    );
  return { trends, problems: [...grown, ...broken(samples)] };
}

function seriesOf(samples: readonly Sample[]): Series[] {
  const names = (key: 'processes' | 'tables') => Object.keys(samples[0]![key]);
  const each = (
    what: string,
    unit: Series['unit'],
    tolerance: Tolerance,
    value: (sample: Sample) => number,
  ): Series => ({ what, unit, tolerance, values: samples.map(value) });
  return [
    ...names('processes').flatMap((name) => [
      each(`${name}: resident memory`, 'MB', memory, ({ processes }) => processes[name]!.rssBytes / MEGABYTE),
      each(`${name}: heap`, 'MB', memory, ({ processes }) => processes[name]!.heapBytes / MEGABYTE),
    ]),
    each('start: p99', 'ms', latency, ({ start }) => start.p99),
    each('read: p99', 'ms', latency, ({ read }) => read.p99),
    ...(['job', 'message', 'timer'] as const).map((shape) =>
      each(`start to end of ${shape}: p99`, 'ms', latency, ({ end }) => end[shape].p99),
    ),
    each('running instances', 'instances', backlog, ({ running }) => running),
    ...names('tables')
      .filter((name) => isWritten(samples, name) && !keptForDays.has(name))
      .flatMap((name) => [
        each(`table ${name}`, 'MB', tableSize, ({ tables }) => tables[name]!.bytes / MEGABYTE),
        each(`table ${name}: dead rows`, 'rows', deadRows, ({ tables }) => tables[name]!.deadRows),
      ]),
  ];
}

/** By its size too: a table that is emptied again and again may hold no rows in any sample and grow all the same. */
function isWritten(samples: readonly Sample[], table: string): boolean {
  return samples.some(
    ({ tables }) => tables[table]!.deadRows > 0 || tables[table]!.bytes !== samples[0]!.tables[table]!.bytes,
  );
}

function trendOf({ what, unit, tolerance, values }: Series): Trend {
  const measured = values.filter((value) => !Number.isNaN(value));
  const third = Math.ceil(measured.length / 3);
  const [first, last] = [median(measured.slice(0, third)), median(measured.slice(-third))];
  const limit = first * (1 + tolerance.share) + tolerance.noise;
  return { what, unit, first, last, limit, isFlat: last <= limit };
}

/** Events that must not happen even once. */
function broken(samples: readonly Sample[]): string[] {
  const problems: string[] = [];
  const errors = samples.flatMap((sample) => sample.errors);
  if (errors.length > 0) problems.push(`${errors.length} calls failed, the first one: ${errors[0]}`);
  const oldest = Math.max(...samples.map(({ outboxAgeSeconds }) => outboxAgeSeconds));
  if (!(oldest <= OLDEST_OUTBOX_ROW_SECONDS))
    problems.push(`A row waited ${show(oldest)} s to be sent, more than ${OLDEST_OUTBOX_ROW_SECONDS}`);
  const events = Math.max(...samples.map(({ history }) => history.events));
  if (events > MAX_HISTORY_EVENTS) problems.push(`A run had ${events} events, more than ${MAX_HISTORY_EVENTS}`);
  for (const name of Object.keys(samples[0]!.processes)) {
    if (new Set(samples.map(({ processes }) => processes[name]!.startedAt)).size > 1)
      problems.push(`${name} died and was started again`);
  }
  return problems;
}

function show(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}
