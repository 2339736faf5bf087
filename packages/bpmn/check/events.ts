/** BPMN's rules about events and their position, in addition to the checks of the individual elements. */
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import type { BpmnElement } from '../read/document.js';
import type { DrawnNode, DrawnProcess, DrawnScope } from '../read/drawing.js';
import { checkLinks } from './links.js';

/** Reports every violation in `process` of the rules about events. */
export function checkEvents(process: DrawnProcess, problems: Diagnostics): void {
  const nodes = new Map(process.nodes.map((node) => [node.element, node]));
  for (const node of process.nodes) {
    checkEventBasedGateway(node, nodes, problems);
    checkCancelEnd(node, problems);
    for (const event of node.boundary) checkCancelBoundary(event, node, problems);
    checkCompensationActivity(node, problems);
  }
  for (const scope of [process.root, ...process.nodes.flatMap(({ inside }) => inside ?? [])])
    checkLinks(scope, problems);
  checkMessages(process, problems);
}

/**
 * BPMN 2.0.2 section 10.6.6: an event-based gateway leads only to catch events and receive tasks, and they have no
 * other incoming flow.
 */
function checkEventBasedGateway(
  { element, outgoing }: DrawnNode,
  nodes: ReadonlyMap<BpmnElement, DrawnNode>,
  problems: Diagnostics,
): void {
  if (element.type !== 'eventBasedGateway') return;
  if (outgoing.length === 0) problems.error(element.id, `Event-based gateway ${element.id} needs events to wait for`);
  for (const flow of outgoing) {
    const target = flow.reference('targetRef');
    if (target && !isEventToWaitFor(target)) {
      problems.error(
        flow.id,
        `Event-based gateway ${element.id} leads to ${target.type} ${target.id}, but it can only lead to intermediate catch events and receive tasks`,
      );
    } else if (target && nodes.get(target)!.incoming.length > 1) {
      problems.error(
        target.id,
        `${target.type} ${target.id} follows event-based gateway ${element.id}, so no other sequence flow can lead to it`,
      );
    }
  }
}

function isEventToWaitFor(target: BpmnElement): boolean {
  if (target.type === 'receiveTask') return target.children('loopCharacteristics').length === 0;
  return target.type === 'intermediateCatchEvent' && !hasDefinition(target, 'linkEventDefinition');
}

/** BPMN 2.0.2 section 10.5.5.1: cancel events belong to transactions. */
function checkCancelEnd({ element, scope }: DrawnNode, problems: Diagnostics): void {
  if (element.type !== 'endEvent' || !hasDefinition(element, 'cancelEventDefinition')) return;
  if (!isInTransaction(scope)) problems.error(element.id, `Cancel end event ${element.id} is not inside a transaction`);
}

function checkCancelBoundary({ element }: DrawnNode, host: DrawnNode, problems: Diagnostics): void {
  if (!hasDefinition(element, 'cancelEventDefinition') || host.element.type === 'transaction') return;
  problems.error(
    element.id,
    `Cancel boundary event ${element.id} is attached to ${host.element.type} ${host.element.id}, but only a transaction can be canceled`,
  );
}

function isInTransaction(scope: DrawnScope): boolean {
  for (let around: DrawnScope | undefined = scope; around; around = around.node?.scope)
    if (around.element.type === 'transaction') return true;
  return false;
}

/** BPMN 2.0.2 section 10.7.1: a compensation activity can only be reached by compensation. */
function checkCompensationActivity({ element, incoming, outgoing }: DrawnNode, problems: Diagnostics): void {
  if (!element.flag('isForCompensation', false)) return;
  for (const flow of [...incoming, ...outgoing])
    problems.error(
      flow.id,
      `${element.id} is for compensation (isForCompensation), so sequence flow ${flow.id} cannot lead to it or leave it`,
    );
}

/** A message either starts an instance or reaches a running one. Otherwise its effect would be ambiguous. */
function checkMessages(process: DrawnProcess, problems: Diagnostics): void {
  const starting = new Set<BpmnElement>();
  const caught: { event: BpmnElement; message: BpmnElement }[] = [];
  for (const node of process.nodes) {
    for (const message of caughtMessages(node)) {
      if (startsInstance(node, process)) starting.add(message);
      else caught.push({ event: node.element, message });
    }
  }
  for (const { event, message } of caught) {
    if (starting.has(message))
      problems.error(
        event.id,
        `Message ${message.name ?? message.id} starts an instance of ${process.root.element.id}, so ${event.id} cannot wait for it as well; use a separate message`,
      );
    else if (!message.extension('subscription')?.attribute('correlationKey'))
      problems.warning(
        event.id,
        `Message ${message.name ?? message.id} has no correlationKey (subscription), so ${event.id} receives any message with that name that is published without one`,
      );
  }
}

function caughtMessages({ element }: DrawnNode): BpmnElement[] {
  if (element.type === 'receiveTask') return element.references('messageRef');
  if (!['startEvent', 'intermediateCatchEvent', 'boundaryEvent'].includes(element.type)) return [];
  return element
    .eventDefinitions()
    .flatMap((definition) => (definition.type === 'messageEventDefinition' ? definition.references('messageRef') : []));
}

function startsInstance(node: DrawnNode, process: DrawnProcess): boolean {
  if (node.element.type === 'startEvent') return node.scope === process.root;
  if (node.element.flag('instantiate', false)) return true;
  return node.incoming.some(
    (flow) =>
      flow.reference('sourceRef')?.type === 'eventBasedGateway' &&
      flow.reference('sourceRef')!.flag('instantiate', false),
  );
}

function hasDefinition(element: BpmnElement, type: string): boolean {
  return element.eventDefinitions().some((definition) => definition.type === type);
}
