import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useProject } from '../../frame/project/project.js';
import type { InstanceState } from './instance-query.js';

/**
 * Reads everything of an instance once more when it has ended. Lists are refreshed while the instance runs, so the last
 * response about one can be older than the end.
 */
export function useRefreshAtEnd({ workflowID, status }: InstanceState): void {
  const { id: projectID } = useProject();
  const queries = useQueryClient();
  const wasRunning = useRef(false);
  const isRunning = status === 'RUNNING';
  useEffect(() => {
    if (wasRunning.current && !isRunning)
      void queries.invalidateQueries({ queryKey: [projectID, 'instance', workflowID] });
    wasRunning.current = isRunning;
  }, [queries, projectID, workflowID, isRunning]);
}
