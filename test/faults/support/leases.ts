/** Leases as a trigger of the test writes them down, and what limits allow of them. */
import type { Queryable } from '../../../store/sql/database.js';
import { rows } from '../../../store/sql/database.js';

/** Times are in milliseconds since the epoch. */
export interface Span {
  /** When its begin was written, before the commit of its transaction. */
  from: number;
  /** When its end was written. */
  until: number;
}

/** It ends when it expires at the latest. */
export interface Lease extends Span {
  taskType: string;
  key: string;
  client: string;
  /** When the statement that leased it began. */
  leasedAt: number;
}

/** From here on, each lease and its end is written to `lease_log`, whatever the product writes elsewhere. */
export async function logLeases(database: Queryable): Promise<void> {
  await database.query(`
    CREATE TABLE lease_log (
      workflow_id text, number integer, lease integer, task_type text, limit_key text, client text,
      leased_at timestamptz, noted_at timestamptz DEFAULT clock_timestamp(), expires_at timestamptz, ended_at timestamptz,
      PRIMARY KEY (workflow_id, number, lease)
    );
    CREATE FUNCTION log_lease() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.lease > OLD.lease THEN
        INSERT INTO lease_log VALUES (NEW.workflow_id, NEW.number, NEW.lease, NEW.task_type, NEW.limit_key, NEW.locked_by, NEW.leased_at, DEFAULT, NEW.lock_expires_at);
      ELSIF NEW.status <> 'PENDING' OR NEW.ending_command IS NOT NULL OR NEW.lock_expires_at IS NULL THEN
        UPDATE lease_log SET ended_at = clock_timestamp()
        WHERE workflow_id = NEW.workflow_id AND number = NEW.number AND lease = NEW.lease AND ended_at IS NULL;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER log_lease AFTER UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION log_lease()`);
}

export function readLeases(database: Queryable): Promise<Lease[]> {
  const milliseconds = (time: string) => `(extract(epoch FROM ${time}) * 1000)::float8`;
  return rows<Lease>(
    database,
    `SELECT task_type AS "taskType", limit_key AS key, client, ${milliseconds('leased_at')} AS "leasedAt", ${milliseconds('noted_at')} AS from,
       ${milliseconds('least(ended_at, expires_at)')} AS until FROM lease_log ORDER BY leased_at`,
    [],
  );
}

/** The largest number at one time. One that begins when another ends is not at the same time. */
export function mostAtOnce(spans: readonly Span[]): number {
  // There can be more than a call has room for as arguments.
  return steps(spans).reduce((most, { count }) => Math.max(most, count), 0);
}

/**
 * The longest time in which fewer than `count` last while at least one waits, between two times, in milliseconds.
 * Something that is free while nothing waits for it is not lost.
 */
export function longestFree(
  { spans, waiting, count }: { spans: readonly Span[]; waiting: readonly Span[]; count: number },
  from: number,
  until: number,
): number {
  let [longest, since]: [number, number | undefined] = [0, undefined];
  for (const { at, lasting, waits } of states(spans, waiting)) {
    if (at < from || at > until) continue;
    if (lasting < count && waits > 0) since ??= at;
    else if (since !== undefined) {
      longest = Math.max(longest, at - since);
      since = undefined;
    }
  }
  return longest;
}

/** How many last, and how many wait, from each time on. */
function states(spans: readonly Span[], waiting: readonly Span[]): { at: number; lasting: number; waits: number }[] {
  const changes = [
    ...changesOf(spans).map(({ at, by }) => ({ at, spans: by, waits: 0 })),
    ...changesOf(waiting).map(({ at, by }) => ({ at, spans: 0, waits: by })),
  ];
  let [lasting, waits] = [0, 0];
  return changes
    .toSorted((a, b) => a.at - b.at)
    .map((change) => ({ at: change.at, lasting: (lasting += change.spans), waits: (waits += change.waits) }));
}

/** How many there are from each time on. */
function steps(spans: readonly Span[]): { at: number; count: number }[] {
  let count = 0;
  return changesOf(spans)
    .toSorted((a, b) => a.at - b.at || a.by - b.by)
    .map(({ at, by }) => ({ at, count: (count += by) }));
}

function changesOf(spans: readonly Span[]): { at: number; by: number }[] {
  return spans.flatMap(({ from, until }) => [
    { at: from, by: 1 },
    { at: until, by: -1 },
  ]);
}

/** The largest number of leases in any window, which need to look at windows that end with a lease only. */
export function mostInAnyWindow(leases: readonly Lease[], perMilliseconds: number): number {
  const times = leases.map(({ leasedAt }) => leasedAt).toSorted((a, b) => a - b);
  let [first, most] = [0, 0];
  times.forEach((time, last) => {
    while (times[first]! <= time - perMilliseconds) first += 1;
    most = Math.max(most, last - first + 1);
  });
  return most;
}

/** The average number of leases between two times. */
export function averageLeased(leases: readonly Span[], from: number, until: number): number {
  const time = leases.reduce((sum, lease) => sum + overlap(lease, from, until), 0);
  return time / (until - from);
}

function overlap(lease: Span, from: number, until: number): number {
  return Math.max(0, Math.min(lease.until, until) - Math.max(lease.from, from));
}
