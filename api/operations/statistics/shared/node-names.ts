/** Types and names of nodes, from the newest version of the process in which they were counted. */
import type { Graph } from '@perdure/engine/model/graph.js';
import { graphsOfVersions } from '../../../../store/definitions/version-graphs.js';
import type { Queryable } from '../../../../store/sql/database.js';

export interface NodeName {
  nodeType: string;
  name?: string | undefined;
}

/** A version that has been deleted since leaves its nodes without a name. */
const UNKNOWN: NodeName = { nodeType: 'unknown' };

/** A function from a node, and the newest version in which it was counted, to its type and name. */
export async function nodeNames(
  store: Queryable,
  process: { projectID: string; processID: string },
  versions: readonly number[],
): Promise<(node: { nodeID: string; version: number }) => NodeName> {
  const graphs = await graphsOfVersions(store, process, [...new Set(versions)]);
  const names = new Map([...graphs].map(([version, graph]) => [version, namesOf(graph)]));
  return ({ nodeID, version }) => names.get(version)?.get(nodeID) ?? UNKNOWN;
}

function namesOf({ nodes }: Graph): ReadonlyMap<string, NodeName> {
  return new Map(nodes.map(({ id, kind, name }) => [id, { nodeType: kind, name }]));
}
