/** What the workflow of an instance may ask of the outside. */
import type { Pool } from 'pg';
import type { Command } from '../engine/commands.js';
import type { Graph } from '../engine/graph.js';
import type { Park, ParkAnswer } from '../engine/park.js';
import { writePark } from '../store/park.js';
import type { GraphCache } from './graph-cache.js';
import { loadCommand } from './load-command.js';
import { requestCancellation } from './request-cancellation.js';

/** All may run more than once with the same input. */
export interface Activities {
  /** Writes a park in one transaction, or answers what became of it already. */
  park(written: Park): Promise<ParkAnswer>;
  /** The compiled graph with this content address. */
  loadGraph(wanted: { graphSha256: string }): Promise<Graph>;
  /** A command of an instance, whole. */
  loadCommand(wanted: { workflowID: string; number: number }): Promise<Command>;
  /** Turns a cancellation asked for in Temporal into a command. */
  requestCancellation(canceled: { projectID: string; workflowID: string }): Promise<void>;
}

export interface ActivityContext {
  store: Pool;
  graphs: GraphCache;
}

export function createActivities({ store, graphs }: ActivityContext): Activities {
  return {
    park: (written) => writePark(store, written),
    loadGraph: async ({ graphSha256 }) => (await graphs.get(graphSha256)).graph,
    loadCommand: (wanted) => loadCommand(store, wanted),
    requestCancellation: (canceled) => requestCancellation(store, canceled),
  };
}
