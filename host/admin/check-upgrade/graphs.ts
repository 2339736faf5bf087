/** Whether this build's compiler still makes the graphs of the versions that have running instances. */
import { compileResource, type CompiledResource } from '@perdure/bpmn';
import { errorMessage } from '@perdure/lib/error-message.js';
import { rows, type Queryable } from '../../../store/sql/database.js';
import { graphDifference, type StoredGraph } from './graph-difference.js';

export interface GraphDifference {
  processID: string;
  version: number;
  nodeID?: string;
  what: string;
}

interface Deployed extends StoredGraph {
  resourceID: string;
  version: number;
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
    const again = compiled.get(resourceID)!;
    const difference = typeof again === 'string' ? { what: again } : graphDifference(definition, again);
    if (difference) found.push({ processID, version, ...difference });
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
