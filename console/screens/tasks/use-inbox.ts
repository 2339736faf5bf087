/** The inbox that the address names: tasks that name the caller, or for executors all open tasks. */
import { unwrap, api } from '../../frame/api/client.js';
import { useLocation } from 'react-router';
import { useAddress } from '../../frame/layout/use-address.js';
import type { FilterValues } from '@perdure/client';
import type { inboxLists } from './task-filter.js';
import { useMay, useProject } from '../../frame/project/project.js';

/** Earliest due date first; tasks without one come last. */
const order = { sort: 'dueDate', order: 'asc' } as const;

type InboxQuery = Partial<FilterValues<(typeof inboxLists)['mine']>> & { page: number; pageSize: number };

export function useInbox() {
  const { id: projectID } = useProject();
  const mayList = useMay('executor');
  const address = useAddress();
  const isAll = mayList && address.get('view') === 'all';
  const path = { projectID };
  const { search } = useLocation();
  const to = `/projects/${encodeURIComponent(projectID)}/tasks`;
  return {
    isAll,
    mayList,
    /** The address of the inbox, with its filters and its page. */
    to: `${to}${search}`,
    /** The address of a task, which leads back here. */
    toTask: (executionKey: string) => `${to}/${encodeURIComponent(executionKey)}${search}`,
    /** Open tasks, by due date. */
    fetchPage: (page: InboxQuery, signal: AbortSignal) =>
      isAll
        ? unwrap(
            api.GET('/projects/{projectID}/bpmn/user-tasks', {
              params: { path, query: { status: 'CREATED', ...order, ...page } },
              signal,
            }),
          )
        : unwrap(
            api.GET('/projects/{projectID}/bpmn/user-tasks/me', {
              params: { path, query: { ...order, ...page } },
              signal,
            }),
          ),
  };
}
