/**
 * Lease holders: the client that leased a job last, until the lease ends. Job workers that share a client id are
 * distinguished by the lease token, if they send it.
 */

/** SQL: whether `client` holds the lease on the job in the row; `lease` is SQL for the lease token, or null. */
export function isLeased({ client, lease }: { client: string; lease: string }): string {
  return `(locked_by = ${client}::text AND lock_expires_at > now() AND lease::text = coalesce(${lease}::text, lease::text))`;
}
