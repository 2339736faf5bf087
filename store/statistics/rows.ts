/** The sums of one node, or of instances as a whole, in some time. */
import { SEPARATOR, Sketch } from './sketch.js';

export const counters = ['started', 'completed', 'failed', 'canceled', 'incidents'] as const;
export const distributions = ['durations', 'waiting', 'working'] as const;

export type Counter = (typeof counters)[number];
export type Distribution = (typeof distributions)[number];

export type Sums = Record<Counter, number> & Record<Distribution, Sketch>;

/** The node id of instances as a whole. */
export const WHOLE_INSTANCE = '';

/** Ids of BPMN files have no colon, so this is the id of no node. */
const FLOW_PREFIX = 'flow:';

/** The node id under which a sequence flow is counted as started whenever it is taken. */
export function keyOfFlow(flowID: string): string {
  return `${FLOW_PREFIX}${flowID}`;
}

/** Undefined if the row is not that of a sequence flow. */
export function flowOfKey(nodeID: string): string | undefined {
  return nodeID.startsWith(FLOW_PREFIX) ? nodeID.slice(FLOW_PREFIX.length) : undefined;
}

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

/** The same of a group of rows, in one row. */
export const mergedColumns = [
  ...counters.map((name) => `sum(${name})::float8 AS ${name}`),
  ...distributions.map((name) => `string_agg(${name}, ${SEPARATOR}) AS ${name}`),
].join(', ');

export function addRow(sums: Sums, row: SumsRow): void {
  for (const counter of counters) sums[counter] += row[counter];
  for (const name of distributions) {
    const bytes = row[name];
    if (bytes) sums[name].mergeEncoded(bytes);
  }
}
