/** Whether this build's compiler still makes the graphs of the versions that have running instances. */
import { compileResource, type CompiledResource } from '@perdure/bpmn';
import { COMPILER_VERSION } from '@perdure/bpmn/compile/compiler-version.js';
import { haveSameStructure } from '@perdure/bpmn/compile/same-structure.js';
import { equalJson, type Json } from '@perdure/engine/contract/json.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { rows, type Queryable } from '../../../store/sql/database.js';

export interface GraphDifference {
  processID: string;
  version: number;
  nodeID?: string;
  what: string;
}

interface Deployed {
  resourceID: string;
  processID: string;
  version: number;
  compilerVersion: number;
  graph: string;
}

/** The files of versions that running instances use, one at a time. */
export async function differentGraphs(database: Queryable): Promise<{ compiled: number; found: GraphDifference[] }> {
  const deployed = await rows<Deployed>(
    database,
    `SELECT d.resource_id AS "resourceID", d.process_id AS "processID", d.version, d.compiler_version AS "compilerVersion", g.graph::text AS graph
     FROM definitions d JOIN graphs g ON g.sha256 = d.graph_sha256
     WHERE EXISTS (SELECT FROM instances i WHERE i.definition_id = d.id AND i.status = 'RUNNING')
     ORDER BY d.process_id, d.version, d.id`,
    [],
  );
  const found: GraphDifference[] = [];
  const compiled = new Map<string, CompiledResource | string>();
  for (const definition of deployed) {
    const { resourceID, processID, version } = definition;
    if (!compiled.has(resourceID)) compiled.set(resourceID, await compiledAgain(database, resourceID));
    const what = differenceOf(definition, compiled.get(resourceID)!);
    if (what) found.push({ processID, version, ...what });
  }
  return { compiled: deployed.length, found };
}

async function compiledAgain(database: Queryable, resourceID: string): Promise<CompiledResource | string> {
  const [resource] = await rows<{ xml: string }>(database, 'SELECT xml FROM resources WHERE id = $1', [resourceID]);
  if (!resource) return 'its file is gone';
  try {
    return await compileResource(resource.xml);
  } catch (error) {
    return `its file does not compile: ${errorMessage(error)}`;
  }
}

function differenceOf(
  { processID, compilerVersion, graph: text }: Deployed,
  compiled: CompiledResource | string,
): Omit<GraphDifference, 'processID' | 'version'> | undefined {
  if (typeof compiled === 'string') return { what: compiled };
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
