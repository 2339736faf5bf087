/**
 * A cache of compiled graphs in the process: they never change, and every start and many first workflow tasks need one.
 */
import type { Graph } from '@perdure/engine/model/graph.js';
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import { loadGraph } from '../steps/graphs.js';
import type { Database } from '../sql/database.js';

export interface CachedGraph {
  graph: Graph;
  /** Length of its JSON. */
  bytes: number;
}

export class GraphCache {
  private readonly graphs = new BoundedCache<string, Promise<CachedGraph>>({ entries: 200 });

  constructor(private readonly store: Database) {}

  /**
   * The graph with this content address.
   * @throws if it was never deployed here, or the store does not answer
   */
  get(sha256: string): Promise<CachedGraph> {
    const known = this.graphs.get(sha256);
    if (known) return known;
    const loading = this.load(sha256);
    this.graphs.set(sha256, loading);
    loading.catch(() => this.graphs.delete(sha256));
    return loading;
  }

  private async load(sha256: string): Promise<CachedGraph> {
    const graph = await loadGraph(this.store, sha256);
    if (!graph) throw new Error(`The store has no graph ${sha256}, to which a deployed definition refers`);
    return { graph, bytes: Buffer.byteLength(JSON.stringify(graph)) };
  }
}
