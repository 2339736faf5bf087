/** Infers the type of an expression as far as its text determines it; a function's result type is that of its body. */
import type { Node } from './tree.js';
import type { FeelType } from './values/feel-type.js';
import { parseTemporal } from './temporal/parse.js';
import { typeOf } from './values/values.js';

const ANY: FeelType = { kind: 'simple', name: 'Any' };

/** `Any` if the text does not determine it. */
export function inferType(node: Node): FeelType {
  switch (node.kind) {
    case 'literal':
      return node.value === null ? ANY : { kind: 'simple', name: typeOf(node.value) };
    case 'decimal':
      return { kind: 'simple', name: 'number' };
    case 'temporal':
      return { kind: 'simple', name: typeOf(parseTemporal(node.text)) };
    case 'comparison':
    case 'and':
    case 'or':
    case 'between':
    case 'in':
    case 'some':
    case 'every':
    case 'instance of':
      return { kind: 'simple', name: 'boolean' };
    case 'context':
      return {
        kind: 'context',
        entries: node.entries.map(({ key, value }) => ({ name: key, type: inferType(value) })),
      };
    case 'list': {
      const [first] = node.items;
      return { kind: 'list', element: first === undefined ? ANY : inferType(first) };
    }
    default:
      return ANY;
  }
}
