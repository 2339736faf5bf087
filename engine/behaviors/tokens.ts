/** Moving tokens along sequence flows, first in first out, until nothing moves. */
import { behaviorOf } from '../elements/index.js';
import { payloadLength } from '../facts-length.js';
import { isActive, nodeOf, record, type Run } from '../run.js';
import type { ElementInstance, State, Token } from '../state.js';
import { activate, begin } from './activation.js';
import { continueCompensation } from './compensation.js';
import { watchConditions } from './conditions.js';
import { isHeld } from './hold.js';
import { settleJoins } from './joins.js';
import { continueLoop } from './loops.js';

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
  watchConditions(run);
  while (run.state.status === 'RUNNING' && hasBudget(budget) && !isHeld(run.state) && move(run)) {
    watchConditions(run);
    charge(run, budget);
  }
}

/** Whether tokens or turns are left for the next step. */
export function hasWork(state: State): boolean {
  return state.moving.length > 0 || state.continuing !== undefined;
}

/** @returns false when nothing moves any more */
function move(run: Run): boolean {
  const { state } = run;
  if (state.moving.length > 0) moveToken(run, state.moving[0]!);
  else if (state.continuing) takeTurn(run, state.elements[state.continuing[0]!]!);
  else return settleJoins(run);
  return true;
}

function moveToken(run: Run, token: Token): void {
  const node = run.model.node(run.model.flow(token.flow).target);
  const scope = run.state.elements[token.scope]!;
  const behavior = behaviorOf(node);
  if (behavior.arrive) behavior.arrive(run, node, scope);
  else activate(run, node.id, scope, { token: true });
}

/** A loop or a compensation goes on, or what was put there while nothing moved begins. */
function takeTurn(run: Run, element: ElementInstance): void {
  const { placed } = element;
  record(run, { kind: 'ELEMENT_CONTINUED', element: element.id });
  if (placed) return begin(run, element);
  if (element.compensation) continueCompensation(run, element);
  if (!isActive(run, element)) return;
  const node = nodeOf(run, element);
  if (element.loop) continueLoop(run, element);
  else behaviorOf(node).takeTurn?.(run, element, node);
}

export function hasBudget(budget: Budget): boolean {
  return budget.moves > 0 && budget.written > 0;
}

/** A turn may do as much as many moves of a token. */
const FACTS_PER_MOVE = 8;

function charge(run: Run, budget: Budget): void {
  budget.moves -= Math.ceil((run.facts.length - budget.charged) / FACTS_PER_MOVE);
  for (; budget.charged < run.facts.length; budget.charged += 1) budget.written -= payloadLength(run.facts[budget.charged]!);
}
