/**
 * Compiled graphs shared by all instances of an isolate. The only module-level state in the workflow bundle: its values
 * are frozen and keyed by content, so no instance can detect whether another ran before it.
 */
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import { upgradeGraph } from '@perdure/engine/state/upgrade.js';

const models = new BoundedCache<string, Model>({ entries: 100 });

/** The model of `graph`, whose content address is `graphSha256`. */
export function modelFor(graphSha256: string, graph: Graph): Model {
  const known = models.get(graphSha256);
  if (known) return known;
  const model = modelOf(deepFreeze(upgradeGraph(graph)));
  models.set(graphSha256, model);
  return model;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
