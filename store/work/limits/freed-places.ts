/** Places that ended leases leave to other jobs of a limited type. They are announced, so that waiting polls do not miss them. */

/** SQL: whether the end of the job `j`, or of its lease, lets another one of a limited type be leased. */
export function endsCountedLease(j: string): string {
  return `(${j}.counted AND coalesce(${j}.lock_expires_at > now(), false))`;
}
