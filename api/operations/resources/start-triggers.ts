/** What starts a process besides a caller. */
import { entryPoints } from '../../../engine/entry-points.js';
import type { Graph } from '../../../engine/graph.js';
import { modelOf } from '../../../engine/model.js';
import type { StartTrigger } from '../../../store/start-subscriptions.js';

/** Messages and signals by which instances of the process begin. */
export function startTriggersOf(graph: Graph): StartTrigger[] {
  return entryPoints(modelOf(graph), Date.now()).flatMap(({ node, trigger, what }) =>
    what.kind === 'message' || what.kind === 'signal' ? [{ node, trigger, type: what.kind, name: what.name }] : [],
  );
}
