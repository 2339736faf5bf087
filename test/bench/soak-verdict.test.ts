import { expect, test } from 'vitest';
import type { Sample } from '../../bench/soak/sample.js';
import { judge } from '../../bench/soak/verdict.js';

const MEGABYTE = 1024 * 1024;

/** A minute in which all is well. */
function quiet(minute: number, changes: Partial<Sample> = {}): Sample {
  const latency = { p50: 10, p99: 40 };
  return {
    minute,
    loadAverage: 1,
    offered: 300,
    ended: 300,
    running: 5,
    errors: [],
    start: latency,
    read: latency,
    end: { job: latency, message: latency, timer: latency },
    processes: { 'worker-1': { rssBytes: 200 * MEGABYTE, heapBytes: 50 * MEGABYTE, startedAt: 1 } },
    tables: { steps: { bytes: 10 * MEGABYTE, liveRows: 1000, deadRows: 100 } },
    outboxAgeSeconds: 0,
    history: { events: 1500, bytes: 100_000 },
    temporalBytes: minute * MEGABYTE,
    ...changes,
  };
}

function minutes(count: number, changes: (minute: number) => Partial<Sample> = () => ({})): Sample[] {
  return Array.from({ length: count }, (_, index) => quiet(index + 1, changes(index + 1)));
}

const worker = (rss: number, startedAt = 1) => ({
  processes: { 'worker-1': { rssBytes: rss * MEGABYTE, heapBytes: 50 * MEGABYTE, startedAt } },
});

test('a soak in which nothing grows has no problems', () => {
  expect(judge(minutes(30), 10).problems).toEqual([]);
});

test('memory that keeps growing after the warm-up is named with its figures', () => {
  const { problems } = judge(
    minutes(30, (minute) => worker(200 + 5 * minute)),
    0,
  );
  expect(problems).toEqual(['worker-1: resident memory grew from 230 to 330 MB, beyond 258']);
});

test('growth during the warm-up does not count', () => {
  expect(
    judge(
      minutes(30, (minute) => worker(200 + 20 * Math.min(minute, 10))),
      10,
    ).problems,
  ).toEqual([]);
});

test('a table that grows without a bound is named', () => {
  const { problems } = judge(
    minutes(30, (minute) => ({ tables: { steps: { bytes: minute * MEGABYTE, liveRows: 0, deadRows: 0 } } })),
    0,
  );
  expect(problems).toEqual(['table steps grew from 6.0 to 26.0 MB, beyond 8.2']);
});

test('a table without writes is not shown', () => {
  const still = { tables: { steps: { bytes: MEGABYTE, liveRows: 4, deadRows: 0 } } };
  expect(
    judge(
      minutes(9, () => still),
      0,
    ).trends.filter(({ what }) => what.startsWith('table')),
  ).toEqual([]);
});

test('a minute in which nothing of a kind ended is left out', () => {
  const nothing = { p50: Number.NaN, p99: Number.NaN };
  expect(
    judge(
      minutes(30, (minute) => (minute % 4 === 0 ? { start: nothing } : {})),
      0,
    ).problems,
  ).toEqual([]);
});

test('calls that failed, rows that waited, histories without a bound and parts that died are problems even once', () => {
  const samples = minutes(9, (minute) =>
    minute === 5 ? { errors: ['POST returned 500'], outboxAgeSeconds: 61, history: { events: 20_000, bytes: 1 } } : {},
  );
  samples[8] = quiet(9, worker(200, 2));
  expect(judge(samples, 0).problems).toEqual([
    '1 calls failed, the first one: POST returned 500',
    'A row waited 61.0 s to be sent, more than 30',
    'A run had 20000 events, more than 5000',
    'worker-1 died and was started again',
  ]);
});

test('too few minutes give no verdict', () => {
  expect(judge(minutes(4), 2).problems).toEqual([
    'Too short to judge: 2 minutes after 2 of warm-up, and at least 3 are needed',
  ]);
});

test('a table whose rows are kept for days may grow', () => {
  const grown = minutes(30, (minute) => ({
    tables: { gone_instances: { bytes: minute * MEGABYTE, liveRows: 1000 * minute, deadRows: 0 } },
  }));
  expect(judge(grown, 0).problems).toEqual([]);
});
