/** Where the bars of element instances are on a time axis, and which element instances contain which. */

/** The members of an entry of the history that the layout reads. Times are as the API has them. */
export interface Activity {
  elementInstanceID: string;
  scopeID: string;
  startTime: string;
  endTime?: string;
  executionKey?: string;
  workStartedAt?: string;
}

export interface RaisedIncident {
  elementInstanceID: string;
  raisedAt: string;
  resolvedAt?: string;
}

/** Epoch milliseconds; the end is after the start. */
export interface Axis {
  startMs: number;
  endMs: number;
}

/** An element instance with those inside it, in the order in which they started. */
export interface Nested<A> {
  activity: A;
  inner: readonly Nested<A>[];
}

/** Only jobs and user tasks are divided into waiting and working. */
export type Phase = 'active' | 'waiting' | 'working';

/** In percent of the axis. */
export interface Place {
  left: number;
  width: number;
}

export interface Segment extends Place {
  phase: Phase;
  lengthMs: number;
}

export interface Bar {
  segments: readonly Segment[];
  /** Whether it has no end yet, so that the last segment ends at the end of the axis. */
  isOpen: boolean;
  lengthMs: number;
}

export interface Tick {
  left: number;
  /** From the start of the axis. */
  offsetMs: number;
}

/** The axis of an instance that has not ended ends now. It is at least a millisecond long. */
export function axisOf(startMs: number, endMs: number | undefined, nowMs: number): Axis {
  return { startMs, endMs: Math.max(endMs ?? nowMs, startMs + 1) };
}

/** Entries whose scope is not among them, such as those of the process itself, come first. */
export function nest<A extends Activity>(activities: readonly A[]): Nested<A>[] {
  const known = new Set(activities.map(({ elementInstanceID }) => elementInstanceID));
  const byScope = new Map<string, A[]>();
  for (const activity of activities) {
    const scope = known.has(activity.scopeID) ? activity.scopeID : '';
    byScope.set(scope, [...(byScope.get(scope) ?? []), activity]);
  }
  const inside = (scope: string): Nested<A>[] =>
    (byScope.get(scope) ?? []).map((activity) => ({ activity, inner: inside(activity.elementInstanceID) }));
  return inside('');
}

/** The place of a time span on the axis. What is outside of the axis is cut off. */
export function placeOf({ startMs, endMs }: Axis, fromMs: number, untilMs: number): Place {
  const percent = (timeMs: number) =>
    (Math.min(Math.max(timeMs, startMs), endMs) - startMs) * (100 / (endMs - startMs));
  const left = percent(fromMs);
  return { left, width: Math.max(0, percent(untilMs) - left) };
}

export function barOf(activity: Activity, axis: Axis): Bar {
  const startMs = Date.parse(activity.startTime);
  const { endTime } = activity;
  const endMs = Math.max(startMs, endTime === undefined ? axis.endMs : Date.parse(endTime));
  const segments = phasesOf(activity, startMs, endMs).map(([phase, fromMs, untilMs]): Segment => ({
    phase,
    lengthMs: untilMs - fromMs,
    ...placeOf(axis, fromMs, untilMs),
  }));
  return { segments, isOpen: endTime === undefined, lengthMs: endMs - startMs };
}

function phasesOf(
  { executionKey, workStartedAt }: Activity,
  startMs: number,
  endMs: number,
): [phase: Phase, fromMs: number, untilMs: number][] {
  if (executionKey === undefined) return [['active', startMs, endMs]];
  if (workStartedAt === undefined) return [['waiting', startMs, endMs]];
  // The clocks of the database and of a worker differ a little.
  const workMs = Math.min(Math.max(Date.parse(workStartedAt), startMs), endMs);
  return [
    ['waiting', startMs, workMs],
    ['working', workMs, endMs],
  ];
}

/** Incidents by the element instance that stopped at them. */
export function incidentsByElement<I extends RaisedIncident>(incidents: readonly I[]): ReadonlyMap<string, I[]> {
  const found = new Map<string, I[]>();
  for (const incident of incidents)
    found.set(incident.elementInstanceID, [...(found.get(incident.elementInstanceID) ?? []), incident]);
  return found;
}

/**
 * Round distances from the start of the axis.
 *
 * @param increments distances that are easy to read, in milliseconds, ascending
 * @param most how many there may be after the first
 */
export function ticksOf({ startMs, endMs }: Axis, increments: readonly number[], most: number): Tick[] {
  const length = endMs - startMs;
  const increment = increments.find((candidate) => length / candidate <= most) ?? length;
  const count = Math.floor(length / increment) + 1;
  return Array.from({ length: count }, (_, index) => ({
    offsetMs: index * increment,
    left: (index * increment * 100) / length,
  }));
}
