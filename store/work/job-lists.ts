/** External jobs in lists. */
import {
  filterBy,
  filterByTime,
  filterByAny,
  filterByProcess,
  filterByWords,
  type FilterValues,
} from '../lists/filters.js';
import { readPage, slowOrders, streamListChunks, type List, type SortedPageRequest } from '../lists/list.js';
import type { Queryable } from '../sql/database.js';
import type { Order, Page } from '../sql/page.js';
import { heldJobs } from './limits/held-jobs.js';
import { jobJoins, jobValues, listedJobColumns, toJob, type Job, type JobRecord } from './jobs.js';

export const jobStatuses = ['PENDING', 'COMPLETED', 'FAILED', 'CANCELED'] as const;

/** The version of the process that the job ran in. */
const definition = 'j.definition_path[cardinality(j.definition_path)]';

export const jobFilters = {
  taskType: filterByAny('texts', 'Task type', 'j.task_type'),
  status: filterByWords('Status', 'j.status', jobStatuses),
  workflowID: filterBy('workflowID', 'Instance', 'j.workflow_id = ?'),
  businessId: filterBy(
    'name',
    'Business id',
    'j.workflow_id IN (SELECT workflow_id FROM instances i WHERE i.project_id = $1 AND i.business_id = ?)',
  ),
  definitionID: filterBy('uuid', 'Version id', `${definition} = ?::uuid`),
  processId: filterByProcess(definition),
  nodeID: filterBy('modelID', 'Node id', 'j.node_id = ?'),
  /** The client that holds a lease on it, or held the last one. */
  lockedBy: {
    ...filterBy('text', 'Worker', 'j.locked_by = ?'),
    description:
      'Reads every job that the other filters match: add times of end, an instance, a business id, or status=PENDING.',
  },
  errorCode: filterBy('text', 'Error code', 'j.error_code = ?'),
  createdAfter: filterByTime('Created after', 'j.created_at', 'after'),
  createdBefore: filterByTime('Created before', 'j.created_at', 'until'),
  completedAfter: filterByTime('Ended after', 'j.completed_at', 'after'),
  // A job ends after it was created, by clocks that differ by less than a day.
  completedBefore: filterByTime(
    'Ended before',
    'j.completed_at',
    'until',
    (isOver) => `${isOver} AND j.created_at <= ?::timestamptz + interval '1 day'`,
  ),
};

export type JobFilter = FilterValues<typeof jobFilters>;

export const jobSorts = ['createdAt', 'completedAt', 'priority'] as const;
export type JobSort = (typeof jobSorts)[number];

const jobList: List<typeof jobFilters, JobSort> = {
  columns: `${listedJobColumns}, j.execution, CASE WHEN j.status = 'COMPLETED' THEN c.actor END AS "completedBy", CASE WHEN j.status = 'FAILED' THEN c.actor END AS "failedBy"`,
  values: jobValues,
  table: 'jobs j',
  joins: `${jobJoins} LEFT JOIN commands c ON c.workflow_id = j.workflow_id AND c.number = j.ending_command`,
  projectColumn: 'j.project_id',
  filters: jobFilters,
  sorts: {
    createdAt: {
      by: (direction) => `j.created_at ${direction}, j.workflow_id, j.number ${direction}`,
      // `completedBefore` limits the creation as well.
      slowWith: { ASC: ['completedAfter'] },
    },
    completedAt: {
      by: (direction) => `j.completed_at ${direction}, j.workflow_id ${direction}, j.number ${direction}`,
      missing: {
        column: 'j.completed_at',
        by: (direction) => `j.created_at ${direction}, j.workflow_id, j.number ${direction}`,
        matches: ({ status, completedAfter, completedBefore }) => {
          if (completedAfter !== undefined || completedBefore !== undefined) return 'with';
          if (status === undefined) return 'both';
          if (!status.includes('PENDING')) return 'with';
          return status.every((one) => one === 'PENDING') ? 'without' : 'both';
        },
      },
      slowWith: { ASC: ['createdAfter'], DESC: ['createdBefore'] },
    },
    priority: {
      by: (direction) => `j.priority ${direction}, j.workflow_id ${direction}, j.number ${direction}`,
      // Ids of instances begin with the time of their start.
      slowWith: { ASC: ['createdAfter', 'completedAfter'], DESC: ['createdBefore', 'completedBefore'] },
    },
  },
  key: [
    { column: 'j.created_at', type: 'timestamptz' },
    { column: 'j.workflow_id', type: 'text' },
    { column: 'j.number', type: 'integer' },
  ],
};

export const slowJobOrders = slowOrders(jobList);

export async function listJobs(
  database: Queryable,
  projectID: string,
  filter: JobFilter,
  page: SortedPageRequest<JobSort>,
): Promise<Page<Job>> {
  const { data, ...totals } = await readPage<JobRecord, typeof jobFilters, JobSort>(
    database,
    jobList,
    projectID,
    filter,
    page,
  );
  return { data: await toListedJobs(database, projectID, data), ...totals };
}

/** All jobs that match, in the order of their creation. */
export async function* streamJobs(
  database: Queryable,
  projectID: string,
  filter: JobFilter,
  order: Order,
): AsyncGenerator<Job> {
  const chunks = streamListChunks<JobRecord, typeof jobFilters, JobSort>(database, jobList, projectID, filter, order);
  for await (const chunk of chunks) yield* await toListedJobs(database, projectID, chunk);
}

/** With the limits that hold them back. */
async function toListedJobs(database: Queryable, projectID: string, records: readonly JobRecord[]): Promise<Job[]> {
  const heldBy = await heldJobs(
    database,
    projectID,
    records.filter(({ status, availableAt }) => status === 'PENDING' && availableAt !== null),
  );
  return records.map((record) => ({ ...toJob(record), heldBy: heldBy(record) }));
}
