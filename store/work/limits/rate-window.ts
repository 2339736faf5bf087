/**
 * The window of a rate. Each lease is an entry with its time, so any window is exact. Above `MAX_ENTRIES`, a lease counts
 * at the end of its slot instead: a window that covers a slot partly counts it whole.
 */

/** Up to this count, each lease has its own time. */
export const MAX_ENTRIES = 1_000;
/** A window of this many slots touches one more. */
export const SLOTS_PER_WINDOW = 63;

/** SQL: how many leases of the group `g` are in the window that ends at `at`; `l` is its row of `job_limits`. */
export function usedOf(g: string, l: string, at: string): string {
  return `(SELECT coalesce(sum(e.leases), 0) FROM unnest(${g}.counted_at, ${g}.counted) AS e(at, leases) WHERE ${isInWindow('e.at', l, at)})`;
}

/** SQL: when the first lease of the group `g` leaves the window. */
export function reopensAt(g: string, l: string, at: string): string {
  return `(SELECT min(e.at) FROM unnest(${g}.counted_at) AS e(at) WHERE ${isInWindow('e.at', l, at)}) + ${windowOf(l)}`;
}

/** SQL: whether a lease counts in the window that ends at `at`. */
export function isInWindow(lease: string, l: string, at: string): string {
  return `${lease} > ${at} - ${windowOf(l)}`;
}

function windowOf(l: string): string {
  return `${l}.rate_per_ms * interval '1 millisecond'`;
}

/** SQL: the time at which a lease of `at` counts. */
export function countedAt(l: string, at: string): string {
  const slotMs = `ceil(${l}.rate_per_ms / ${SLOTS_PER_WINDOW}.0)`;
  const endOfSlot = `to_timestamp(ceil(extract(epoch FROM ${at}) * 1000 / ${slotMs}) * ${slotMs} / 1000)`;
  return `CASE WHEN ${l}.rate_count > ${MAX_ENTRIES} THEN ${endOfSlot} ELSE ${at} END`;
}
