/** The element templates that the project deployed, for the panel of properties. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Editing } from '../../features/modeler/editing.js';
import type { FileKind } from '../../features/modeler/files/kinds.js';
import { api, unwrap } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';

const PAGE_SIZE = 100;

/** @returns why the templates of the project are not offered; null while they are, and for files without any */
export function useTemplates(editing: Editing, kind: FileKind): Error | null {
  const { id: projectID } = useProject();
  const { data, error } = useQuery({
    queryKey: [projectID, 'modeler-templates'],
    queryFn: ({ signal }) => readTemplates(projectID, signal),
    enabled: kind === 'BPMN',
  });
  useEffect(() => {
    if (data) editing.offer(data);
  }, [editing, data]);
  return data ? null : error;
}

/** All of them. The host bounds them in number and size. */
async function readTemplates(projectID: string, signal: AbortSignal) {
  const templates: Record<string, unknown>[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await unwrap(
      api.GET('/projects/{projectID}/bpmn/element-templates', {
        params: { path: { projectID }, query: { page, pageSize: PAGE_SIZE } },
        signal,
      }),
    );
    templates.push(...data.map(({ template }) => template));
    if (page >= pagination.totalPages) return templates;
  }
}
