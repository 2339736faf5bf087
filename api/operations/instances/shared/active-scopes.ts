/** The active scopes of an instance, read from its state for the detail view and the replay view. */
import type { z } from 'zod';
import { visitTokens } from '@perdure/engine/state/active-nodes.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import { ROOT } from '@perdure/engine/state/state.js';
import type { ElementInstance, State } from '@perdure/engine/state/state.js';
import type { activeScope } from './schemas.js';

type ActiveScope = z.output<typeof activeScope>;

/**
 * The process and every activity that contains active nodes, outermost first, with the tokens directly inside each. A
 * token that waits at a joining gateway counts at that gateway. Empty once the instance has ended.
 */
export function activeScopes(state: State, graph: Graph, processVersion: number): ActiveScope[] {
  if (state.status !== 'RUNNING') return [];
  const targets = new Map(graph.flows.map(({ id, target }) => [id, target]));
  const counts = new Map<number, Map<string, number>>();
  const count = (scope: number, node: string) => {
    const ofScope = counts.get(scope) ?? new Map<string, number>();
    counts.set(scope, ofScope.set(node, (ofScope.get(node) ?? 0) + 1));
  };
  visitTokens(state, (flow) => targets.get(flow) ?? flow, count);
  return Object.values(state.elements)
    .filter(({ id }) => id === ROOT || counts.has(id))
    .map((element) => toScope(element, counts.get(element.id) ?? new Map<string, number>(), processVersion));
}

/** Tokens that wait at joining gateways: by gateway, by incoming sequence flow. */
export function pendingJoinArrivals(state: State, graph: Graph): Record<string, Record<string, number>> {
  const targets = new Map(graph.flows.map(({ id, target }) => [id, target]));
  const arrivals = new Map<string, Map<string, number>>();
  for (const { flow } of state.arrived) {
    const gateway = targets.get(flow) ?? flow;
    const ofGateway = arrivals.get(gateway) ?? new Map<string, number>();
    arrivals.set(gateway, ofGateway.set(flow, (ofGateway.get(flow) ?? 0) + 1));
  }
  return Object.fromEntries([...arrivals].map(([gateway, flows]) => [gateway, Object.fromEntries(flows)]));
}

/** The id of a scope within its instance; the process's own is `1`. */
export function scopeID(element: number): string {
  return String(element);
}

function toScope(element: ElementInstance, tokens: ReadonlyMap<string, number>, processVersion: number): ActiveScope {
  return {
    scopeID: scopeID(element.id),
    ...(element.id !== ROOT && { parentScopeID: scopeID(element.scope) }),
    nodeID: element.node,
    // fromEntries defines members, so that a node called __proto__ is a member like any other.
    activeNodes: Object.fromEntries(tokens),
    processVersion,
    variables: element.variables ?? {},
  };
}
