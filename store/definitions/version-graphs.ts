/** The graphs of several versions of a process. */
import type { Graph } from '@perdure/engine/model/graph.js';
import { rows, type Queryable } from '../sql/database.js';

/** By version. Versions that do not exist are left out. */
export async function graphsOfVersions(
  database: Queryable,
  { projectID, processID }: { projectID: string; processID: string },
  versions: readonly number[],
): Promise<Map<number, Graph>> {
  const found = await rows<{ version: number; graph: string }>(
    database,
    `SELECT d.version, g.graph FROM definitions d JOIN graphs g ON g.sha256 = d.graph_sha256
     WHERE d.project_id = $1 AND d.process_id = $2 AND d.version = ANY ($3::integer[])`,
    [projectID, processID, versions],
  );
  return new Map(found.map(({ version, graph }) => [version, JSON.parse(graph) as Graph]));
}
