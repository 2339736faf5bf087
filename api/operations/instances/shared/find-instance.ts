import type { Graph } from '@perdure/engine/model/graph.js';
import type { State } from '@perdure/engine/state/state.js';
import { findDefinition } from '../../../../store/definitions/definitions.js';
import { loadGraph } from '../../../../store/steps/graphs.js';
import { findInstance } from '../../../../store/instances/instances.js';
import type { Instance } from '../../../../store/instances/instances.js';
import type { Queryable } from '../../../../store/sql/database.js';
import type { ApiContext } from '../../../context.js';

/** A version of a process, with its graph. */
export interface VersionWithGraph {
  version: number;
  graph: Graph;
}

/** An instance with the graph that it runs, or undefined when the project has no such instance. */
export async function findWithGraph(
  { store }: ApiContext,
  { projectID, workflowID }: { projectID: string; workflowID: string },
): Promise<{ instance: Instance; graph: Graph } | undefined> {
  const instance = await findInstance(store, projectID, workflowID);
  return instance && { instance, graph: await graphOf(store, instance.graphSha256) };
}

/** The version that the instance was started with. */
export async function startedVersion({ store }: ApiContext, instance: Instance): Promise<VersionWithGraph> {
  const { projectID, startedDefinitionID, graphSha256, processVersion } = instance;
  const started =
    startedDefinitionID === null
      ? { graphSha256, version: processVersion }
      : await findDefinition(store, projectID, startedDefinitionID);
  if (!started)
    throw new Error(
      `Definition ${startedDefinitionID} is not stored, but instance ${instance.workflowID} was started with it`,
    );
  return { version: started.version, graph: await graphOf(store, started.graphSha256) };
}

/** The version that the instance ran when it was in `state`. */
export async function versionIn(
  context: ApiContext,
  instance: Instance,
  { definition }: State,
): Promise<VersionWithGraph> {
  if (!definition) return startedVersion(context, instance);
  return { version: definition.version, graph: await graphOf(context.store, definition.graphSha256) };
}

export async function graphOf(store: Queryable, sha256: string): Promise<Graph> {
  const graph = await loadGraph(store, sha256);
  if (graph === undefined) throw new Error(`Graph ${sha256} is not stored, but a deployed definition refers to it`);
  return graph;
}
