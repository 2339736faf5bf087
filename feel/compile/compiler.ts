/** From the stored tree to closures: each node becomes one function of the run and the innermost cell. */
import type { Cell, Run } from '../run.js';
import type { Node } from '../tree.js';
import type { FeelValue } from '../values.js';

/** A compiled node. */
export type Code = (run: Run, cell: Cell | null) => FeelValue;

/** Compiles a node of any kind. */
export type CompileNode = (node: Node) => Code;

/** Compiles a node of one kind; it gets the compiler of its parts. */
export type NodeCompiler<Kind extends Node['kind']> = (node: NodeOf<Kind>, compile: CompileNode) => Code;

type NodeOf<Kind extends Node['kind']> = Node extends infer Each ? (Each extends { kind: infer Own } ? (Kind extends Own ? Each : never) : never) : never;

/** How many nodes a part has: what one round of it costs in steps. */
export function sizeOf(node: Node): number {
  let size = 0;
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(visit);
    else if (typeof part === 'object' && part !== null) {
      if ('at' in part) size += 1;
      Object.values(part).forEach(visit);
    }
  };
  visit(node);
  return size;
}
