/** A bar in words, for screen readers and as a tooltip. */
import { formatDuration } from '../../../../components/values/format-duration.js';
import type { Axis, Bar, Phase, RaisedIncident } from './layout.js';

const verbs: Readonly<Record<Phase, string>> = { active: 'took', waiting: 'waited', working: 'worked' };

export interface Told {
  startTime: string;
  status: 'Started' | 'Completed' | 'Failed' | 'Canceled';
}

/** "Started after 2.0 s, waited 3.0 s, worked 1.5 s. Completed." Times count from the start of the axis. */
export function sayBar(
  { startTime, status }: Told,
  bar: Bar,
  axis: Axis,
  incidents: readonly RaisedIncident[],
): string {
  const phases = bar.segments
    .filter(({ lengthMs }, index) => lengthMs > 0 || index === bar.segments.length - 1)
    .map(({ phase, lengthMs }) => `${verbs[phase]} ${formatDuration(lengthMs)}`);
  const end = bar.isOpen ? 'Still running.' : `${status}.`;
  const stops = incidents.map(({ raisedAt, resolvedAt }) =>
    resolvedAt === undefined
      ? `Open incident, raised ${sayOffset(raisedAt, axis)}.`
      : `Incident raised ${sayOffset(raisedAt, axis)}, resolved ${sayOffset(resolvedAt, axis)}.`,
  );
  return [`Started ${sayOffset(startTime, axis)}, ${phases.join(', ')}.`, end, ...stops].join(' ');
}

function sayOffset(time: string, { startMs }: Axis): string {
  return `after ${formatDuration(Math.max(0, Date.parse(time) - startMs))}`;
}
