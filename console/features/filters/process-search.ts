/** Processes whose id or name contains a text, found by the server, page by page. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';

const pageSize = 20;

/** @param text all processes if it is empty */
export function useProcessSearch(text: string, isEnabled = true) {
  const { id: projectID } = useProject();
  const q = text.trim();
  return useInfiniteQuery({
    queryKey: [projectID, 'processes', 'search', q],
    queryFn: ({ pageParam: page, signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/processes', {
          params: { path: { projectID }, query: { ...(q !== '' && { q }), page, pageSize } },
          signal,
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, totalPages } }) => (page < totalPages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
}
