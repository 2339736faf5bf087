/**
 * A graph prepared for execution: nodes and flows by id, and compiled expressions. Read-only; instances of one
 * definition may share it.
 */
import { compile, type CompiledExpression } from '@perdure/feel/evaluate.js';
import type { Expression, Flow, Graph, Node, NodeKind, NodeOf } from './graph.js';
import type { Json } from '../contract/json.js';
import { nodesUpstream, type NodeSet } from './paths.js';

type Resolved = { literal: Json } | { compiled: CompiledExpression };

export interface Model {
  graph: Graph;
  root: NodeOf<'process'>;
  node(id: string): Node;
  /** For ids that come from outside. */
  find(id: string): Node | undefined;
  flow(id: string): Flow;
  /** Nodes directly inside a scope node, in document order. */
  inside(scopeNode: string): readonly Node[];
  resolve(expression: Expression): Resolved;
  /** Nodes from which a token can arrive on `flow` without passing the flow's target. */
  upstream(flow: string): NodeSet;
  /** Whether any event waits for a condition. */
  hasConditions: boolean;
  hasComplexGateways: boolean;
  /** Whether an event that interrupts user tasks can wait for their listeners. */
  hasCancelingListeners: boolean;
}

/** Indexes `graph`. Expressions are compiled when they are first needed. */
export function modelOf(graph: Graph): Model {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const flows = new Map(graph.flows.map((flow) => [flow.id, flow]));
  const inside = new Map<string, Node[]>();
  for (const node of graph.nodes) {
    if (node.parent === undefined) continue;
    const siblings = inside.get(node.parent);
    if (siblings) siblings.push(node);
    else inside.set(node.parent, [node]);
  }
  const resolved = new Map<Expression, Resolved>();
  const upstream = new Map<string, NodeSet>();
  const positions = new Map(graph.nodes.map(({ id }, index) => [id, index]));
  return {
    graph,
    root: graph.nodes[0] as NodeOf<'process'>,
    node: (id) => known(nodes.get(id), 'node', id),
    find: (id) => nodes.get(id),
    flow: (id) => known(flows.get(id), 'sequence flow', id),
    inside: (scopeNode) => inside.get(scopeNode) ?? [],
    resolve(expression) {
      if ('literal' in expression) return expression;
      let value = resolved.get(expression);
      if (!value) {
        value = { compiled: compile(expression.feel) };
        resolved.set(expression, value);
      }
      return value;
    },
    upstream(flow) {
      let found = upstream.get(flow);
      if (!found) {
        found = nodesUpstream(this, flow, positions);
        upstream.set(flow, found);
      }
      return found;
    },
    hasConditions: graph.nodes.some(
      (node) => 'triggers' in node && node.triggers.some(({ kind }) => kind === 'conditional'),
    ),
    hasComplexGateways: graph.nodes.some(({ kind }) => kind === 'complexGateway'),
    hasCancelingListeners: graph.nodes.some((node) => node.kind === 'userTask' && node.taskListeners?.canceling),
  };
}

export function isKind<K extends NodeKind>(node: Node, kind: K): node is NodeOf<K> {
  return node.kind === kind;
}

function known<T>(value: T | undefined, what: string, id: string): T {
  if (value === undefined)
    throw new Error(`The graph has no ${what} ${id}, so graph and state belong to different definitions`);
  return value;
}

/** Whether `catcher` can occur repeatedly while it listens. */
export function staysOpen(catcher: Node): boolean {
  return 'interrupting' in catcher && !catcher.interrupting && !isParallelMultiple(catcher);
}

/** Whether `catcher` occurs only once all of its definitions have (BPMN 2.0.2 table 10.93, Parallel Multiple). */
export function isParallelMultiple(catcher: Node): boolean {
  return 'parallelMultiple' in catcher && catcher.parallelMultiple === true;
}
