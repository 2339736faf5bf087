/**
 * Which refusals of Postgres are answers: the same statement with the same values would be refused forever. Everything
 * else concerns the installation (an outage, a full disk, missing privileges, a schema of another build, a database that
 * only reads) and passes, so the statement is repeated until it succeeds.
 *
 * A class or constraint without a row here counts as passing: to repeat something hopeless raises an alert and can be
 * ended by a cancel, whereas to give up something that would have passed changes what instances do.
 */
import { errorMessage } from '@perdure/lib/error-message.js';
import { storableText } from './text.js';

export type Permanence = 'PERMANENT' | 'PASSING';

/** By the class of the SQLSTATE, which is its first two characters. */
export const permanenceOfClass: ReadonlyMap<string, Permanence> = new Map([
  /** Connection exception. */
  ['08', 'PASSING'],
  /** Data exception: a number out of range, text that cannot be decoded, invalid JSON, an impossible date. */
  ['22', 'PERMANENT'],
  /** Integrity constraint violation, unless its constraint is listed below: a schema of another build. */
  ['23', 'PASSING'],
  /** Invalid transaction state, such as 25006: the server is a replica, or has become one. */
  ['25', 'PASSING'],
  /** Invalid authorization, while passwords or roles are being changed. */
  ['28', 'PASSING'],
  /** Invalid catalog name: the database is being restored. */
  ['3D', 'PASSING'],
  /** Transaction rollback: a deadlock or a serialization failure. */
  ['40', 'PASSING'],
  /** Syntax error or access rule violation: the schema or the privileges are not those of this build. */
  ['42', 'PASSING'],
  /** Insufficient resources: a full disk, no memory, no connection slots. */
  ['53', 'PASSING'],
  /** Program limit exceeded: a value is too long for an index, too deep, or too large. */
  ['54', 'PERMANENT'],
  /** Object not in prerequisite state, such as a lock that was not granted in time. */
  ['55', 'PASSING'],
  /** Operator intervention: a shutdown, a canceled statement. */
  ['57', 'PASSING'],
  /** System error: input or output failed. */
  ['58', 'PASSING'],
  /** Internal error: a corrupt page or index. */
  ['XX', 'PASSING'],
]);

/**
 * By the name of the constraint, for class 23. Each is on values that the writer has made: the number of a row within its
 * instance, or a status. The constraints of the tables that step commits write are complete; the tests compare them with
 * the schema.
 */
export const permanenceOfConstraint: ReadonlyMap<string, Permanence> = new Map([
  ['commands_status_check', 'PERMANENT'],
  ['incidents_status_check', 'PERMANENT'],
  ['instances_status_check', 'PERMANENT'],
  ['jobs_status_check', 'PERMANENT'],
  ['publications_type_check', 'PERMANENT'],
  ['subscriptions_type_check', 'PERMANENT'],
  ['user_tasks_status_check', 'PERMANENT'],
  // An instance gives each number once.
  ['far_steps_pkey', 'PERMANENT'],
  ['incidents_pkey', 'PERMANENT'],
  ['jobs_pkey', 'PERMANENT'],
  ['subscriptions_pkey', 'PERMANENT'],
  ['user_tasks_pkey', 'PERMANENT'],
  // The ids of called instances are made by the step from its own.
  ['instances_pkey', 'PERMANENT'],
  ['instance_starts_pkey', 'PERMANENT'],
  // Numbers that the database gives under the lock of the instance: a restored or damaged database repeats them.
  ['commands_pkey', 'PASSING'],
  ['steps_pkey', 'PASSING'],
  ['pause_waiters_pkey', 'PASSING'],
  ['parents_to_follow_pkey', 'PASSING'],
  ['stored_payloads_pkey', 'PASSING'],
  // Numbers and ids that the database makes.
  ['events_pkey', 'PASSING'],
  ['events_by_position', 'PASSING'],
  ['instances_by_project', 'PASSING'],
  // Of two imports of one source, the second finds the first.
  ['instances_imported', 'PASSING'],
  ['publications_pkey', 'PASSING'],
  ['ended_publications_pkey', 'PASSING'],
  ['ended_publications_state_check', 'PASSING'],
  ['audit_entries_pkey', 'PASSING'],
  ['audit_entries_pending', 'PASSING'],
  ['audit_entries_to_log_pkey', 'PASSING'],
  ['signal_deliveries_pkey', 'PASSING'],
  // A step only notes that a type has keys, which a request to limit the type may do at the same time.
  ['job_limits_pkey', 'PASSING'],
  ['job_limits_project_id_fkey', 'PASSING'],
  ['job_limits_check', 'PASSING'],
  ['job_limits_concurrent_check', 'PASSING'],
  ['job_limits_rate_count_check', 'PASSING'],
  ['job_limits_rate_per_ms_check', 'PASSING'],
  // The publication has been removed in the meantime.
  ['signal_deliveries_publication_id_fkey', 'PASSING'],
]);

interface DatabaseError extends Error {
  code: string;
  constraint?: string;
}

/** Whether the same statement with the same values would be refused again, whenever it is repeated. */
export function isPermanent(error: unknown): error is DatabaseError {
  if (!isDatabaseError(error)) return false;
  const { code, constraint = '' } = error;
  const permanence =
    code.startsWith('23') && permanenceOfConstraint.has(constraint)
      ? permanenceOfConstraint.get(constraint)
      : permanenceOfClass.get(code.slice(0, 2));
  return permanence === 'PERMANENT';
}

/** A SQLSTATE has five characters; error codes of the network have other forms. */
function isDatabaseError(error: unknown): error is DatabaseError {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
  );
}

const MAX_REASON_LENGTH = 200;

/**
 * The reason of a refusal for people: the SQLSTATE and a bounded part of the message of Postgres, without the value that
 * some messages quote at their end.
 */
export function refusalReason(error: DatabaseError): string {
  const message = errorMessage(error).replace(/: ".*$/s, '');
  return `${storableText(message.slice(0, MAX_REASON_LENGTH))} (SQLSTATE ${error.code})`;
}
