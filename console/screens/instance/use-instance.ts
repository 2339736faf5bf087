/** The context of the page of an instance. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Model } from '../../features/diagram/model.js';
import { useProject } from '../../frame/project/project.js';
import { refreshEveryMs } from './instance-query.js';
import type { InstanceState } from './instance-query.js';

export interface InstanceOnPage {
  projectID: string;
  instance: InstanceState;
  isRunning: boolean;
  /** The refresh interval of its lists in milliseconds; false after its end. */
  refetchInterval: number | false;
  /** The selected node; undefined for all. */
  nodeID: string | undefined;
  /** Empty until its file is loaded. */
  model: Model;
  /** The name of a node in the model, or its id. */
  nameOf(nodeID: string): string;
}

export const InstanceContext = createContext<InstanceOnPage | undefined>(undefined);

export function useInstance(): InstanceOnPage {
  const found = useContext(InstanceContext);
  if (found === undefined) throw new Error('useInstance: expected to be below the page of an instance, found none.');
  return found;
}

/** The state after one fact. Facts never change, so it is fetched once. */
export function useReplay(workflowID: string, at: number | undefined) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'instance', workflowID, 'replay', at],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/replay', {
          params: { path: { projectID, workflowID }, query: { at } },
          signal,
        }),
      ),
    enabled: at !== undefined,
    staleTime: Infinity,
    // Each step has all variables, so hundreds of steps of a large instance would fill the memory.
    gcTime: 20_000,
    placeholderData: keepPreviousData,
  });
}

export function toOnPage(
  projectID: string,
  instance: InstanceState,
  nodeID: string | undefined,
  model: Model,
): InstanceOnPage {
  const isRunning = instance.status === 'RUNNING';
  return {
    projectID,
    instance,
    isRunning,
    refetchInterval: isRunning ? refreshEveryMs : false,
    nodeID,
    model,
    nameOf: (id) => model.names.get(id) ?? id,
  };
}
