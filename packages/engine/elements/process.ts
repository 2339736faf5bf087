/** The process itself: the outermost scope. */
import { activate, enterNode } from '../behaviors/lifecycle/activation.js';
import { cancelInside, closeWaits } from '../behaviors/lifecycle/cancellation.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { beginnings, enterScope, openScope } from '../behaviors/lifecycle/scopes.js';
import { waitsAtEnd } from '../behaviors/listeners/progress.js';
import { placeAll, placesOf } from '../behaviors/lifecycle/start-places.js';
import type { StartPlace } from '../contract/commands.js';
import type { NodeBase, ScopeBase } from '../model/graph.js';
import type { Variables } from '../contract/json.js';
import { record, type Run } from '../run.js';
import type { ElementInstance } from '../state/state.js';
import type { ElementBehavior } from './element.js';
import { beginBehindGateway, type EventBasedGatewayNode } from './event-based-gateway.js';

export interface ProcessNode extends NodeBase, ScopeBase {
  kind: 'process';
}

export const process: ElementBehavior<ProcessNode> = {
  compile: () => ({}),
  enter(run, element, node, payload) {
    const places = placesOf(element);
    if (places !== undefined) return enterPlaces(run, element, node, places);
    const { startNode, payload: kept, keyProblem } = element.data ?? {};
    if (typeof startNode !== 'string') return enterAnywhere(run, element, node);
    if (typeof keyProblem === 'string') return failAtStart(run, element, node, startNode, keyProblem, payload);
    enterAt(run, element, node, startNode, payload ?? (kept as Variables | undefined));
  },
  insideDone(run, element, node) {
    if (waitsAtEnd(run, element, node)) return;
    cancelInside(run, element, 'the process has completed');
    closeWaits(run, element, 'the process has completed');
    record(run, { kind: 'ELEMENT_COMPLETED', element: element.id });
    record(run, { kind: 'INSTANCE_COMPLETED' });
  },
};

/** Starts without an event. The parent of a process that only events start would otherwise wait indefinitely. */
function enterAnywhere(run: Run, element: ElementInstance, node: ProcessNode): void {
  if (beginnings(run.model, node).length > 0) return enterScope(run, element, node);
  fail(run, element, {
    errorType: 'NoHandler',
    errorCode: 'NO_START',
    message: `Process ${node.id} has no none start event, so only its events can start it`,
  });
}

/** Starts with tokens before these nodes: all of them, or an incident of the process. */
function enterPlaces(run: Run, element: ElementInstance, node: ProcessNode, places: readonly StartPlace[]): void {
  const opened = openScope(run, element, node);
  if (!opened.ok) return fail(run, element, opened.failure);
  const problems = placeAll(run, places);
  if (problems.length === 0) return;
  cancelInside(run, element, 'the instance could not start at all of its nodes');
  fail(run, element, { errorType: 'NoHandler', errorCode: 'NO_START', message: problems.join('; ') });
}

/** Starts the instance because of an event (BPMN 2.0.2 section 13.2). */
function enterAt(run: Run, element: ElementInstance, node: ProcessNode, startNode: string, payload?: Variables): void {
  const opened = openScope(run, element, node);
  if (!opened.ok) {
    if (payload) record(run, { kind: 'ELEMENT_DATA_SET', element: element.id, data: { payload } });
    return fail(run, element, opened.failure);
  }
  const gateway = gatewayBefore(run, startNode);
  if (gateway) return beginBehindGateway(run, element, gateway, startNode, payload);
  const caught = run.model.node(startNode).kind === 'receiveTask';
  activate(run, startNode, element, { ...(caught && { caught }), ...(payload && { payload }) });
}

/**
 * The concurrency key of the process has no value: an incident of the start event. An instance that starts at another node
 * has it itself, because it must not be at that node twice. Resolving lets the instance start.
 */
function failAtStart(
  run: Run,
  element: ElementInstance,
  node: ProcessNode,
  startNode: string,
  message: string,
  payload?: Variables,
): void {
  record(run, {
    kind: 'ELEMENT_DATA_SET',
    element: element.id,
    data: { keyProblem: null, ...(payload && { payload }) },
  });
  const failure = { errorType: 'FeelError' as const, message };
  if (run.model.node(startNode).kind !== 'startEvent') return fail(run, element, failure);
  const opened = openScope(run, element, node);
  if (!opened.ok) return fail(run, element, opened.failure);
  const event = enterNode(run, startNode, element);
  if (payload) record(run, { kind: 'ELEMENT_DATA_SET', element: event.id, data: { payload } });
  fail(run, event, failure);
}

function gatewayBefore(run: Run, event: string): EventBasedGatewayNode | undefined {
  for (const flow of run.model.node(event).incoming) {
    const source = run.model.node(run.model.flow(flow).source);
    if (source.kind === 'eventBasedGateway' && source.instantiate) return source;
  }
  return undefined;
}
