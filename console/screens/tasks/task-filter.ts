/** The filters of the inbox. */
import { lists } from '@perdure/client';
import { without } from '../../features/filters/list-filter.js';
import type { Address } from '../../frame/layout/use-address.js';

/** The tasks that name the caller, and all tasks. The inbox has open ones only. */
export const inboxLists = {
  mine: without(lists.ListBpmnUserTasksForCaller, 'completedAfter', 'completedBefore'),
  all: without(lists.ListBpmnUserTasks, 'status', 'completedAfter', 'completedBefore'),
} as const;

/** Whether the inbox shows only overdue tasks. This filter is relative to the current time, which an address is not. */
export function isOverdue({ get }: Pick<Address, 'get'>): boolean {
  return get('due') === 'overdue';
}
