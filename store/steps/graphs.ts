/** Compiled graphs by content. A graph is never changed or deleted, because histories replay with it. */
import type { Graph } from '@perdure/engine/model/graph.js';
import { firstRow, type Queryable } from '../sql/database.js';

/** The graph with this content; undefined if it was never deployed here. */
export async function loadGraph(database: Queryable, sha256: string): Promise<Graph | undefined> {
  const text = await graphText(database, sha256);
  return text === undefined ? undefined : (JSON.parse(text) as Graph);
}

/** The same as JSON text. */
export async function graphText(database: Queryable, sha256: string): Promise<string | undefined> {
  const row = await firstRow<{ graph: string }>(database, 'SELECT graph FROM graphs WHERE sha256 = $1', [sha256]);
  return row?.graph;
}

/** Stores the graph under its content's hash; storing it again changes nothing. */
export async function saveGraph(database: Queryable, sha256: string, graph: Graph): Promise<void> {
  await database.query('INSERT INTO graphs (sha256, graph) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    sha256,
    JSON.stringify(graph),
  ]);
}
