/** The order in which the nodes of an instance have completed, from its history. */
import type { Schemas } from '@perdure/client';

type Entry = Pick<Schemas['BpmnActivityState'], 'elementInstanceID' | 'scopeID' | 'nodeID' | 'status' | 'endTime'>;

/**
 * Nodes that completed in one step have one time. Among these, a scope completes after what is inside it, and other nodes in
 * the order in which they began.
 *
 * @param history in the order in which the nodes began
 */
export function completedNodes(history: readonly Entry[]): string[] {
  return insideFirst(history)
    .filter(({ status }) => status === 'Completed')
    .map(({ nodeID, endTime }) => ({ nodeID, endTime: Date.parse(endTime!) }))
    .sort((one, other) => one.endTime - other.endTime)
    .map(({ nodeID }) => nodeID);
}

function insideFirst(history: readonly Entry[]): Entry[] {
  const inside = new Map<string, Entry[]>();
  for (const { elementInstanceID } of history) inside.set(elementInstanceID, []);
  for (const entry of history) inside.get(entry.scopeID)?.push(entry);
  const ordered: Entry[] = [];
  const visit = (entry: Entry): void => {
    inside.get(entry.elementInstanceID)!.forEach(visit);
    ordered.push(entry);
  };
  history.filter(({ scopeID }) => !inside.has(scopeID)).forEach(visit);
  return ordered;
}
