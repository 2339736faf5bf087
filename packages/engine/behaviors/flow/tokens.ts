/** Moves tokens along sequence flows, first in, first out, until nothing moves or the step's budget is spent. */
import { behaviorOf } from '../../registry.js';
import { isActive, nodeOf, record, type Run } from '../../run.js';
import { runsListeners } from '../../state/element-data.js';
import { isEnabled } from '../../state/flags.js';
import type { ElementInstance, State, Token } from '../../state/state.js';
import { activate, begin, proceed } from '../lifecycle/activation.js';
import { continueCompensation } from '../compensation/compensation.js';
import { watchConditions } from '../waiting/conditions.js';
import { isHalted } from '../lifecycle/halt.js';
import { fireJoins } from './joins.js';
import { continueLoop } from './loops.js';

/** Sets `exhausted` if the budget is spent while something can still move. */
export function runElements(run: Run): void {
  do {
    if (run.state.status !== 'RUNNING' || isHalted(run.state)) return;
    if (!run.budget.allowsMoves) {
      run.exhausted ||= mayMove(run);
      return;
    }
    watchConditions(run);
  } while (!run.exhausted && run.state.status === 'RUNNING' && !isHalted(run.state) && move(run));
}

/** Whether an instance that is not waiting for an external event has more to do, so that the next step continues it. */
export function hasWork(state: State): boolean {
  return isMoving(state) || (state.unbroken !== undefined && !state.unbroken.deciding);
}

export function isMoving(state: State): boolean {
  return state.moving.length > 0 || state.continuing !== undefined;
}

/** A cheap check: joins and conditions may turn out to have nothing to do. */
function mayMove({ state, model }: Run): boolean {
  return isMoving(state) || state.arrived.length > 0 || model.hasConditions || model.hasComplexGateways;
}

/** @returns false if nothing moves anymore */
function move(run: Run): boolean {
  const { state } = run;
  run.budget.nextUnit();
  if (state.moving.length > 0) moveToken(run, state.moving[0]!);
  else if (state.continuing) continueFirst(run);
  else return fireJoins(run);
  return true;
}

/** Runs the continuation that has waited longest, if there is one. */
export function continueFirst(run: Run): void {
  const [first] = run.state.continuing ?? [];
  if (first !== undefined) continueElement(run, run.state.elements[first]!);
}

function moveToken(run: Run, token: Token): void {
  const node = run.model.node(run.model.flow(token.flow).target);
  const scope = run.state.elements[token.scope]!;
  const behavior = behaviorOf(run, node);
  if (behavior.arrive) behavior.arrive(run, node, scope);
  else activate(run, node.id, scope, { token: true });
}

/**
 * Runs a continuation: continues a loop or a compensation, or starts an element that was placed while nothing moved.
 */
function continueElement(run: Run, element: ElementInstance): void {
  const { placed } = element;
  record(run, { kind: 'ELEMENT_CONTINUED', element: element.id });
  if (placed) return beginPlaced(run, element);
  if (runsListeners(element)) return proceed(run, element);
  if (element.compensation) continueCompensation(run, element);
  if (!isActive(run, element)) return;
  const node = nodeOf(run, element);
  if (element.loop) continueLoop(run, element);
  else behaviorOf(run, node).onContinue?.(run, element, node);
}

/** A scope whose retry a pause has deferred can have been given a compensation, which has the same continuation. */
function beginPlaced(run: Run, element: ElementInstance): void {
  begin(run, element);
  if (element.compensation && isActive(run, element) && isEnabled(run.state, 'retriedScopesAreCompensated'))
    continueCompensation(run, element);
}
