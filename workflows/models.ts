/**
 * Compiled graphs shared by all instances of an isolate. The only module-level state in the workflow bundle: its values
 * are frozen and keyed by content, so no instance can detect whether another ran before it.
 */
import type { Graph } from '../packages/engine/model/graph.js';
import { modelOf, type Model } from '../packages/engine/model/model.js';
import { upgradeGraph } from '../packages/engine/state/upgrade.js';

const MOST_MODELS = 100;
const models = new Map<string, Model>();

/** The model of `graph`, whose content address is `graphSha256`. */
export function modelFor(graphSha256: string, graph: Graph): Model {
  const known = models.get(graphSha256);
  if (known) return known;
  if (models.size >= MOST_MODELS) forgetOldest();
  const model = modelOf(deepFreeze(upgradeGraph(graph)));
  models.set(graphSha256, model);
  return model;
}

function forgetOldest(): void {
  for (const oldest of models.keys()) {
    models.delete(oldest);
    return;
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
