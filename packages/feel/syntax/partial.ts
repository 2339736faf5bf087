/** Usage of `partial`, the list of results so far, in the body of a `for`. */
import type { ForNode, Node } from '../tree.js';

/** Functions that read a list without keeping any of it. */
const READERS = new Set(['count', 'sum', 'min', 'max', 'mean', 'product', 'list contains', 'is empty']);

/**
 * Usage in a body that contains `partial`. Based on the name only: in a body that binds its own `partial`, the cost is
 * one unnecessary copy.
 */
export function partialUse(body: Node): ForNode['partial'] {
  let use: ForNode['partial'] = 'unused';
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if (Array.isArray(part)) {
      part.forEach(visit);
      return;
    }
    const node = part as Node;
    if (node.kind === 'name' && node.name === 'partial') use = 'copied';
    const read = readPartOf(node);
    if (read !== undefined && use === 'unused') use = 'read';
    for (const child of Object.values(node)) {
      if (child === read) continue;
      if (read !== undefined && Array.isArray(child) && child[0] === read) child.slice(1).forEach(visit);
      else visit(child);
    }
  };
  visit(body);
  return use;
}

/** The `partial` that a filter or a reading function is applied to. */
function readPartOf(node: Node): Node | undefined {
  if (node.kind === 'filter') return isPartial(node.target) ? node.target : undefined;
  if (
    node.kind !== 'call' ||
    node.callee.kind !== 'name' ||
    node.callee.builtin !== true ||
    !READERS.has(node.callee.name)
  )
    return undefined;
  const [first] = node.arguments;
  return first !== undefined && isPartial(first) ? first : undefined;
}

function isPartial(node: Node): boolean {
  return node.kind === 'name' && node.name === 'partial';
}
