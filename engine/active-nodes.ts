/** Where an instance stands. */
import type { Model } from './model.js';
import { ROOT, type State } from './state.js';

/**
 * Tells of everything that stands somewhere: element instances but for the process's own, and tokens without one, which are on
 * their way to a node or wait at it to be joined.
 *
 * @param targetOf the node that a sequence flow leads to, by the flow's id
 * @param visit called with the id of the scope's element instance and the id of the node
 */
export function visitTokens(state: State, targetOf: (flow: string) => string, visit: (scope: number, node: string) => void): void {
  for (const id in state.elements) {
    const element = state.elements[id]!;
    if (element.id !== ROOT) visit(element.scope, element.node);
  }
  for (const { flow, scope } of state.moving) visit(scope, targetOf(flow));
  for (const { flow, scope } of state.arrived) visit(scope, targetOf(flow));
}

/** The ids of the nodes at which anything stands, each once. A sub-process counts as well as what is active inside. */
export function activeNodes(model: Pick<Model, 'flow'>, state: State): string[] {
  const nodes = new Set<string>();
  visitTokens(state, (flow) => model.flow(flow).target, (_scope, node) => nodes.add(node));
  return [...nodes];
}
