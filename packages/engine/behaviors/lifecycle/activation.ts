/** The life cycle of an element instance: entered, completed, canceled. Every behavior calls these functions. */
import { failed, type Result } from '../../failure.js';
import { truth } from '../../feel.js';
import type { ActivityNode, Node } from '../../model/graph.js';
import type { Variables } from '../../contract/json.js';
import { behaviorOf } from '../../registry.js';
import { isActive, nextID, nodeOf, record, scopeOf, waitsOf, type Run } from '../../run.js';
import { blockerOf } from '../../state/scopes.js';
import { runsListeners, taskListeningOf } from '../../state/element-data.js';
import { ROOT, type ElementInstance } from '../../state/state.js';
import { isFree, heldPayload, isLeaving, passListener, waitsAtEnd, waitsAtStart } from '../listeners/progress.js';
import { listenAtBoundary } from '../waiting/boundary.js';
import { closeWaits } from './cancellation.js';
import { roomAt, roomFor } from './capacity.js';
import { registerCompensation } from '../compensation/compensation-records.js';
import { fail, raiseIncident } from './failures.js';
import { withdrawIncident } from './interruption.js';
import { mapInputs, mapOutputs } from '../data/mappings.js';
import { propagate, setLocal, targetsOf } from '../data/variables.js';
import { cancelWait } from '../waiting/waits.js';

interface Entry {
  /** Whether the first moving token enters it. */
  token?: true;
  /** Flows whose waiting tokens are consumed. */
  joined?: string[];
  loopCounter?: number;
  /** Variables of the event that led here. */
  payload?: Variables;
  /** The event that the node waits for has already occurred. */
  caught?: true;
  /** The element instance whose compensation continues with it. */
  compensates?: number;
  /** Its initial local variables. */
  variables?: Variables;
  /** It starts when its continuation runs. */
  placed?: true;
}

/** Enters `nodeID` inside `scope`. */
export function activate(run: Run, nodeID: string, scope: ElementInstance, entry: Entry = {}): void {
  const { payload, caught, variables } = entry;
  const element = enterNode(run, nodeID, scope, entry);
  if (variables) setLocal(run, element, variables);
  begin(run, element, payload, caught);
}

/** Records the activation of `nodeID` without starting its behavior. */
export function enterNode(run: Run, nodeID: string, scope: ElementInstance, entry: Entry = {}): ElementInstance {
  const { token, joined, loopCounter, compensates, placed } = entry;
  const id = nextID(run);
  record(run, {
    kind: 'ELEMENT_ACTIVATED',
    element: id,
    node: nodeID,
    scope: scope.id,
    ...(token && { token }),
    ...(joined && { joined }),
    ...(loopCounter !== undefined && { loopCounter }),
    ...(compensates !== undefined && { compensates }),
    ...(placed && { placed }),
  });
  return run.state.elements[id]!;
}

/**
 * Runs the element from the beginning. After a resolved incident, work done before `enter` is not repeated.
 * @param caught whether the event that the node waits for has already occurred
 */
export function begin(run: Run, element: ElementInstance, payload?: Variables, caught = false): void {
  const node = nodeOf(run, element);
  // A listener that failed runs again; its task stays.
  if (element.retryOf !== undefined && !taskListeningOf(element)) stopWaiting(run, element);
  if (isLeaving(element)) return leaveCompleted(run, element, node);
  const arrived = payload ?? heldPayload(element);
  const mapped = evaluateInputs(run, element, node);
  if (mapped.ok && !isLoopBody(node, element) && waitsAtStart(run, element, node, { payload, caught })) return;
  const prepared = mapped.ok ? beginListening(run, element, node) : mapped;
  if (!prepared.ok) {
    if (caught) keepCaught(run, element, arrived);
    return fail(run, element, prepared.failure);
  }
  if (isLoopBody(node, element)) return run.registry.loop.enter(run, element, node);
  if (caught || element.data?.['caught'] === true) return complete(run, element, arrived);
  behaviorOf(run, node).enter(run, element, node, arrived);
}

/** Continues an element whose execution listeners run, unless it waits for one of them. */
export function proceed(run: Run, element: ElementInstance): void {
  if (isFree(run, element)) begin(run, element);
}

/**
 * Called when the job of an execution listener has completed. Variables of the start are local to the element; those of
 * the end go where the results of output mappings do.
 */
export function listenerCompleted(run: Run, element: ElementInstance, variables: Variables = {}): void {
  const set = isLeaving(element)
    ? deliver(run, outputScopeOf(run, element), variables, element)
    : keepLocal(run, element, variables);
  if (!set.ok) return raiseIncident(run, element, set.failure);
  passListener(run, element);
  begin(run, element);
}

function keepLocal(run: Run, element: ElementInstance, variables: Variables): Result<void> {
  const room = roomAt(run, element, variables);
  if (room.ok) setLocal(run, element, variables);
  return room;
}

/** A retry opens its waits again; boundary events keep listening. */
function stopWaiting(run: Run, element: ElementInstance): void {
  for (const wait of waitsOf(run, element.id)) {
    const atBoundary = run.model.node(wait.node).kind === 'boundaryEvent';
    if (!atBoundary || !element.begun) cancelWait(run, wait, 'the activity runs again');
  }
}

/** A retry after an incident does not wait again for an event that the node has already caught. */
function keepCaught(run: Run, element: ElementInstance, payload: Variables = {}): void {
  if (roomAt(run, element, payload).ok) setLocal(run, element, payload);
  record(run, { kind: 'ELEMENT_DATA_SET', element: element.id, data: { caught: true } });
}

/** Prepares a scope that a modification opens; its execution listeners do not run. */
export function prepare(run: Run, element: ElementInstance, node: Node): Result<void> {
  const mapped = evaluateInputs(run, element, node);
  return mapped.ok ? beginListening(run, element, node) : mapped;
}

function evaluateInputs(run: Run, element: ElementInstance, node: Node): Result<void> {
  if ('inputs' in node && node.inputs && !element.mapped && !isLoopBody(node, element)) {
    const mapped = mapInputs(run, element, node.inputs);
    if (!mapped.ok) return mapped;
    const room = roomAt(run, element, mapped.value);
    if (!room.ok) return room;
    setLocal(run, element, mapped.value, 'INPUT', element.id);
  }
  return { ok: true, value: undefined };
}

function beginListening(run: Run, element: ElementInstance, node: Node): Result<void> {
  if ('boundary' in node && node.boundary && !element.begun && element.loopCounter === undefined) {
    const listening = listenAtBoundary(run, element, node.boundary);
    if (!listening.ok) return listening;
    record(run, { kind: 'ELEMENT_BEGUN', element: element.id });
  }
  return { ok: true, value: undefined };
}

/**
 * Completes the element: propagates its results, stops its boundary events, and takes its outgoing flows.
 * @param results variables it produced
 */
export function complete(run: Run, element: ElementInstance, results: Variables = {}): void {
  const node = nodeOf(run, element);
  const delivered = deliverResults(run, element, node, results);
  if (!delivered.ok) {
    if (behaviorOf(run, node).catches) keepCaught(run, element);
    return fail(run, element, delivered.failure);
  }
  leaveCompleted(run, element, node);
}

/** Its results are delivered: runs the listeners of its end, then leaves it. */
function leaveCompleted(run: Run, element: ElementInstance, node: Node): void {
  if (waitsAtEnd(run, element, node)) return;
  if (element.id === ROOT) return behaviorOf(run, node).insideDone!(run, element, node);
  if (element.loopCounter !== undefined) return run.registry.loop.innerCompleted(run, element, node as ActivityNode);
  leaveAlongFlows(run, element);
}

/** Leaves along the outgoing flows selected by their conditions. */
export function leaveAlongFlows(run: Run, element: ElementInstance): void {
  const flows = flowsToTake(run, element, nodeOf(run, element));
  if (!flows.ok) return fail(run, element, flows.failure);
  leave(run, element, flows.value);
}

/** Leaves along `flows` without evaluating conditions. */
export function leave(run: Run, element: ElementInstance, flows: string[]): void {
  const scope = scopeOf(run, element);
  closeWaits(run, element, 'the element has completed');
  registerCompensation(run, element);
  record(run, { kind: 'ELEMENT_COMPLETED', element: element.id, ...(flows.length > 0 && { flows }) });
  if (scope) leftInside(run, scope);
}

/**
 * Leaves along one flow and enters its target at once, because the event that the target waits for has already
 * occurred.
 * @param payload variables of the event
 */
export function passOn(run: Run, element: ElementInstance, flow: string, payload?: Variables): void {
  const scope = scopeOf(run, element)!;
  closeWaits(run, element, 'the element has completed');
  record(run, { kind: 'ELEMENT_COMPLETED', element: element.id, passed: [flow] });
  activate(run, run.model.flow(flow).target, scope, { caught: true, ...(payload && { payload }) });
}

/** Called when something directly inside `scope` has completed. */
function leftInside(run: Run, scope: ElementInstance): void {
  // Its continuation is about to start it, at first or again.
  if (scope.placed) return;
  const node = nodeOf(run, scope);
  if (!isLoopBody(node, scope)) behaviorOf(run, node).insideCompleted?.(run, scope, node);
  if (isActive(run, scope)) finishScope(run, scope);
}

/** Notifies the scope's behavior when nothing is left inside. */
export function finishScope(run: Run, scope: ElementInstance): void {
  if (scope.inside > 0 || run.state.status !== 'RUNNING') return;
  // Loops and compensations continue by their own continuation, execution listeners by their jobs.
  if (scope.loop || scope.compensation || runsListeners(scope)) return;
  const node = nodeOf(run, scope);
  const { insideDone } = behaviorOf(run, node);
  if (!insideDone) return;
  withdrawIncident(run, scope);
  insideDone(run, scope, node);
}

/** Output mappings read the results, which are already delivered where the node keeps them. */
function deliverResults(run: Run, element: ElementInstance, node: Node, results: Variables): Result<void> {
  if (!('outputs' in node) || !node.outputs) return deliver(run, element, results, element);
  const set = node.keepsResults ? deliver(run, element, results, element) : keepLocal(run, element, results);
  if (!set.ok) return set;
  const target = outputScopeOf(run, element);
  const mapped = mapOutputs(
    run,
    element,
    node.outputs,
    (name) => blockerOf(run.state, target, name)?.variables?.[name],
  );
  if (!mapped.ok) return mapped;
  return deliver(run, target, mapped.value, element);
}

/** An inner instance of a loop keeps the variables that its output element reads; the process has nothing around it. */
function outputScopeOf(run: Run, element: ElementInstance): ElementInstance {
  return (element.loopCounter === undefined ? scopeOf(run, element) : undefined) ?? element;
}

/** Propagates the results of `by`, which is about to complete, if there is room for them. */
function deliver(run: Run, from: ElementInstance, variables: Variables, by: ElementInstance): Result<void> {
  const begun = begunBy(run, by);
  if (begun) return keepInside(run, begun, variables, by);
  const room = roomFor(run, targetsOf(run, from, variables), by);
  if (room.ok) propagate(run, from, variables, by.id);
  return room;
}

/** The event sub-process that the start event `event` has started; undefined for any other node. */
function begunBy(run: Run, event: ElementInstance): ElementInstance | undefined {
  const scope = scopeOf(run, event);
  return nodeOf(run, event).kind === 'startEvent' && scope && nodeOf(run, scope).kind === 'eventSubProcess'
    ? scope
    : undefined;
}

/** Variables of an event stay in its event sub-process, because the next event brings its own. */
function keepInside(run: Run, begun: ElementInstance, variables: Variables, by: ElementInstance): Result<void> {
  const room = roomFor(run, [[begun, variables]], by);
  if (room.ok) setLocal(run, begun, variables, 'OUTPUT', by.id);
  return room;
}

/**
 * BPMN 2.0.2 section 13.2.1: every unconditional flow, every conditional flow whose condition is true, and the default
 * flow if no condition is true.
 */
function flowsToTake(run: Run, element: ElementInstance, node: Node): Result<string[]> {
  const defaultFlow = 'defaultFlow' in node ? node.defaultFlow : undefined;
  const flows: string[] = [];
  let conditional = 0;
  let held = 0;
  for (const id of node.outgoing) {
    if (id === defaultFlow) continue;
    const { condition } = run.model.flow(id);
    if (condition) {
      conditional += 1;
      const holds = truth(run, element, condition, `condition of sequence flow ${id}`);
      if (!holds.ok) return holds;
      if (!holds.value) continue;
      held += 1;
    }
    flows.push(id);
  }
  if (held === 0 && defaultFlow !== undefined) flows.push(defaultFlow);
  if (flows.length === 0 && conditional > 0) {
    return failed({
      errorType: 'GatewayNoMatch',
      message: `No condition on a sequence flow leaving ${node.id} is true, and there is no default flow`,
    });
  }
  return { ok: true, value: flows };
}

/** The body of a multi-instance activity or loop. It contains the inner instances, which do the work. */
export function isLoopBody(node: Node, element: ElementInstance): node is ActivityNode {
  return 'loop' in node && node.loop !== undefined && element.loopCounter === undefined;
}
