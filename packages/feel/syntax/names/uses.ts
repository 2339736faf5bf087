/** Names that an expression needs from outside, collected while parsing. */
import type { Span } from '../../errors.js';
import type { Node } from '../../tree.js';

export interface Uses {
  freeVariables: Set<string>;
  /** Names inside filters: an entry of the item or a variable. */
  possibleVariables: Set<string>;
  /** Keyed by their JSON text, so that each occurs once. */
  paths: Map<string, string[]>;
  unknownFunctions: { name: string; at: Span }[];
  /** Literals such as `@"2026-02-30"`. */
  unreadableLiterals: { at: Span }[];
}

export function createUses(): Uses {
  return {
    freeVariables: new Set(),
    possibleVariables: new Set(),
    paths: new Map(),
    unknownFunctions: [],
    unreadableLiterals: [],
  };
}

/** Records the variable and entry names of a path that starts at a variable. */
export function recordPath(uses: Uses, node: Node): void {
  const path: string[] = [];
  let root = node;
  for (; root.kind === 'member'; root = root.target) path.push(root.name);
  if (
    root.kind !== 'name' ||
    root.cell !== undefined ||
    root.name === '?' ||
    (root.builtin === true && root.shadowed !== true)
  )
    return;
  path.push(root.name);
  path.reverse();
  uses.paths.set(JSON.stringify(path), path);
}
