/**
 * Who holds the lease on a job: the client that it was handed out to last, until the lease ends. Workers that share a
 * client id are told apart by the token of the lease, where they send it.
 */

/** SQL: whether the lease on the job in the row is held by `client`; `lease` is SQL for the token of the lease, or null. */
export function isLeased({ client, lease }: { client: string; lease: string }): string {
  return `(locked_by = ${client}::text AND lock_expires_at > now() AND lease::text = coalesce(${lease}::text, lease::text))`;
}
