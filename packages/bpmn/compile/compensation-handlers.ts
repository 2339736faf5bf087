/** Compensation handlers: BPMN 2.0.2 section 10.7.1. An association leads from the boundary event to the activity. */
import type { ModelCompiler } from './compiler.js';
import type { BpmnElement } from '../read/document.js';
import { isActivity, type DrawnNode, type DrawnProcess } from '../read/drawing.js';

/** The handler of each compensation boundary event, by the event's id. Reports events without a valid handler. */
export function compensationHandlersOf(process: DrawnProcess, compiler: ModelCompiler): ReadonlyMap<string, string> {
  const nodes = new Map(process.nodes.map((node) => [node.element, node]));
  const targets = associationTargets(process);
  const handlers = new Map<string, string>();
  for (const event of process.nodes.filter(catchesCompensation)) {
    const handler = (targets.get(event.element) ?? [])
      .map((target) => nodes.get(target))
      .find((node) => node && isHandlerOf(node, event));
    if (handler) handlers.set(event.element.id, handler.element.id);
    else
      compiler.problem(
        'error',
        event.element,
        `Compensation boundary event ${event.element.id} needs an association to an activity in the same scope that has isForCompensation="true"`,
      );
  }
  return handlers;
}

function catchesCompensation({ element }: DrawnNode): boolean {
  return (
    element.type === 'boundaryEvent' &&
    element.eventDefinitions().some(({ type }) => type === 'compensateEventDefinition')
  );
}

function isHandlerOf(handler: DrawnNode, event: DrawnNode): boolean {
  return isActivity(handler) && handler.scope === event.scope && handler.element.flag('isForCompensation', false);
}

function associationTargets(process: DrawnProcess): ReadonlyMap<BpmnElement, BpmnElement[]> {
  const scopes = [process.root, ...process.nodes.flatMap(({ inside }) => inside ?? [])];
  const targets = new Map<BpmnElement, BpmnElement[]>();
  for (const association of scopes.flatMap(({ element }) => element.children('artifacts'))) {
    const source = association.reference('sourceRef');
    const target = association.reference('targetRef');
    if (association.type !== 'association' || !source || !target) continue;
    const others = targets.get(source);
    if (others) others.push(target);
    else targets.set(source, [target]);
  }
  return targets;
}
