/**
 * Canceling a transaction: BPMN 2.0.2 sections 10.3.5 and 13.5.3. Everything inside ends, completed activities are
 * compensated, then the transaction is left through its cancel boundary event.
 */
import type { BoundaryEventNode } from '../../elements/boundary-event.js';
import type { ActivityNode } from '../../model/graph.js';
import { fireEvent } from '../../registry.js';
import { nodeOf, record, scopeOf, type Run } from '../../run.js';
import { isEnabled } from '../../state/flags.js';
import type { ElementInstance } from '../../state/state.js';
import { finishScope, leave } from '../lifecycle/activation.js';
import { cancel, closeWaits } from '../lifecycle/cancellation.js';
import { isCompensatedAgain, registerActiveInside, startCompensation } from './compensation-records.js';
import { waitsForTasks } from '../listeners/canceling.js';
import { interrupt } from '../lifecycle/interruption.js';

/** Cancel end event `end` cancels the enclosing transaction. */
export function cancelTransaction(run: Run, end: ElementInstance): void {
  const transaction = transactionAround(run, end);
  const reason = reasonOf(end.node);
  record(run, { kind: 'ELEMENT_COMPLETED', element: end.id });
  registerActiveInside(run, transaction);
  if (waitsForTasks(run, transaction, { by: end.node, reason }, { isLeft: true })) return;
  compensateCanceled(run, transaction, end.node);
}

/** Ends everything inside and compensates: after the listeners of user tasks inside have run, if there are any. */
export function compensateCanceled(run: Run, transaction: ElementInstance, end: string): void {
  const reason = reasonOf(end);
  interrupt(run, transaction, reason);
  closeWaits(run, transaction, reason);
  record(run, { kind: 'ELEMENT_DATA_SET', element: transaction.id, data: { canceled: true } });
  if (!startCompensation(run, transaction, [transaction])) leaveCanceled(run, transaction);
}

function reasonOf(end: string): string {
  return `the transaction was canceled by end event ${end}`;
}

/** Called when everything is compensated: ends the transaction and continues at its cancel boundary event. */
export function leaveCanceled(run: Run, transaction: ElementInstance): void {
  // One that has completed before is only being compensated.
  if (isEnabled(run.state, 'canceledTransactionsStayCanceled') && isCompensatedAgain(run, transaction))
    return leave(run, transaction, []);
  // A cancel boundary event belongs to the activity as a whole, so it ends all instances of a multi-instance
  // transaction.
  const host = transaction.loopCounter === undefined ? transaction : scopeOf(run, transaction)!;
  const event = cancelEvent(run, nodeOf(run, host) as ActivityNode);
  if (event) return fireEvent(run, host, event);
  const scope = scopeOf(run, host)!;
  cancel(run, host, 'the transaction was canceled');
  finishScope(run, scope);
}

function transactionAround(run: Run, end: ElementInstance): ElementInstance {
  let scope = scopeOf(run, end)!;
  while (nodeOf(run, scope).kind !== 'transaction') {
    const around = scopeOf(run, scope);
    if (!around)
      throw new Error(
        `Cancel end event ${end.node} is not inside a transaction, which compilation should have rejected`,
      );
    scope = around;
  }
  return scope;
}

function cancelEvent(run: Run, node: ActivityNode): BoundaryEventNode | undefined {
  return node.boundary
    ?.map((id) => run.model.node(id) as BoundaryEventNode)
    .find(({ triggers }) => triggers.some(({ kind }) => kind === 'cancel'));
}
