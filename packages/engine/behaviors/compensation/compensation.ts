/**
 * Compensation: BPMN 2.0.2 section 13.5.5. It processes the records of its scopes in reverse order of completion, one
 * handler at a time.
 *
 * Handlers by kind of record, according to section 13.5.5:
 * - a compensation boundary event: the activity associated with it
 * - a sub-process with a compensation event sub-process: that event sub-process, with the variables as of completion
 * - any other sub-process: everything inside, in reverse order
 */
import type { BoundaryEventNode } from '../../elements/boundary-event.js';
import { behaviorOf } from '../../registry.js';
import { isActive, nodeOf, record, type Run } from '../../run.js';
import type { Compensable, ElementInstance } from '../../state/state.js';
import { activate, enterNode, finishScope, leave } from '../lifecycle/activation.js';
import { compensationSubProcess, isCompensatedAgain } from './compensation-records.js';

/** The owner's continuation: starts the next handler or finishes the compensation. */
export function continueCompensation(run: Run, owner: ElementInstance): void {
  const { queue, running } = owner.compensation!;
  if (running !== undefined) return;
  const next = queue[0];
  if (next) return compensate(run, owner, next);
  record(run, { kind: 'COMPENSATION_ENDED', element: owner.id });
  const node = nodeOf(run, owner);
  if (isCompensatedAgain(run, owner)) return leave(run, owner, []);
  behaviorOf(run, node).compensated?.(run, owner, node);
  if (isActive(run, owner)) finishScope(run, owner);
}

function compensate(run: Run, owner: ElementInstance, completed: Compensable): void {
  const scope = run.state.elements[completed.scope]!;
  const compensates = owner.id;
  if (completed.event !== undefined) return compensateThroughEvent(run, scope, completed.event, compensates);
  const handler = compensationSubProcess(run, completed.node);
  if (handler) activate(run, handler.id, scope, { compensates });
  else enterNode(run, completed.node, scope, { compensates });
}

/** Enters the boundary event, starts the handler, and leaves the event. It appears in history, but no token moves. */
function compensateThroughEvent(run: Run, scope: ElementInstance, eventID: string, compensates: number): void {
  const event = enterNode(run, eventID, scope);
  const { handler } = run.model.node(eventID) as BoundaryEventNode;
  activate(run, handler!, scope, { compensates });
  if (isActive(run, event)) leave(run, event, []);
}
