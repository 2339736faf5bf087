/** Detects outdated graphs: deployed definitions of an older version are recompiled from their files. */
import type { Graph } from '@perdure/engine/model/graph.js';
import { TREE_VERSION } from '@perdure/feel/tree.js';

export const GRAPH_FORMAT: Graph['format'] = 1;

/**
 * Increased when the same file produces a different graph without a new format or tree: its text is interpreted
 * differently, or the graph keeps more of it.
 */
const REVISION = 4;

/** Each part only increases, and so does this. Hosts with an older build leave graphs of a newer one unchanged. */
export const COMPILER_VERSION = GRAPH_FORMAT * 1_000_000 + TREE_VERSION * 1_000 + REVISION;
