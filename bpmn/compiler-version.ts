/** Which graphs are out of date: deployed definitions of an older version are compiled again from their files. */
import type { Graph } from '../engine/graph.js';
import { TREE_VERSION } from '../feel/tree.js';

export const GRAPH_FORMAT: Graph['format'] = 1;

/** Raised when the same file gives another graph than before without a new format or tree: another reading of its text. */
const REVISION = 1;

/** Each part only ever rises, and so does this. Hosts of an older build leave graphs of a newer one alone. */
export const COMPILER_VERSION = GRAPH_FORMAT * 1_000_000 + TREE_VERSION * 1_000 + REVISION;
