/**
 * Lease holders: the client that leased a job last, until the lease ends. Job workers that share a client id are
 * distinguished by the lease token, if they send it.
 */
import { fragment, sql, type Sql } from '../sql/builder.js';

/** SQL: whether `client` holds the lease on the job in the row; `lease` is the lease token, or null. */
export function isLeased({ client, lease }: { client: string | Sql; lease: string | Sql }): Sql {
  const token = fragment(lease);
  return sql`(locked_by = ${fragment(client)}::text AND lock_expires_at > now() AND lease::text = coalesce(${token}::text, lease::text))`;
}
