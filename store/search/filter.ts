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

/** The instances `i` that match the filter. */
export function conditionsOf(filter: SearchFilter): Filter {
  const conditions = new Filter()
    .where('i.project_id = ?', filter.projectID)
    .where('i.definition_id = ?', filter.definitionID)
    .whereGiven('i.business_id = ?', filter.businessID)
    .whereGiven(timeCondition('i.created_at', 'after'), filter.createdAfter)
    .whereGiven(timeCondition('i.created_at', 'until'), filter.createdBefore);
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
