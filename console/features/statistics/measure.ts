/** Statistics of nodes as marks of a diagram: frequency, duration, and changes. */
import { formatDuration } from '../../components/values/format-duration.js';
import type { FlowLabel, NodeMarks } from '../diagram/node-marks.js';
import { heatOf, heatScale, type HeatRange } from '../diagram/heat.js';
import type { NodeStatistics, ProcessStatistics } from './types.js';
import { sumOf } from './series.js';

export type Measure = 'count' | 'time';

export interface Measured {
  scale: readonly HeatRange[];
  marks: ReadonlyMap<string, NodeMarks>;
}

/** Percentiles have an error of 5 %, so smaller changes mean nothing. */
const leastChange = 0.05;

export function measureNodes(
  by: Measure,
  statistics: ProcessStatistics,
  compared: ProcessStatistics | undefined,
): Measured {
  const scale = heatScale(statistics.nodes.reduce((most, node) => Math.max(most, valueOf(by, node) ?? 0), 0));
  const late = missedByNode(statistics);
  const change = compared && changeBetween(by, statistics, compared);
  const marks = statistics.nodes.flatMap((node): [string, NodeMarks][] => {
    const value = valueOf(by, node);
    if (value === undefined) return [];
    const label = labelOf(by, value, change?.(node));
    const missed = by === 'time' ? late.get(node.nodeID) : undefined;
    return [
      [node.nodeID, { tokens: 0, incidents: 0, isPaused: false, heat: heatOf(value, scale), label, late: missed }],
    ];
  });
  return { scale, marks: new Map(marks) };
}

/** The number of times that each sequence flow was taken. */
export function labelFlows({ flows }: ProcessStatistics): ReadonlyMap<string, FlowLabel> {
  return new Map(
    flows.map(({ flowID, taken }) => [
      flowID,
      { text: compact(taken), title: `Taken ${sayValue('count', taken)} times` },
    ]),
  );
}

/** The number of activations of a node, or the 95th percentile of their durations. */
export function valueOf(by: Measure, { started, p95Ms }: NodeStatistics): number | undefined {
  return by === 'count' ? started || undefined : p95Ms;
}

export function sayValue(by: Measure, value: number): string {
  return by === 'count' ? value.toLocaleString('en') : formatDuration(value);
}

/** The label of a range of the color scale. */
export function sayRange(by: Measure, { from, to }: HeatRange): string {
  if (by === 'time') return `up to ${sayValue(by, to)}`;
  return from === to ? sayValue(by, to) : `${sayValue(by, from)}–${sayValue(by, to)}`;
}

/** The number of activations of each node that missed their target. */
export function missedByNode({ targets }: ProcessStatistics): ReadonlyMap<string, number> {
  const missedBy = new Map<string, number>();
  // A node has several targets if its target changed within the range.
  for (const { nodeID, missed } of targets)
    if (nodeID !== undefined && missed > 0) missedBy.set(nodeID, (missedBy.get(nodeID) ?? 0) + missed);
  return missedBy;
}

/**
 * The relative change of a node from the compared version, or undefined where that has none. Counts are taken per
 * started instance, because one version has usually run for longer than the other.
 */
export function changeBetween(by: Measure, statistics: ProcessStatistics, compared: ProcessStatistics) {
  const before = new Map(compared.nodes.map((node) => [node.nodeID, valueOf(by, node)]));
  const instances = by === 'count' ? sumOf(statistics.series, 'started') / sumOf(compared.series, 'started') : 1;
  return (node: NodeStatistics): number | undefined => {
    const [now, then] = [valueOf(by, node), before.get(node.nodeID)];
    if (now === undefined || then === undefined) return undefined;
    // In some ranges, one of the versions started nothing.
    const isComparable = instances > 0 && Number.isFinite(instances) && then > 0;
    return isComparable ? now / (then * instances) - 1 : undefined;
  };
}

export function sayChange(change: number): string {
  const percent = Math.round(change * 100);
  return percent === 0 ? '±0 %' : `${percent > 0 ? '+' : '−'}${Math.abs(percent).toLocaleString('en')} %`;
}

export function toneOf(by: Measure, change: number): 'plain' | 'better' | 'worse' {
  if (by === 'count' || Math.abs(change) < leastChange) return 'plain';
  return change < 0 ? 'better' : 'worse';
}

function labelOf(by: Measure, value: number, change: number | undefined): NonNullable<NodeMarks['label']> {
  const said = sayValue(by, value);
  const title = by === 'count' ? `Entered ${said} times` : `p95: ${said}`;
  if (change === undefined) return { text: by === 'count' ? compact(value) : said, title, tone: 'plain' };
  return { text: sayChange(change), title: `${title}: ${sayChange(change)}`, tone: toneOf(by, change) };
}

function compact(count: number): string {
  return count.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 1 });
}
