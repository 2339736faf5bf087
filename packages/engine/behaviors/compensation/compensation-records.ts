/**
 * Records of completed work that can be compensated (BPMN 2.0.2 section 13.5.5): the enclosing scope keeps one for each
 * completed activity with a compensation boundary event, and one for each completed sub-process with something to
 * compensate inside.
 */
import type { BoundaryEventNode } from '../../elements/boundary-event.js';
import type { EventSubProcessNode } from '../../elements/event-sub-process.js';
import { isKind } from '../../model/model.js';
import { childrenOf, nodeOf, record, scopeOf, type Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';

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

function compensationEvent(run: Run, activity: string): BoundaryEventNode | undefined {
  const node = run.model.node(activity);
  if (!('boundary' in node)) return undefined;
  for (const id of node.boundary ?? []) {
    const event = run.model.node(id) as BoundaryEventNode;
    if (event.handler !== undefined) return event;
  }
  return undefined;
}

export function compensationSubProcess(run: Run, scopeNode: string): EventSubProcessNode | undefined {
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

/** A completed sub-process whose inside is being compensated. It does not take its outgoing flows again. */
export function isCompensatedAgain(run: Run, owner: ElementInstance): boolean {
  const node = nodeOf(run, owner);
  return (
    owner.compensates !== undefined &&
    !('forCompensation' in node && node.forCompensation) &&
    compensationSubProcess(run, owner.node) === undefined &&
    !isCompensationSubProcess(run, owner.node)
  );
}
