/**
 * The parsed form of a FEEL expression: plain JSON stored in the deployed graph, so that evaluation never needs the
 * parser.
 *
 * Names are resolved as far as the text determines them. Each construct that binds a name (function parameter,
 * iteration variable, context entry, filter item) pushes one *cell* at run time; a reference states how many cells up
 * its name is.
 */
import type { Span } from './errors.js';

/**
 * Increased when a text gets a different tree, or a node a different shape. Hosts compare it to detect definitions that
 * must be recompiled; trees of earlier versions stay readable (`upgrade.ts`).
 */
export const TREE_VERSION = 1;

export interface FeelTree {
  version: typeof TREE_VERSION;
  kind: 'expression' | 'unary-tests';
  root: Node;
}

/** A tree as written by any version of `parseFeel`. */
export type StoredTree = Omit<FeelTree, 'version'> & { version: number };

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '**';
export type ComparisonOperator = '=' | '!=' | '<' | '<=' | '>' | '>=';

interface At {
  /** Offsets in the expression text, for error messages. */
  at: Span;
}

/** Null, boolean, string, or a number that JSON represents exactly. */
export interface LiteralNode extends At {
  kind: 'literal';
  value: null | boolean | number | string;
}

/** A numeric literal with more digits than a JavaScript number has, or one that is too large for one. */
export interface DecimalNode extends At {
  kind: 'decimal';
  text: string;
}

/** `@"2026-11-21"` */
export interface TemporalNode extends At {
  kind: 'temporal';
  text: string;
}

/** A reference to a variable, a bound name, an entry of a filtered item, or a built-in function. */
export interface NameNode extends At {
  kind: 'name';
  name: string;
  /** How many cells up the bound name is; absent if no enclosing construct binds it. */
  cell?: number;
  /** Filters between here and that cell, innermost first: their item may have an entry with this name. */
  items?: number[];
  /**
   * The name is that of a built-in function. Before an argument list it refers to that function, elsewhere only if no
   * variable has the name.
   */
  builtin?: true;
  /** A variable with this name is also known. If it is a function, it takes precedence before an argument list. */
  shadowed?: true;
}

export interface MemberNode extends At {
  kind: 'member';
  target: Node;
  name: string;
}

export interface ArithmeticNode extends At {
  kind: 'arithmetic';
  operator: ArithmeticOperator;
  left: Node;
  right: Node;
}

export interface NegationNode extends At {
  kind: 'negation';
  operand: Node;
}

export interface ComparisonNode extends At {
  kind: 'comparison';
  operator: ComparisonOperator;
  left: Node;
  right: Node;
}

export interface LogicalNode extends At {
  kind: 'and' | 'or';
  left: Node;
  right: Node;
}

export interface BetweenNode extends At {
  kind: 'between';
  value: Node;
  low: Node;
  high: Node;
}

/** `value in test` and `value in (test, test)`; the tests see `value` in a cell named `?`. */
export interface InNode extends At {
  kind: 'in';
  value: Node;
  tests: TestNode[];
}

/** One positive unary test (DMN 1.5 section 10.3.2.8). */
export interface TestNode extends At {
  kind: 'test';
  expression: Node;
  /** The expression contains `?`, so its boolean result is the answer. */
  usesInput: boolean;
}

export interface IfNode extends At {
  kind: 'if';
  condition: Node;
  then: Node;
  else: Node;
}

/** `name in list` or `name in start..end`; pushes a cell. */
export interface Iterator extends At {
  name: string;
  source: Node;
  end?: Node;
}

export interface ForNode extends At {
  kind: 'for';
  iterators: Iterator[];
  /** Evaluated with one more cell, `partial`, the results so far. */
  body: Node;
  /** `read`: the body only reads `partial`; `copied`: it may keep it, so each iteration needs a copy. */
  partial: 'unused' | 'read' | 'copied';
}

export interface QuantifiedNode extends At {
  kind: 'some' | 'every';
  iterators: Iterator[];
  condition: Node;
}

export interface ListNode extends At {
  kind: 'list';
  items: Node[];
}

/** Each entry sees the entries before it, in one cell each. */
export interface ContextNode extends At {
  kind: 'context';
  entries: { key: string; value: Node }[];
}

export interface RangeNode extends At {
  kind: 'range';
  start: Node;
  end: Node;
  startIncluded: boolean;
  endIncluded: boolean;
}

/** `< 5` as a value: a range with one endpoint, or a test for `=` and `!=`. */
export interface UnaryComparisonNode extends At {
  kind: 'unary comparison';
  operator: ComparisonOperator;
  endpoint: Node;
}

/** Pushes the item in a cell named `item`. */
export interface FilterNode extends At {
  kind: 'filter';
  target: Node;
  condition: Node;
}

export interface FunctionNode extends At {
  kind: 'function';
  parameters: { name: string; type?: TypeNode }[];
  body: Node;
}

/** A function defined outside FEEL (Java, PMML). */
export interface ExternalFunctionNode extends At {
  kind: 'external function';
}

export interface CallNode extends At {
  kind: 'call';
  callee: Node;
  arguments: Node[];
  /** Parameter names, one per argument, if the arguments are named. */
  names?: string[];
}

export interface InstanceOfNode extends At {
  kind: 'instance of';
  value: Node;
  type: TypeNode;
}

/**
 * A whole cell of a decision table: one test of the list must pass, or none if negated. The input is in a cell named
 * `?`.
 */
export interface UnaryTestsNode extends At {
  kind: 'unary tests';
  tests: TestNode[];
  negated: boolean;
}

/** `-`: true for every input. */
export interface AnyInputNode extends At {
  kind: 'any input';
}

export type Node =
  | LiteralNode
  | DecimalNode
  | TemporalNode
  | NameNode
  | MemberNode
  | ArithmeticNode
  | NegationNode
  | ComparisonNode
  | LogicalNode
  | BetweenNode
  | InNode
  | TestNode
  | IfNode
  | ForNode
  | QuantifiedNode
  | ListNode
  | ContextNode
  | RangeNode
  | UnaryComparisonNode
  | FilterNode
  | FunctionNode
  | ExternalFunctionNode
  | CallNode
  | InstanceOfNode
  | UnaryTestsNode
  | AnyInputNode;

/** A type as written after `instance of` or a parameter. */
export type TypeNode =
  | { kind: 'named'; name: string }
  | { kind: 'list'; element: TypeNode }
  | { kind: 'range'; element: TypeNode }
  | { kind: 'context'; entries: { name: string; type: TypeNode }[] }
  | { kind: 'function'; parameters: TypeNode[]; result: TypeNode };
