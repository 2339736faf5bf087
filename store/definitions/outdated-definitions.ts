/** Definitions whose graphs were compiled by an older compiler. */
import type { Graph } from '@perdure/engine/model/graph.js';
import { firstRow, rows, type Database, type Queryable } from '../sql/database.js';
import { saveGraph } from '../steps/graphs.js';
import type { CompiledProcess } from './new-definition.js';

/** Sorts before every resource id. */
export const BEFORE_ALL_RESOURCES = '00000000-0000-0000-0000-000000000000';

/**
 * Ids of resources with such definitions, in order.
 * @param after the last id of the previous batch
 */
export async function outdatedResources(
  database: Queryable,
  compilerVersion: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const found = await rows<{ id: string }>(
    database,
    `SELECT DISTINCT resource_id AS id FROM definitions WHERE compiler_version < $1 AND resource_id > $2 ORDER BY resource_id LIMIT $3`,
    [compilerVersion, after, limit],
  );
  return found.map(({ id }) => id);
}

export interface OutdatedDefinition {
  definitionID: string;
  processID: string;
  graph: Graph;
}

/** The input of a recompilation; undefined if the resource was deleted or recompiled in the meantime. */
export async function readOutdated(
  database: Queryable,
  compilerVersion: number,
  resourceID: string,
): Promise<{ xml: string; definitions: OutdatedDefinition[] } | undefined> {
  const resource = await firstRow<{ xml: string }>(database, 'SELECT xml FROM resources WHERE id = $1', [resourceID]);
  const found = await rows<{ definitionID: string; processID: string; graph: string }>(
    database,
    `SELECT d.id AS "definitionID", d.process_id AS "processID", g.graph
     FROM definitions d JOIN graphs g ON g.sha256 = d.graph_sha256
     WHERE d.resource_id = $1 AND d.compiler_version < $2`,
    [resourceID, compilerVersion],
  );
  if (!resource || found.length === 0) return undefined;
  return {
    xml: resource.xml,
    definitions: found.map(({ graph, ...definition }) => ({ ...definition, graph: JSON.parse(graph) as Graph })),
  };
}

/**
 * Gives the definition another graph for future instances. Running instances keep the previous graph.
 * @returns false if another host was first
 */
export async function replaceGraph(
  database: Database,
  definitionID: string,
  {
    sha256,
    graph,
    forms,
    tools,
    compilerVersion,
  }: Pick<CompiledProcess, 'sha256' | 'graph' | 'forms' | 'tools'> & { compilerVersion: number },
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await saveGraph(transaction, sha256, graph);
    const replaced = await transaction.query(
      'UPDATE definitions SET graph_sha256 = $2, compiler_version = $3, forms = $4, tools = $5 WHERE id = $1 AND compiler_version < $3',
      [
        definitionID,
        sha256,
        compilerVersion,
        ...[forms, tools].map((each) => (each === undefined ? null : JSON.stringify(each))),
      ],
    );
    return replaced.rowCount === 1;
  });
}
