/** Addresses of the lists behind the numbers, relative to the project. */
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
