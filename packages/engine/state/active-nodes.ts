/** Active nodes of an instance. */
import type { Model } from '../model/model.js';
import { ROOT, type State } from './state.js';

/**
 * Visits everything that is active: element instances except the process's own, and tokens without an element instance,
 * either on their way to a node or waiting there to be joined.
 *
 * @param targetOf maps a sequence flow's id to the node that it leads to
 * @param visit called with the id of the enclosing scope's element instance and the id of the node
 */
export function visitTokens(
  state: State,
  targetOf: (flow: string) => string,
  visit: (scope: number, node: string) => void,
): void {
  for (const id in state.elements) {
    const element = state.elements[id]!;
    if (element.id !== ROOT) visit(element.scope, element.node);
  }
  for (const { flow, scope } of state.moving) visit(scope, targetOf(flow));
  for (const { flow, scope } of state.arrived) visit(scope, targetOf(flow));
}

/** Ids of the active nodes, without duplicates. A sub-process is listed as well as the active nodes inside it. */
export function activeNodes(model: Pick<Model, 'flow'>, state: State): string[] {
  const nodes = new Set<string>();
  visitTokens(
    state,
    (flow) => model.flow(flow).target,
    (_scope, node) => nodes.add(node),
  );
  return [...nodes];
}
