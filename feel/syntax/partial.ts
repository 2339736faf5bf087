/** How the body of a `for` uses `partial`, the list of results so far. */
import type { ForNode, Node } from '../tree.js';

/** Functions that look at a list and keep nothing of it. */
const READERS = new Set(['count', 'sum', 'min', 'max', 'mean', 'product', 'list contains', 'is empty']);

/** Of a body that does use it. Told by the name alone: a body that binds another `partial` too only costs a copy too many. */
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
  if (node.kind !== 'call' || node.callee.kind !== 'name' || node.callee.builtin !== true || !READERS.has(node.callee.name)) return undefined;
  const [first] = node.arguments;
  return first !== undefined && isPartial(first) ? first : undefined;
}

function isPartial(node: Node): boolean {
  return node.kind === 'name' && node.name === 'partial';
}
