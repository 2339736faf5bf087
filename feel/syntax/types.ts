/** Types behind `instance of` and parameters. */
import type { TypeNode } from '../tree.js';
import { childrenOf, type Syntax } from './syntax.js';

/** Reads a `Type` node. `rangeTypes` are the offsets where the text says `range<...>` (see `grammar.ts`). */
export function buildType(node: Syntax, text: string, rangeTypes: ReadonlySet<number>): TypeNode {
  const build = (type: Syntax): TypeNode => buildType(type, text, rangeTypes);
  const [inner] = childrenOf(node);
  if (inner === undefined) return { kind: 'named', name: text.slice(node.from, node.to) };
  const types = childrenOf(inner).filter((child) => child.name === 'Type');
  switch (inner.name) {
    case 'ListType':
      return { kind: rangeTypes.has(inner.from) ? 'range' : 'list', element: build(types[0] as Syntax) };
    case 'ContextType':
      return {
        kind: 'context',
        entries: childrenOf(inner, 'ContextEntryTypes')
          .flatMap((list) => childrenOf(list, 'ContextEntryType'))
          .map((entry) => ({ name: nameText(childrenOf(entry, 'Name')[0] as Syntax, text), type: build(childrenOf(entry, 'Type')[0] as Syntax) })),
      };
    case 'FunctionType':
      return {
        kind: 'function',
        parameters: childrenOf(inner, 'ArgumentTypes').flatMap((list) => childrenOf(list, 'ArgumentType')).map((argument) => build(childrenOf(argument, 'Type')[0] as Syntax)),
        result: build(types[0] as Syntax),
      };
    default:
      return { kind: 'named', name: nameText(inner, text) };
  }
}

/** A name as written, with single spaces. */
export function nameText(node: Syntax, text: string): string {
  return text.slice(node.from, node.to).replace(/\s+/g, ' ').trim();
}
