/** What an expression needs from outside, noted while it is read. */
import type { Span } from '../errors.js';
import type { Node } from '../tree.js';

export interface Uses {
  freeVariables: Set<string>;
  /** Names inside filters: an entry of the item or a variable. */
  possibleVariables: Set<string>;
  /** By their JSON text, so that each is there once. */
  paths: Map<string, string[]>;
  unknownFunctions: { name: string; at: Span }[];
}

export function createUses(): Uses {
  return { freeVariables: new Set(), possibleVariables: new Set(), paths: new Map(), unknownFunctions: [] };
}

/** Notes the variable and entry names of a path that begins at a variable. */
export function recordPath(uses: Uses, node: Node): void {
  const path: string[] = [];
  let root = node;
  for (; root.kind === 'member'; root = root.target) path.push(root.name);
  if (root.kind !== 'name' || root.cell !== undefined || root.name === '?' || (root.builtin === true && root.shadowed !== true)) return;
  path.push(root.name);
  path.reverse();
  uses.paths.set(JSON.stringify(path), path);
}
