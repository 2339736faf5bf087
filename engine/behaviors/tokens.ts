/** Moving tokens along sequence flows, first in first out, until nothing moves. */
import { behaviorOf } from '../elements/index.js';
import type { Fact } from '../facts.js';
import type { Json } from '../json.js';
import type { Run } from '../run.js';
import { estimatedLength } from '../size.js';
import { activate } from './activation.js';
import { isHeld } from './hold.js';

/** What is left for this step. Both bound how much one park has to write. */
export interface Budget {
  moves: number;
  /** Characters of variables in facts, as JSON. */
  written: number;
  /** How many of the run's facts `written` has been charged for. */
  charged: number;
}

export function newBudget(moves: number, written: number): Budget {
  return { moves, written, charged: 0 };
}

export function runElements(run: Run, budget: Budget): void {
  const { state, model } = run;
  while (state.status === 'RUNNING' && state.moving.length > 0 && hasBudget(budget) && !isHeld(state)) {
    budget.moves -= 1;
    const token = state.moving[0]!;
    const node = model.node(model.flow(token.flow).target);
    const scope = state.elements[token.scope]!;
    const behavior = behaviorOf(node);
    if (behavior.arrive) behavior.arrive(run, node, scope);
    else activate(run, node.id, scope, { token: true });
    charge(run, budget);
  }
}

export function hasBudget(budget: Budget): boolean {
  return budget.moves > 0 && budget.written > 0;
}

function charge(run: Run, budget: Budget): void {
  for (; budget.charged < run.facts.length; budget.charged += 1) budget.written -= payloadLength(run.facts[budget.charged]!);
}

function payloadLength(fact: Fact): number {
  let length = 0;
  if ('variables' in fact && fact.variables) length += estimatedLength(fact.variables);
  if ('localVariables' in fact && fact.localVariables) length += estimatedLength(fact.localVariables);
  if ('memory' in fact) length += estimatedLength(fact.memory as Json);
  return length;
}
