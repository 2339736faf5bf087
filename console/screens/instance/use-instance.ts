/** The instance that the page is about, for everything on it. */
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
  /** How often what belongs to it is asked for: never again once it has ended. */
  refetchInterval: number | false;
  /** The chosen node; undefined for all of them. */
  nodeID: string | undefined;
  /** Empty until its file is there. */
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

/** The state after one fact. Facts stay what they were, so it is asked for once. */
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
    // Each holds all variables: hundreds of steps of a large instance would fill the memory.
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
