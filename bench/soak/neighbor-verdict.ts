/** Latencies next to the neighbor, compared with those before it came. */
import { median } from '../statistics.js';
import type { Sample } from './sample.js';
import type { Trend, Verdict } from './verdict.js';

const MOST = 2;

const latencies: readonly [what: string, of: (sample: Sample) => number][] = [
  ['p99 of starts', ({ start }) => start.p99],
  ['p99 of reads', ({ read }) => read.p99],
  ['p99 of instances with a job', ({ end }) => end.job.p99],
  ['p99 of instances with a message', ({ end }) => end.message.p99],
  ['p99 of instances with a timer', ({ end }) => end.timer.p99],
];

/**
 * @param samples after the warm-up
 * @param minutes after which the neighbor came
 */
export function compareWithNeighbor(samples: readonly Sample[], minutes: number): Verdict {
  // The minute in which the neighbor came has some of both.
  const before = samples.filter(({ minute }) => minute < minutes + 0.5);
  const beside = samples.filter(({ minute }) => minute > minutes + 1.5);
  const trends = latencies.map(([what, of]): Trend => {
    const [first, last] = [median(before.map(of)), median(beside.map(of))];
    return { what, unit: 'ms', first, last, limit: MOST * first, isFlat: last <= MOST * first };
  });
  const errors = samples.flatMap((sample) => sample.errors);
  return {
    trends,
    problems: [
      ...trends.filter(({ isFlat }) => !isFlat).map(({ what }) => `${what} more than doubled`),
      ...(errors.length > 0 ? [`${errors.length} calls failed, for example: ${errors[0]}`] : []),
    ],
  };
}
