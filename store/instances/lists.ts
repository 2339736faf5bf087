/** The list of instances. */
import type { Queryable } from '../sql/database.js';
import type { Order, Page } from '../sql/page.js';
import { readPage, slowOrders, streamList, type List, type SortedPageRequest } from '../lists/list.js';
import { instanceFilters, type InstanceFilter } from './filters.js';
import { instanceColumns, instanceJoins, type Instance } from './instances.js';

export const instanceSorts = ['createdAt', 'completedAt', 'businessId'] as const;
export type InstanceSort = (typeof instanceSorts)[number];

/** Each order is that of an index `instances_*`. */
const instanceList: List<typeof instanceFilters, InstanceSort> = {
  columns: instanceColumns,
  table: 'instances i',
  joins: instanceJoins,
  projectColumn: 'i.project_id',
  filters: instanceFilters,
  sorts: {
    createdAt: {
      // Numbers are in the order of creation too. With them Postgres would read from the newest instance to the range.
      by: (direction, { createdAfter, createdBefore, completedBefore }) =>
        [createdAfter, createdBefore, completedBefore].every((time) => time === undefined)
          ? `i.number ${direction}`
          : `i.created_at ${direction}, i.number ${direction}`,
      // Instances that ended late can all have started late, as can those with a prefix. `completedBefore` limits the start too.
      slowWith: { ASC: ['completedAfter', 'businessIdPrefix'], DESC: ['businessIdPrefix'] },
    },
    completedAt: {
      by: (direction) => `i.completed_at ${direction}, i.number ${direction}`,
      missing: {
        column: 'i.completed_at',
        by: (direction) => `i.number ${direction}`,
        matches: ({ status, completedAfter, completedBefore, suspended, activeNodeID }) => {
          if (suspended === true || activeNodeID !== undefined) return 'without';
          if (completedAfter !== undefined || completedBefore !== undefined) return 'with';
          if (status === undefined) return 'both';
          if (!status.includes('RUNNING')) return 'with';
          return status.every((one) => one === 'RUNNING') ? 'without' : 'both';
        },
      },
      slowWith: { ASC: ['createdAfter', 'businessIdPrefix'], DESC: ['createdBefore', 'businessIdPrefix'] },
    },
    businessId: {
      by: (direction) => `i.business_id COLLATE "C" ${direction}, i.number ${direction}`,
      missing: {
        column: 'i.business_id',
        by: (direction) => `i.number ${direction}`,
        matches: ({ businessId, businessIdPrefix }) =>
          businessId !== undefined || businessIdPrefix !== undefined ? 'with' : 'both',
      },
      // Business ids are often numbered, which is the order of starts.
      slowWith: { ASC: ['createdAfter', 'completedAfter'], DESC: ['createdBefore', 'completedBefore'] },
    },
  },
  key: [{ column: 'i.number', type: 'bigint' }],
};

export const slowInstanceOrders = slowOrders(instanceList);

export async function listInstances(
  database: Queryable,
  projectID: string,
  filter: InstanceFilter,
  page: SortedPageRequest<InstanceSort>,
): Promise<Page<Instance>> {
  return readPage<Instance, typeof instanceFilters, InstanceSort>(database, instanceList, projectID, filter, page);
}

/** All instances that match, in the order of their creation. */
export function streamInstances(
  database: Queryable,
  projectID: string,
  filter: InstanceFilter,
  order: Order,
): AsyncGenerator<Instance> {
  return streamList<Instance, typeof instanceFilters, InstanceSort>(database, instanceList, projectID, filter, order);
}
