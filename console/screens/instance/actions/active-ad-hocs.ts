import type { InstanceOnPage } from '../use-instance.js';

/** The ad-hoc sub-processes that are active now. */
export function activeAdHocs({ instance, model }: InstanceOnPage): string[] {
  const active = new Set(instance.activeScopes.flatMap(({ activeNodes }) => Object.keys(activeNodes)));
  return [...model.adHocActivities.keys()].filter((nodeID) => active.has(nodeID));
}
