/** The parser's own tree, as far as we use it. */
import type { parseExpression } from 'feelin';

export type SyntaxTree = ReturnType<typeof parseExpression>;
export type Syntax = SyntaxTree['topNode'];

const COMMENTS = new Set(['LineComment', 'BlockComment']);

/** The parts of a node, without comments; with a name, only those of that name. */
export function childrenOf(node: Syntax, name?: string): Syntax[] {
  const children: Syntax[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (!COMMENTS.has(child.name) && (name === undefined || child.name === name)) children.push(child);
  }
  return children;
}
