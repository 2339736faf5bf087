/** The distribution of the running instances of a version over its nodes. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import type { NodeMarks } from '../../features/diagram/node-marks.js';
import { heatOf, heatScale } from '../../features/diagram/heat.js';
import type { HeatRange } from '../../features/diagram/heat.js';
import { useProject } from '../../frame/project/project.js';

const refreshEveryMs = 8_000;

export function useNodeCounts(definitionID: string) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'definition', definitionID, 'nodes'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/definitions/{definitionID}/nodes', {
          params: { path: { projectID, definitionID } },
          signal,
        }),
      ),
    refetchInterval: refreshEveryMs,
  });
}

/** The counts as marks of a diagram. The map stays the same object while the counts do. */
export function useHeat(counts: Schemas['BpmnDefinitionNodes'] | undefined): {
  scale: readonly HeatRange[];
  marks: ReadonlyMap<string, NodeMarks>;
} {
  return useMemo(() => {
    const nodes = counts?.nodes ?? [];
    const scale = heatScale(nodes.reduce((most, { activeInstances }) => Math.max(most, activeInstances), 0));
    const marks = nodes.map(({ nodeID, activeInstances, openIncidents }): [string, NodeMarks] => [
      nodeID,
      {
        tokens: 0,
        incidents: openIncidents,
        isPaused: false,
        instances: activeInstances,
        heat: heatOf(activeInstances, scale),
      },
    ]);
    return { scale, marks: new Map(marks) };
  }, [counts]);
}
