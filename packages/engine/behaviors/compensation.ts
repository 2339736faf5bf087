/**
 * Compensation: BPMN 2.0.2 section 13.5.5. The enclosing scope records each completed activity that has a compensation
 * boundary event, and each completed sub-process with something to compensate inside. Compensation processes these
 * records in reverse order of completion, one handler at a time.
 *
 * Handlers by kind of record, according to section 13.5.5:
 * - a compensation boundary event: the activity associated with it
 * - a sub-process with a compensation event sub-process: that event sub-process, with the variables as of completion
 * - any other sub-process: everything inside, in reverse order
 */
import type { EventSubProcessNode } from '../elements/event-sub-process.js';
import type { BoundaryEventNode } from '../elements/boundary-event.js';
import { behaviorOf } from '../elements/index.js';
import { isKind } from '../model/model.js';
import { childrenOf, isActive, nodeOf, record, scopeOf, type Run } from '../run.js';
import type { Compensable, ElementInstance } from '../state/state.js';
import { activate, enterNode, finishScope, leave } from './activation.js';

/** Records an activity that is about to complete, if it has something to compensate. */
export function registerCompensation(run: Run, element: ElementInstance): void {
  const node = nodeOf(run, element);
  const isHandler = element.compensates !== undefined || ('forCompensation' in node && node.forCompensation === true);
  if (isHandler || element.scope === 0) return;
  const event = element.loop ? undefined : compensationEvent(run, element.node);
  const inside =
    element.compensable !== undefined || (!element.loop && compensationSubProcess(run, element.node) !== undefined);
  if (event || inside)
    record(run, { kind: 'COMPENSATION_REGISTERED', element: element.id, ...(event && { event: event.id }) });
}

/**
 * Records everything that completed in sub-processes that are still active inside `scope`. They are about to be ended,
 * so that all of it can be compensated.
 */
export function registerActiveInside(run: Run, scope: ElementInstance): void {
  for (const child of childrenOf(run, scope.id)) {
    registerActiveInside(run, child);
    if (child.compensable) record(run, { kind: 'COMPENSATION_REGISTERED', element: child.id });
  }
}

/**
 * Starts a compensation on behalf of `owner`.
 * @param activity the activity to compensate; everything in reach if absent
 * @returns whether there is anything to compensate
 */
export function startCompensation(
  run: Run,
  owner: ElementInstance,
  scopes: readonly ElementInstance[],
  activity?: string,
): boolean {
  let found = false;
  for (const scope of scopes) {
    const matches = scope.compensable?.some((completed) => activity === undefined || completed.node === activity);
    if (!matches) continue;
    found = true;
    record(run, {
      kind: 'COMPENSATION_STARTED',
      element: owner.id,
      scope: scope.id,
      ...(activity !== undefined && { activity }),
    });
  }
  return found;
}

/**
 * The scopes that a compensation event inside `scope` reaches: BPMN 2.0.2 section 10.5.5.1. An event sub-process also
 * reaches what completed in its parent scope.
 */
export function scopesInReach(run: Run, scope: ElementInstance): ElementInstance[] {
  const scopes = [scope];
  for (let around = scope; nodeOf(run, around).kind === 'eventSubProcess';) {
    around = scopeOf(run, around)!;
    scopes.push(around);
  }
  return scopes;
}

/** The owner's continuation: starts the next handler or finishes the compensation. */
export function continueCompensation(run: Run, owner: ElementInstance): void {
  const { queue, running } = owner.compensation!;
  if (running !== undefined) return;
  const next = queue[0];
  if (next) return compensate(run, owner, next);
  record(run, { kind: 'COMPENSATION_ENDED', element: owner.id });
  const node = nodeOf(run, owner);
  if (isCompensatedAgain(run, owner)) return leave(run, owner, []);
  behaviorOf(node).compensated?.(run, owner, node);
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

/** A completed sub-process whose inside is being compensated. It does not take its outgoing flows again. */
function isCompensatedAgain(run: Run, owner: ElementInstance): boolean {
  const node = nodeOf(run, owner);
  return (
    owner.compensates !== undefined &&
    !('forCompensation' in node && node.forCompensation) &&
    compensationSubProcess(run, owner.node) === undefined &&
    !isCompensationSubProcess(run, owner.node)
  );
}

function compensationEvent(run: Run, activity: string): BoundaryEventNode | undefined {
  const node = run.model.node(activity);
  if (!('boundary' in node)) return undefined;
  for (const id of node.boundary ?? []) {
    const event = run.model.node(id) as BoundaryEventNode;
    if (event.handler !== undefined) return event;
  }
  return undefined;
}

function compensationSubProcess(run: Run, scopeNode: string): EventSubProcessNode | undefined {
  for (const node of run.model.inside(scopeNode)) {
    if (isKind(node, 'eventSubProcess') && isCompensationSubProcess(run, node.id)) return node;
  }
  return undefined;
}

/** Whether `id` is an event sub-process that is triggered by compensation. */
export function isCompensationSubProcess(run: Run, id: string): boolean {
  const node = run.model.node(id);
  if (!isKind(node, 'eventSubProcess')) return false;
  const start = run.model.node(node.start);
  return isKind(start, 'startEvent') && start.triggers.some(({ kind }) => kind === 'compensate');
}
