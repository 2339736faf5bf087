/** The sums of one node, or of instances as a whole, in some time. */
import { Sketch } from './sketch.js';

export const counters = ['started', 'completed', 'failed', 'canceled', 'incidents'] as const;
export const distributions = ['durations', 'waiting', 'working'] as const;

export type Counter = (typeof counters)[number];
export type Distribution = (typeof distributions)[number];

export type Sums = Record<Counter, number> & Record<Distribution, Sketch>;

/** The node id of instances as a whole. */
export const WHOLE_INSTANCE = '';

export function noSums(): Sums {
  return {
    started: 0,
    completed: 0,
    failed: 0,
    canceled: 0,
    incidents: 0,
    durations: new Sketch(),
    waiting: new Sketch(),
    working: new Sketch(),
  };
}

/** A row of the table `statistics`. */
export type SumsRow = Record<Counter, number> & Record<Distribution, Buffer | null>;

export const sumsColumns = [
  ...counters.map((name) => `${name}::float8 AS ${name}`),
  ...distributions.map((name) => name as string),
].join(', ');

export function addRow(sums: Sums, row: SumsRow): void {
  for (const counter of counters) sums[counter] += row[counter];
  for (const name of distributions) {
    const bytes = row[name];
    if (bytes) sums[name].mergeEncoded(bytes);
  }
}
