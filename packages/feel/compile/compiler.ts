/** Compiles the stored tree to closures: each node becomes one function of the run and the innermost cell. */
import type { Cell, Run } from '../run.js';
import type { Node } from '../tree.js';
import type { FeelValue } from '../values/values.js';

/** A compiled node. */
export type Code = (run: Run, cell: Cell | null) => FeelValue;

/** A compiled expression. It is stateless: it may be evaluated any number of times. */
export interface CompiledExpression {
  readonly code: Code;
  /** Number of nodes: the cost in steps of one run, without loops and calls. */
  readonly size: number;
}

/** Compiles a node of any kind. */
export interface CompileNode {
  (node: Node): Code;
  /** The number of nodes in a part, which is the cost in steps of one iteration. */
  sizeOf(part: Node): number;
}

/** Compiles a node of one kind, given the compiler of its parts. */
export type NodeCompiler<Kind extends Node['kind']> = (node: NodeOf<Kind>, compile: CompileNode) => Code;

type NodeOf<Kind extends Node['kind']> = Node extends infer Each
  ? Each extends { kind: infer Own }
    ? Kind extends Own
      ? Each
      : never
    : never
  : never;

/** Cells passed, and filtered items checked for a name, per step. */
const CELLS_PER_STEP = 32;
const ITEMS_PER_STEP = 8;

/** Cost of a node without its parts: one, or more for a name that is looked up in many places. */
function costOf(part: Node): number {
  if (!Object.hasOwn(part, 'at')) return 0;
  if (part.kind !== 'name') return 1;
  const { cell = 0, items = [] } = part;
  return 1 + Math.floor(cell / CELLS_PER_STEP) + Math.floor(items.length / ITEMS_PER_STEP);
}

/** Counts the nodes of parts, each once, because nested loops ask for the same ones. */
export function nodeCounter(): (part: Node) => number {
  const counted = new Map<unknown, number>();
  const count = (part: unknown): number => {
    if (typeof part !== 'object' || part === null) return 0;
    const known = counted.get(part);
    if (known !== undefined) return known;
    let size = costOf(part as Node);
    for (const inner of Object.values(part)) size += count(inner);
    counted.set(part, size);
    return size;
  };
  return count;
}
