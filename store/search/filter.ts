/** Filters that a search applies before its predicate. */
import type { InstanceStatus } from '@perdure/engine/state/state.js';
import { timeCondition } from '../lists/filters.js';
import { Filter } from '../sql/page.js';

export interface SearchFilter {
  projectID: string;
  definitionID: string;
  status?: InstanceStatus | undefined;
  /** Current value. Its own or those of its descendants. */
  hasIncident?: boolean | undefined;
  businessID?: string | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
}

/**
 * A search reads numbers downward, and Postgres expects matches all over them. Without the bound, it would read every newer
 * instance first. Whatever begins a minute later has a higher number, because a start takes its number within a minute from the
 * beginning of its transaction. Imported instances have their number from the import, however early they began.
 */
const isCreatedBefore = `${timeCondition('i.created_at', 'until')} AND i.number <= greatest(
  coalesce((SELECT number FROM instances WHERE project_id = $1 AND created_at >= ?::timestamptz + interval '1 minute' ORDER BY created_at LIMIT 1), ${2n ** 63n - 1n}),
  (SELECT number FROM instances WHERE definition_id = $2 AND imported_system IS NOT NULL ORDER BY number DESC LIMIT 1))`;

/** The instances `i` that match the filter. */
export function conditionsOf(filter: SearchFilter): Filter {
  // The first two are `$1` and `$2`.
  const conditions = new Filter()
    .where('i.project_id = ?', filter.projectID)
    .where('i.definition_id = ?', filter.definitionID)
    .whereGiven('i.business_id = ?', filter.businessID)
    .whereGiven(timeCondition('i.created_at', 'after'), filter.createdAfter)
    .whereGiven(isCreatedBefore, filter.createdBefore);
  // Literals instead of values, so that the partial indexes apply.
  if (filter.status !== undefined) conditions.whereTrue(statusConditions[filter.status]);
  if (filter.hasIncident !== undefined)
    conditions.whereTrue(filter.hasIncident ? 'i.open_incidents > 0' : 'i.open_incidents = 0');
  return conditions;
}

const statusConditions: Record<InstanceStatus, string> = {
  RUNNING: "i.status = 'RUNNING'",
  COMPLETED: "i.status = 'COMPLETED'",
  FAILED: "i.status = 'FAILED'",
  CANCELED: "i.status = 'CANCELED'",
};
