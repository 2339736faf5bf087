/**
 * Failure propagation: a failure goes to the nearest handler (BPMN 2.0.2 section 10.5.1, error events). Without a
 * handler it becomes an incident, and the element waits there.
 */
import type { BoundaryEventNode } from '../../elements/boundary-event.js';
import type { Failure } from '../../failure.js';
import type { Variables } from '../../contract/json.js';
import { fireEvent } from '../../registry.js';
import { nextID, nodeOf, record, scopeOf, type Run } from '../../run.js';
import { isCanceled } from '../../state/element-data.js';
import { isEnabled } from '../../state/flags.js';
import { ROOT, type ConditionWait, type ElementInstance } from '../../state/state.js';
import type { Trigger } from '../../events/index.js';
import { isCompensatedAgain } from '../compensation/compensation-records.js';
import { cancel } from './cancellation.js';
import { roomAt } from './capacity.js';
import { eventSubProcesses, interrupts } from '../waiting/event-sub-processes.js';

/** Catches errors of every code. */
const EVERY_ERROR = '*';

/** A catching event and the element instance that it belongs to. */
export type Handler =
  | { kind: 'boundary'; host: ElementInstance; node: BoundaryEventNode }
  | { kind: 'eventSubProcess'; scope: ElementInstance; node: string }
  | { kind: 'parent' };

/** The catching events at one level of propagation. */
export type Level = { trigger: Trigger; handler: Handler }[];

/**
 * Passes `failure` of `element` to its handler, or raises an incident.
 * @param condition of another node's event, which the element waits for and whose evaluation failed
 */
export function fail(run: Run, element: ElementInstance, failure: Failure, condition?: ConditionWait): void {
  const handler = findHandler(run, element, codesOf(failure));
  if (!handler) return raiseIncident(run, element, failure, condition);
  switch (handler.kind) {
    case 'boundary':
      return fireEvent(run, handler.host, handler.node, failure.variables, 'ELEMENT_FAILED');
    case 'eventSubProcess':
      return fireEvent(run, handler.scope, run.model.node(handler.node), failure.variables);
    case 'parent':
      return failInstance(run, failure);
  }
}

/** Makes the element, or only `condition` of another node's event, wait at a new incident. */
export function raiseIncident(run: Run, element: ElementInstance, failure: Failure, condition?: ConditionWait): void {
  const { errorType, errorCode, message, variables } = failure;
  if (variables && element.id !== ROOT) keepVariables(run, element, variables);
  const { node, retryOf } = condition ?? element;
  record(run, {
    kind: 'INCIDENT_RAISED',
    incident: nextID(run),
    element: element.id,
    node,
    errorType,
    ...(errorCode !== undefined && { errorCode }),
    message,
    ...(retryOf !== undefined && { previous: retryOf }),
    ...(condition && { condition: condition.id }),
  });
}

/** Variables sent by a failing job worker stay at the element, visible to the operator who resolves the incident. */
function keepVariables(run: Run, element: ElementInstance, variables: Variables): void {
  if (Object.keys(variables).length > 0 && roomAt(run, element, variables).ok)
    record(run, { kind: 'VARIABLES_SET', scope: element.id, variables });
}

/** Ends the whole instance with an error that the parent instance handles. */
function failInstance(run: Run, failure: Failure): void {
  const reason = `Error ${failure.errorCode ?? failure.errorType} was propagated to the parent instance: ${failure.message}`;
  cancel(run, run.state.elements[ROOT]!, reason);
  const { errorCode = failure.errorType, variables } = failure;
  record(run, { kind: 'INSTANCE_FAILED', reason, errorCode, ...(variables && { variables }) });
}

/** Codes of the errors caught at `element` or in an enclosing scope, including the parent instance. */
export function caughtAround(run: Run, element: ElementInstance): string[] {
  const codes = new Set(run.state.caughtErrors);
  for (const level of levelsAround(run, element)) {
    for (const { trigger } of level) if (trigger.kind === 'error') codes.add(trigger.errorCode ?? EVERY_ERROR);
  }
  return [...codes].sort();
}

function findHandler(run: Run, element: ElementInstance, codes: readonly string[]): Handler | undefined {
  for (const level of levelsAround(run, element)) {
    const found =
      catcher(level, (caught) => caught !== undefined && codes.includes(caught)) ??
      catcher(level, (caught) => caught === undefined);
    if (found) return found;
  }
  const { caughtErrors } = run.state;
  if (caughtErrors.includes(EVERY_ERROR) || codes.some((code) => caughtErrors.includes(code)))
    return { kind: 'parent' };
  return undefined;
}

function catcher(level: Level, matches: (code: string | undefined) => boolean): Handler | undefined {
  return level.find(({ trigger }) => trigger.kind === 'error' && matches(trigger.errorCode))?.handler;
}

/**
 * The catching events from the element outward: its boundary, its scope's event sub-processes, the scope's boundary ...
 * A sub-process that has completed and is being compensated catches nothing. Inside a canceled transaction nothing is
 * caught either, because what catches would end the compensation.
 */
export function* levelsAround(run: Run, element: ElementInstance): Generator<Level> {
  for (let host: ElementInstance | undefined = element; host && host.id !== ROOT; host = scopeOf(run, host)) {
    if (!isCompensatedAgain(run, host)) yield atBoundary(run, host);
    const scope = scopeOf(run, host)!;
    // The body of a loop shares its node with the inner instances, which own the event sub-processes.
    if (!scope.loop && !isCompensatedAgain(run, scope) && !isBeingCanceled(run, scope)) yield inScope(run, scope, host);
  }
}

function isBeingCanceled({ state }: Run, scope: ElementInstance): boolean {
  return isCanceled(scope) && isEnabled(state, 'canceledTransactionsStayCanceled');
}

/** The boundary events of `host`. An inner instance of a loop has none; they belong to the loop's body. */
function atBoundary(run: Run, host: ElementInstance): Level {
  const node = nodeOf(run, host);
  if (!('boundary' in node) || !node.boundary || host.loopCounter !== undefined) return [];
  return node.boundary.flatMap((id) => {
    const event = run.model.node(id) as BoundaryEventNode;
    return event.triggers.map((trigger) => ({ trigger, handler: { kind: 'boundary' as const, host, node: event } }));
  });
}

/**
 * The event sub-processes of `scope` that can catch what `host` inside it throws. A throw from inside an event
 * sub-process reaches its siblings but never itself. An interrupting one has already stopped their listeners.
 */
function inScope(run: Run, scope: ElementInstance, host: ElementInstance): Level {
  const all = eventSubProcesses(run, nodeOf(run, scope).id);
  const own = all.find(({ node }) => node.id === host.node);
  if (own && interrupts(own.start)) return [];
  return all
    .filter((each) => each !== own)
    .flatMap(({ node, start }) =>
      start.triggers.map((trigger) => ({
        trigger,
        handler: { kind: 'eventSubProcess' as const, scope, node: node.id },
      })),
    );
}

/** An error event matches the BPMN error's code. A technical failure also matches by its type (`FeelError`). */
function codesOf(failure: Failure): string[] {
  const codes = failure.errorCode === undefined ? [] : [failure.errorCode];
  return failure.errorType === 'BpmnError' ? codes : [...codes, failure.errorType];
}
