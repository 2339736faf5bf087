/** Addresses of the lists behind the numbers, relative to the project. */
import { endedIn, startedIn } from '../../features/statistics/range.js';

const hourMs = 3_600_000;
const hoursOfADay = 24;

export function instances(filter: Readonly<Record<string, string>>): string {
  return `instances?${new URLSearchParams(filter)}`;
}

export function started(since: number): string {
  return instances({ createdAfter: justBefore(since) });
}

export function ended(since: number, status: string): string {
  return instances({ status, completedAfter: justBefore(since) });
}

export function openTasks(filter: { unassigned?: 'true'; due?: 'overdue' } = {}): string {
  return `tasks?${new URLSearchParams({ view: 'all', ...filter })}`;
}

/** Running instances that are older than this. */
export function runningLongerThan(ageMs: number, atMs: number): string {
  return instances({ status: 'RUNNING', createdBefore: new Date(atMs - ageMs).toISOString() });
}

/** The beginning of the last 24 hours as the API counts them: the current hour and the 23 before it. */
export function firstHourOf(asOf: string): number {
  return Math.floor(Date.parse(asOf) / hourMs) * hourMs - (hoursOfADay - 1) * hourMs;
}

/** Lists exclude the instant itself. */
function justBefore(timeMs: number): string {
  return new Date(timeMs - 1).toISOString();
}

/** Instances that started from `begin` to before `end`, by their process if there is one. */
export function startedBetween(begin: number, end: number, processId?: string): string {
  return instances({ ...(processId !== undefined && { processId }), ...startedIn(begin, end) });
}

/** Instances that ended from `begin` to before `end`. */
export function endedBetween(begin: number, end: number, filter: { processId?: string; status?: string } = {}): string {
  return instances({ ...filter, ...endedIn(begin, end) });
}

/** Open incidents that were raised from `begin` to before `end`. */
export function raisedBetween(begin: number, end: number): string {
  const window = { since: new Date(begin).toISOString(), until: new Date(end - 1).toISOString() };
  return `incidents?${new URLSearchParams(window)}`;
}

/** The incidents of a group, by what they have in common apart from their message. */
export function incidentsLike({
  processID,
  nodeID,
  errorType,
  errorCode,
}: {
  processID: string;
  nodeID: string;
  errorType: string;
  errorCode?: string;
}): string {
  const filter = { processId: processID, nodeID, errorType, ...(errorCode !== undefined && { errorCode }) };
  return `incidents?${new URLSearchParams(filter)}`;
}

/** Statistics of a process in a range of time. */
export function statisticsOf(processID: string, view: 'count' | 'time', range: string): string {
  return `processes/${encodeURIComponent(processID)}?${new URLSearchParams({ view, range })}`;
}
