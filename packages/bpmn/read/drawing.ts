/** One process as drawn: its flow nodes, each with its scope, and its sequence flows, before compilation. */
import { elements } from '@perdure/engine/elements/index.js';
import type { NodeKind } from '@perdure/engine/model/graph.js';
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import type { BpmnElement } from './document.js';

export interface DrawnNode {
  element: BpmnElement;
  /** Undefined if the engine does not support this kind of element. */
  kind?: NodeKind;
  /** The enclosing scope: the process or a sub-process. */
  scope: DrawnScope;
  /** In document order of the sequence flows, which is the order of evaluation of their conditions. */
  incoming: BpmnElement[];
  outgoing: BpmnElement[];
  /** Boundary events attached to it, in document order. */
  boundary: DrawnNode[];
  /** For a sub-process: its content. */
  inside?: DrawnScope;
}

export interface DrawnScope {
  /** The process or sub-process. */
  element: BpmnElement;
  /** For a sub-process. */
  node?: DrawnNode;
  /** Directly inside, in document order. */
  nodes: DrawnNode[];
  /** Whether its nodes can start without an incoming sequence flow, as in an ad-hoc sub-process. */
  adHoc: boolean;
}

export interface DrawnFlow {
  element: BpmnElement;
  source: DrawnNode;
  target: DrawnNode;
}

export interface DrawnProcess {
  root: DrawnScope;
  /** Every node, each sub-process before its content. */
  nodes: DrawnNode[];
  flows: DrawnFlow[];
}

/** Data objects carry no tokens. */
const DATA = new Set(['dataObject', 'dataObjectReference', 'dataStoreReference']);

/** Reads the structure of `process` and reports invalid flows and boundary events. */
export function draw(process: BpmnElement, problems: Diagnostics): DrawnProcess {
  const nodes = new Map<string, DrawnNode>();
  const flowElements: BpmnElement[] = [];
  const found = (node: DrawnNode) => {
    // The second of two elements with one id is reported when ids are read.
    if (!nodes.has(node.element.id)) nodes.set(node.element.id, node);
  };
  const root = drawScope(process, undefined, found, flowElements, problems);
  const flows = flowElements.flatMap((flow) => connect(flow, nodes, problems) ?? []);
  for (const node of nodes.values()) {
    if (node.element.type === 'boundaryEvent') attach(node, nodes, problems);
  }
  return { root, nodes: [...nodes.values()], flows };
}

function drawScope(
  element: BpmnElement,
  node: DrawnNode | undefined,
  found: (node: DrawnNode) => void,
  flows: BpmnElement[],
  problems: Diagnostics,
): DrawnScope {
  const scope: DrawnScope = { element, ...(node && { node }), nodes: [], adHoc: element.type === 'adHocSubProcess' };
  for (const child of element.children('flowElements')) {
    if (DATA.has(child.type)) continue;
    if (child.ownID === undefined)
      problems.error(
        child.id,
        `A ${child.type}${child.name ? ` named ${JSON.stringify(child.name)}` : ''} inside ${element.id} has no id`,
      );
    else if (child.type === 'sequenceFlow') flows.push(child);
    else scope.nodes.push(drawNode(child, scope, found, flows, problems));
  }
  return scope;
}

function drawNode(
  element: BpmnElement,
  scope: DrawnScope,
  found: (node: DrawnNode) => void,
  flows: BpmnElement[],
  problems: Diagnostics,
): DrawnNode {
  const kind = kindOf(element);
  const node: DrawnNode = { element, ...(kind && { kind }), scope, incoming: [], outgoing: [], boundary: [] };
  if (!kind) problems.error(element.id, `${element.type} is not supported`);
  found(node);
  if (element.type.toLowerCase().endsWith('subprocess') || element.type === 'transaction') {
    node.inside = drawScope(element, node, found, flows, problems);
  }
  return node;
}

function kindOf(element: BpmnElement): NodeKind | undefined {
  const name =
    element.type === 'subProcess' && element.flag('triggeredByEvent', false) ? 'eventSubProcess' : element.type;
  return Object.hasOwn(elements, name) ? (name as NodeKind) : undefined;
}

function connect(
  flow: BpmnElement,
  nodes: ReadonlyMap<string, DrawnNode>,
  problems: Diagnostics,
): DrawnFlow | undefined {
  const source = endOf(flow, 'sourceRef', nodes, problems);
  const target = endOf(flow, 'targetRef', nodes, problems);
  if (!source || !target) return undefined;
  if (source.scope !== target.scope) {
    problems.error(
      flow.id,
      `Sequence flow ${flow.id} goes from ${source.element.id} inside ${source.scope.element.id} to ${target.element.id} inside ${target.scope.element.id}, but a sequence flow cannot cross the boundary of a process or sub-process`,
    );
    return undefined;
  }
  source.outgoing.push(flow);
  target.incoming.push(flow);
  return { element: flow, source, target };
}

function endOf(
  flow: BpmnElement,
  end: 'sourceRef' | 'targetRef',
  nodes: ReadonlyMap<string, DrawnNode>,
  problems: Diagnostics,
): DrawnNode | undefined {
  const id = flow.attribute(end);
  if (id === undefined) problems.error(flow.id, `Sequence flow ${flow.id} has no ${end}`);
  const element = flow.reference(end);
  // A dangling reference is reported when references are resolved.
  if (!element) return undefined;
  const node = nodes.get(element.id);
  if (!node || node.element !== element)
    problems.error(
      flow.id,
      `${end} of sequence flow ${flow.id} is ${element.id}, which is not a flow node of the same process`,
    );
  return node?.element === element ? node : undefined;
}

function attach(event: DrawnNode, nodes: ReadonlyMap<string, DrawnNode>, problems: Diagnostics): void {
  const { element } = event;
  const hostElement = element.reference('attachedToRef');
  if (!hostElement) {
    if (element.attribute('attachedToRef') === undefined)
      problems.error(element.id, `Boundary event ${element.id} is not attached to an activity (attachedToRef)`);
    return;
  }
  const host = nodes.get(hostElement.id);
  if (host?.element !== hostElement || !isActivity(host)) {
    problems.error(
      element.id,
      `Boundary event ${element.id} is attached to ${hostElement.id}, which is not an activity of the same process`,
    );
  } else if (host.scope !== event.scope) {
    problems.error(
      element.id,
      `Boundary event ${element.id} must be in the same sub-process as its activity ${hostElement.id}`,
    );
  } else {
    host.boundary.push(event);
  }
}

/** Tasks, call activities and every sub-process except event sub-processes. */
export function isActivity({ kind, element }: DrawnNode): boolean {
  return kind !== 'eventSubProcess' && !element.type.endsWith('Event') && !element.type.endsWith('Gateway');
}
