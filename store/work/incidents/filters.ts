/** The filters of the lists of incidents, and of batches over incidents. */
import {
  conditionsOf,
  filterBy,
  filterByTime,
  filterByProcess,
  filterBySubstring,
  filterByWord,
  filterByWords,
} from '../../lists/filters.js';
import type { FilterValues, ListFilter } from '../../lists/filters.js';
import type { Filter } from '../../sql/page.js';

/** The closed list of the contract; code and message carry the detailed reason. */
export const errorTypes = [
  'BpmnError',
  'EscalationError',
  'CompensationError',
  'FeelError',
  'NoHandler',
  'GatewayNoMatch',
  'TimerResolution',
  'LinkNotFound',
  'MigrationError',
  'SubscriptionError',
  'RotationLimitError',
  'SnapshotSizeExceeded',
  'CallActivityCanceled',
  'ExternalRowRefreshError',
  'JobLockLost',
  'DecisionNotFound',
  'EngineError',
  'Unknown',
] as const;

const withDescendants = `
  WITH RECURSIVE descendants AS (
    SELECT ?::text COLLATE "C" AS workflow_id
    UNION ALL
    SELECT i.workflow_id FROM instances i JOIN descendants d ON i.parent_workflow_id = d.workflow_id
  ) SELECT workflow_id FROM descendants`;

const byInstance: ListFilter<'workflowID'> = {
  kind: 'workflowID',
  label: 'Instance',
  where: (conditions, workflowID, { includeChildren }) =>
    void conditions.where(
      includeChildren === true ? `n.workflow_id IN (${withDescendants})` : 'n.workflow_id = ?',
      workflowID,
    ),
};

/** With `workflowID`: also the incidents of its descendants. */
const includeChildren: ListFilter<'boolean'> = {
  kind: 'boolean',
  label: 'Called instances',
  values: { true: 'Included', false: 'Left out' },
  needs: 'workflowID',
  where: () => undefined,
};

export const incidentFilters = {
  definitionID: filterBy('uuid', 'Version id', 'n.definition_id = ?::uuid'),
  processId: filterByProcess('n.definition_id'),
  workflowID: byInstance,
  includeChildren,
  /** An incident that was withdrawn with its element counts as resolved. */
  status: filterByWord('Status', { open: "n.status = 'OPEN'", resolved: "n.status <> 'OPEN'" }),
  nodeID: filterBy('modelID', 'Node id', 'n.node_id = ?'),
  errorType: filterByWords('Type', 'n.error_type', errorTypes),
  errorCode: filterBy('text', 'Error code', 'n.error_code = ?'),
  messageContains: filterBySubstring('Message contains', 'n.message'),
  groupID: filterBy('hash', 'Group', 'n.group_id = ?'),
  since: filterByTime('Raised after', 'n.raised_at', 'from'),
  until: filterByTime('Raised before', 'n.raised_at', 'until'),
};

export type IncidentFilter = FilterValues<typeof incidentFilters>;

/**
 * The conditions for `incidents n`, with their values; further values can be added with `placeholder`. They refer to
 * no other table outside of subqueries.
 */
export function incidentConditions(projectID: string, filter: IncidentFilter): Filter {
  return conditionsOf(incidentFilters, 'n.project_id', projectID, filter);
}
