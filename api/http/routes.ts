import type { Method } from '../contract/operation.js';
import type { Operation } from '../commands/operation.js';

/** The target of a path: its operations by method, and the raw text of its parameters in order. */
export interface Route {
  readonly operations: ReadonlyMap<Method, Operation>;
  readonly rawParameters: readonly string[];
}

export interface Routes {
  /** Literal segments are compared byte by byte, before any decoding, and win over parameters. */
  find(path: string): Route | undefined;
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  readonly operations: Map<Method, Operation>;
}

/** Builds the route table. Throws on two operations with the same method and path, which is a bug. */
export function createRoutes(operations: readonly Operation[]): Routes {
  const root = createNode();
  for (const operation of operations) {
    const node = operation.path.slice(1).split('/').reduce(descend, root);
    const other = node.operations.get(operation.method);
    if (other !== undefined) {
      throw new Error(
        `${operation.operationID} and ${other.operationID} both declare ${operation.method} ${operation.path}`,
      );
    }
    node.operations.set(operation.method, operation);
  }
  return { find: (path) => (path.startsWith('/') ? search(root, path.slice(1).split('/'), 0, []) : undefined) };
}

function createNode(): Node {
  return { literals: new Map(), parameter: undefined, operations: new Map() };
}

function descend(node: Node, segment: string): Node {
  if (segment.startsWith('{')) return (node.parameter ??= createNode());
  const known = node.literals.get(segment);
  if (known !== undefined) return known;
  const created = createNode();
  node.literals.set(segment, created);
  return created;
}

function search(
  node: Node,
  segments: readonly string[],
  index: number,
  parameters: readonly string[],
): Route | undefined {
  const segment = segments[index];
  if (segment === undefined) {
    return node.operations.size > 0 ? { operations: node.operations, rawParameters: parameters } : undefined;
  }
  const literal = node.literals.get(segment);
  const found = literal && search(literal, segments, index + 1, parameters);
  if (found !== undefined || node.parameter === undefined) return found;
  return search(node.parameter, segments, index + 1, [...parameters, segment]);
}
