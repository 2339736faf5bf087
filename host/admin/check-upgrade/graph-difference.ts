/** How this build compiles the version of a process that was stored. */
import { COMPILER_VERSION } from '@perdure/bpmn/compile/compiler-version.js';
import { haveSameStructure } from '@perdure/bpmn/compile/same-structure.js';
import type { CompiledResource } from '@perdure/bpmn/compile/compile.js';
import { equalJson, type Json } from '@perdure/engine/contract/json.js';
import type { Graph } from '@perdure/engine/model/graph.js';

export interface StoredGraph {
  processID: string;
  compilerVersion: number;
  /** As JSON. */
  graph: string;
}

/** @returns the first difference that its instances would notice; undefined if none exists */
export function graphDifference(
  { processID, compilerVersion, graph: text }: StoredGraph,
  compiled: Pick<CompiledResource, 'processes' | 'problems'>,
): { nodeID?: string; what: string } | undefined {
  const now = compiled.processes.find((process) => process.processID === processID)?.graph;
  if (!now) {
    const problem = compiled.problems.find(({ severity }) => severity === 'error');
    return { what: problem?.message ?? `its file has no process ${processID} any longer` };
  }
  const before = JSON.parse(text) as Graph;
  // A compiler of another version makes other graphs on purpose, of which the instances need the same structure.
  if (compilerVersion !== COMPILER_VERSION && haveSameStructure(before, now)) return undefined;
  return firstDifference(before, JSON.parse(JSON.stringify(now)) as Graph);
}

function firstDifference(before: Graph, now: Graph): { nodeID?: string; what: string } | undefined {
  if (equalJson(before as unknown as Json, now as unknown as Json)) return undefined;
  const compiled = new Map(now.nodes.map((node) => [node.id, node]));
  for (const node of before.nodes) {
    const other = compiled.get(node.id);
    if (!other) return { nodeID: node.id, what: `${node.kind} is missing` };
    if (!equalJson(node as unknown as Json, other as unknown as Json))
      return { nodeID: node.id, what: `${node.kind} is compiled differently` };
  }
  const known = new Set(before.nodes.map(({ id }) => id));
  const added = now.nodes.find(({ id }) => !known.has(id));
  return added ? { nodeID: added.id, what: `${added.kind} is new` } : { what: 'its flows are compiled differently' };
}
