/** Statistics over time, step by step. */
import type { StatisticsStep } from './types.js';

/** The steps of a compared version at the times of the others. The two may start at different hours. */
export function alignedWith(
  steps: readonly StatisticsStep[],
  others: readonly StatisticsStep[],
): (StatisticsStep | undefined)[] {
  const known = new Map(others.map((step) => [Date.parse(step.time), step]));
  return steps.map(({ time }) => known.get(Date.parse(time)));
}

export function sumOf(
  steps: readonly StatisticsStep[],
  member: 'started' | 'completed' | 'canceled' | 'failed' | 'incidents',
): number {
  return steps.reduce((sum, step) => sum + step[member], 0);
}

/** The number of instances that ended, in any way. */
export function endsOf({ completed, canceled, failed }: StatisticsStep): number {
  return completed + canceled + failed;
}

/** The steps in which something happened. */
export function busySteps(steps: readonly StatisticsStep[]): StatisticsStep[] {
  return steps.filter((step) => step.started + step.incidents + endsOf(step) > 0);
}
