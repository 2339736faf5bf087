import type { Graph } from '../../../engine/graph.js';
import { loadGraph } from '../../../store/graphs.js';
import { findInstance } from '../../../store/instances.js';
import type { Instance } from '../../../store/instances.js';
import type { ApiContext } from '../../context.js';

/** An instance with the graph it runs by; undefined when the project has no such instance. */
export async function findWithGraph(
  { store }: ApiContext,
  { projectID, workflowID }: { projectID: string; workflowID: string },
): Promise<{ instance: Instance; graph: Graph } | undefined> {
  const instance = await findInstance(store, projectID, workflowID);
  if (instance === undefined) return undefined;
  const graph = await loadGraph(store, instance.graphSha256);
  if (graph === undefined) throw new Error(`Graph ${instance.graphSha256} of definition ${instance.definitionID} is not stored`);
  return { instance, graph };
}
