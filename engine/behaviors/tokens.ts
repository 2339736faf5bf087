/** Moving tokens along sequence flows, first in first out, until nothing moves. */
import { behaviorOf } from '../elements/index.js';
import type { Run } from '../run.js';
import { activate } from './activation.js';

/** How many moves are left in this step. */
export interface Budget {
  moves: number;
}

export function runElements(run: Run, budget: Budget): void {
  const { state, model } = run;
  while (state.status === 'RUNNING' && state.moving.length > 0 && budget.moves > 0) {
    budget.moves -= 1;
    const token = state.moving[0]!;
    const node = model.node(model.flow(token.flow).target);
    const scope = state.elements[token.scope]!;
    const behavior = behaviorOf(node);
    if (behavior.arrive) behavior.arrive(run, node, scope);
    else activate(run, node.id, scope, { token: true });
  }
}
