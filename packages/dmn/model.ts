/**
 * The compiled form of decision models (DMN 1.5): plain JSON with resolved FEEL trees, stored with the file and loaded
 * for evaluation without any parser.
 *
 * *Element* is a node of the decision requirements graph: input data, decision, business knowledge model or decision
 * service. Elements refer to each other by their position in `elements`, in which each one comes after those it
 * requires.
 */
import { TREE_VERSION, type FeelTree } from '@perdure/feel/tree.js';

/** An expression, or why it could not be read: evaluating such an expression fails; the rest of the model works. */
export type Expression = FeelTree | { unreadable: string };

/**
 * Changes when stored models can no longer be loaded or the same file compiles to another model: with the number here, or
 * with the form of FEEL trees. Stored models of another version are compiled again when they are loaded.
 */
export const MODEL_VERSION = `3/${TREE_VERSION}`;

export interface CompiledModel {
  /** `MODEL_VERSION` of the code that compiled it. */
  version: string;
  /** The file itself first, then those it imports. */
  files: FileSummary[];
  /** Item definitions of all files. */
  types: ItemType[];
  elements: Element[];
}

export interface FileSummary {
  /** The id of its `definitions`. */
  id: string;
  name: string;
  namespace: string;
  /** Path of import names from the first file to this one; empty for the first. */
  importPath: string[];
}

/** A type: built in by name, an item definition by its position in `types`, or composed. */
export type Type =
  | { kind: 'simple'; name: string }
  | { kind: 'item'; item: number }
  | { kind: 'list'; element: Type }
  | { kind: 'context'; components: { name: string; type: Type }[] }
  | { kind: 'function'; parameters: Type[]; result: Type }
  | {
      kind: 'constrained';
      base: Type;
      allowed: Expression;
      /** Tests a list as a whole, not its items. */ whole?: true;
    };

export interface ItemType {
  file: number;
  name: string;
  type: Type;
}

interface ElementBase {
  id: string;
  name: string;
  /** Position in `files`. */
  file: number;
  /** Type of its variable. */
  type?: Type;
}

export interface InputData extends ElementBase {
  kind: 'input data';
}

export interface Decision extends ElementBase {
  kind: 'decision';
  requires: Requirement[];
  /** Absent if the model has no logic for it: such a decision is null unless the caller provides its value. */
  logic?: Logic;
  /** Callers may bind to it instead of a version number. */
  versionTag?: string;
  /** Variables that its expressions read and nothing in the model declares. */
  undeclared: string[];
}

export interface BusinessKnowledge extends ElementBase {
  kind: 'business knowledge';
  requires: Requirement[];
  logic: FunctionLogic;
}

export interface DecisionService extends ElementBase {
  kind: 'decision service';
  /** Parameters in order: input data, then input decisions. Positions in `elements`. */
  inputs: number[];
  outputs: number[];
}

export type Element = InputData | Decision | BusinessKnowledge | DecisionService;

/** A required element, and the name under which the requiring one sees it: below the name of an import, if any. */
export interface Requirement {
  element: number;
  name: string;
  /** Another name of its value, if nothing else has that name: the id of a decision without a variable. */
  id?: string;
  importName?: string;
}

interface LogicBase {
  /** The id of this expression, or of the nearest enclosing element that has one. */
  id?: string;
  type?: Type;
}

export interface LiteralLogic extends LogicBase {
  kind: 'literal';
  expression: Expression;
}

export interface ContextLogic extends LogicBase {
  kind: 'context';
  entries: { name: string; type?: Type; logic: Logic }[];
  /** The value of the whole, instead of the context; only this expression sees the entries. */
  result?: Logic;
}

export interface ListLogic extends LogicBase {
  kind: 'list';
  items: Logic[];
}

export interface RelationLogic extends LogicBase {
  kind: 'relation';
  columns: { name: string; type?: Type }[];
  rows: Logic[][];
}

export interface InvocationLogic extends LogicBase {
  kind: 'invocation';
  callee: Logic;
  bindings: { name: string; type?: Type; logic: Logic }[];
}

export interface FunctionLogic extends LogicBase {
  kind: 'function';
  parameters: { name: string; type?: Type }[];
  /** `external` functions (Java, PMML) cannot be called. */
  body: Logic | 'external';
}

export interface ConditionalLogic extends LogicBase {
  kind: 'conditional';
  condition: Logic;
  then: Logic;
  otherwise: Logic;
}

export interface IterationLogic extends LogicBase {
  kind: 'for' | 'some' | 'every';
  variable: string;
  variableType?: Type;
  source: Logic;
  body: Logic;
}

export interface FilterLogic extends LogicBase {
  kind: 'filter';
  source: Logic;
  condition: Logic;
}

export interface TableLogic extends LogicBase {
  kind: 'table';
  hitPolicy: HitPolicy;
  aggregator?: Aggregator;
  inputs: TableInput[];
  outputs: TableOutput[];
  rules: TableRule[];
}

export type HitPolicy = 'UNIQUE' | 'FIRST' | 'PRIORITY' | 'ANY' | 'COLLECT' | 'RULE ORDER' | 'OUTPUT ORDER';
export type Aggregator = 'SUM' | 'COUNT' | 'MIN' | 'MAX';

export interface TableInput {
  id?: string;
  expression: Expression;
  type?: Type;
  /** Unary tests that every input value must satisfy. */
  allowed?: Expression;
  /** Another name of the input inside its own cells, if one of them uses it. */
  alias?: string;
}

export interface TableOutput {
  /** Absent only if it is the only one. */
  name?: string;
  type?: Type;
  /** The list of output values, highest priority first. */
  priorities?: Expression;
  fallback?: Expression;
}

export interface TableRule {
  id?: string;
  /** One cell per input. */
  tests: Expression[];
  /** One cell per output. */
  outputs: Expression[];
}

export type Logic =
  | LiteralLogic
  | ContextLogic
  | ListLogic
  | RelationLogic
  | InvocationLogic
  | FunctionLogic
  | ConditionalLogic
  | IterationLogic
  | FilterLogic
  | TableLogic;
