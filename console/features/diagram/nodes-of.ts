import type { Model } from './model.js';

/** The nodes of one process of a file and of its sub-processes, in the order of the file. */
export function nodesOf({ parents }: Pick<Model, 'parents'>, processID: string): string[] {
  return [...parents.keys()].filter((nodeID) => processOf(parents, nodeID) === processID);
}

function processOf(parents: ReadonlyMap<string, string>, nodeID: string): string {
  let id = nodeID;
  for (let parent = parents.get(id); parent !== undefined; parent = parents.get(id)) id = parent;
  return id;
}
