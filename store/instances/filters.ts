/** The filters of the list of instances, and of batches over instances. */
import {
  filterBy,
  filterByTime,
  filterByPrefix,
  filterByProcess,
  filterBySubstring,
  filterByTruth,
  filterByWords,
  conditionsOf,
} from '../lists/filters.js';
import type { FilterValues, ListFilter } from '../lists/filters.js';
import { isRunnableIn } from '../projects/tests.js';
import type { Filter } from '../sql/page.js';
import { isOverTarget } from '../targets/over-target.js';

export const instanceStatuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'] as const;

/** SQL: ids of the suspended definitions of the project ($1). */
export const suspendedDefinitions = `SELECT id FROM definitions WHERE ${isRunnableIn('$1', 'project_id')} AND suspended_at IS NOT NULL`;
/**
 * SQL: like `isPaused`. Each alternative has an index of running instances.
 * @param definitions the suspended ones of the project, as an array
 */
const pausedBy = (definitions: string) => `(i.status = 'RUNNING' AND (i.suspended_at IS NOT NULL OR i.ancestor_suspended
  OR i.definition_id = ANY(${definitions}) OR (i.ancestor_definitions <> '{}' AND i.ancestor_definitions && ${definitions})))`;
/** SQL: the same, with the suspended definitions read once for the whole list. */
const paused = pausedBy(`(ARRAY(${suspendedDefinitions}))`);

/** Whether it is paused: it is running, and it, its definition or any ancestor is suspended. */
const suspended: ListFilter<'boolean'> = {
  ...filterByTruth('Suspension', ['Paused', paused], ['Not paused', `NOT ${paused}`]),
  known: {
    find: (projectID) => [suspendedDefinitions, [projectID]],
    where: (conditions, ids, isPaused) =>
      void conditions.where(`${isPaused ? '' : 'NOT '}${pausedBy('?::uuid[]')}`, ids),
  },
};

export const instanceFilters = {
  definitionID: filterBy('uuid', 'Version id', 'i.definition_id = ?::uuid'),
  processId: filterByProcess('i.definition_id'),
  status: filterByWords('Status', 'i.status', instanceStatuses),
  /** Its own incidents or those of its descendants. */
  hasIncident: filterByTruth(
    'Incident',
    ['With an incident', 'i.open_incidents > 0'],
    ['Without', 'i.open_incidents = 0'],
  ),
  suspended,
  createdAfter: filterByTime('Started after', 'i.created_at', 'after'),
  createdBefore: filterByTime('Started before', 'i.created_at', 'until'),
  completedAfter: filterByTime('Ended after', 'i.completed_at', 'after'),
  // An instance ends after it was created, by clocks that differ by less than a day.
  completedBefore: filterByTime(
    'Ended before',
    'i.completed_at',
    'until',
    (isOver) => `${isOver} AND i.created_at <= ?::timestamptz + interval '1 day'`,
  ),
  /** By the primary key, which has the instances of all projects: random ids with four equal characters are few. */
  workflowIDPrefix: {
    ...filterByPrefix('Instance id begins with', 'i.workflow_id', 'workflowIDPrefix'),
    description: 'At least the first four characters, in lower case.',
  },
  businessId: filterBy('name', 'Business id', 'i.business_id = ?'),
  businessIdPrefix: filterByPrefix('Business id begins with', 'i.business_id COLLATE "C"'),
  failureReasonContains: filterBySubstring('Failure contains', 'i.failure_reason'),
  startedBy: filterBy('text', 'Started by', 'i.started_by = ?'),
  /** Whether no instance called it. */
  root: filterByTruth(
    'Called instances',
    ['Left out', 'i.parent_workflow_id IS NULL'],
    ['Only called instances', 'i.parent_workflow_id IS NOT NULL'],
  ),
  activeNodeID: filterBy('modelID', 'Node id', "i.status = 'RUNNING' AND i.active_nodes @> ARRAY[?::text]"),
  parentWorkflowID: filterBy('workflowID', 'Called by', 'i.parent_workflow_id = ?'),
  importedFrom: filterBy('text', 'Imported from', 'i.imported_system = ?'),
  importedFromID: filterBy('text', 'Imported id', 'i.imported_id = ?'),
  restartedFrom: filterBy('workflowID', 'Restarted from', 'i.restarted_from = ?'),
  /** Whether it takes, or took, longer than its target. */
  overTarget: filterByTruth(
    'Duration',
    ['Over target', isOverTarget('i')],
    ['Not over target', `NOT ${isOverTarget('i')}`],
  ),
};

export type InstanceFilter = FilterValues<typeof instanceFilters>;

/**
 * The conditions for `instances i`, with their values; further values can be added with `placeholder`. They refer to
 * no other table outside of subqueries.
 */
export function instanceConditions(projectID: string, filter: InstanceFilter): Filter {
  return conditionsOf(instanceFilters, 'i.project_id', projectID, filter);
}
