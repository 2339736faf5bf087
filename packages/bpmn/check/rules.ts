/** BPMN's rules about the structure of a process, in addition to the checks of the individual elements. */
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import type { BpmnElement } from '../read/document.js';
import { isActivity, type DrawnNode, type DrawnProcess, type DrawnScope } from '../read/drawing.js';

/** Reports every violation in `process`. */
export function checkStructure(process: DrawnProcess, problems: Diagnostics): void {
  checkStart(process.root, problems);
  const ordered = new Set([process.root, ...process.nodes.flatMap(({ inside }) => inside ?? [])].filter(beginsInOrder));
  for (const node of process.nodes) {
    if (node.inside) checkStart(node.inside, problems);
    checkFlows(node, problems);
    if (ordered.has(node.scope)) checkReachable(node, problems);
    checkGateway(node, problems);
  }
}

/** Whether nodes inside start only by a sequence flow, except start events and the like. */
function beginsInOrder(scope: DrawnScope): boolean {
  return !scope.adHoc && !beginsWithoutStart(scope);
}

/** The none start event of a scope, or the only start event of an event sub-process. */
export function startOf(scope: DrawnScope): DrawnNode | undefined {
  const starts = startsOf(scope);
  return isEventSubProcess(scope) ? starts[0] : starts.find(isNone);
}

function startsOf(scope: DrawnScope): DrawnNode[] {
  return scope.nodes.filter(({ element }) => element.type === 'startEvent');
}

function isNone({ element }: DrawnNode): boolean {
  return element.eventDefinitions().length === 0;
}

/** BPMN 2.0.2 sections 10.3.3 and 10.6.6: a receive task or event-based gateway that starts an instance. */
function instantiates({ element, incoming }: DrawnNode): boolean {
  return incoming.length === 0 && element.flag('instantiate', false);
}

function beginsWithoutStart(scope: DrawnScope): boolean {
  return startsOf(scope).length === 0 && (scope.node !== undefined || !scope.nodes.some(instantiates));
}

/**
 * BPMN 2.0.2 section 10.5.2: a process with an end event needs a start event, or an activity that starts an instance.
 */
function mayLackStart(scope: DrawnScope): boolean {
  if (scope.node) return scope.nodes.some(isFirst);
  return (
    scope.nodes.some(instantiates) ||
    (scope.nodes.some(isFirst) && scope.nodes.every(({ element }) => element.type !== 'endEvent'))
  );
}

function isEventSubProcess(scope: DrawnScope): boolean {
  return scope.node?.kind === 'eventSubProcess';
}

function checkStart(scope: DrawnScope, problems: Diagnostics): void {
  if (isEventSubProcess(scope)) checkEventSubProcessStart(scope, problems);
  else if (scope.adHoc) checkAdHoc(scope, problems);
  else checkNoneStart(scope, problems);
}

/** BPMN 2.0.2 section 10.3.5: an event sub-process has exactly one start event, and it has a trigger. */
function checkEventSubProcessStart(scope: DrawnScope, problems: Diagnostics): void {
  const { element } = scope;
  const starts = startsOf(scope);
  if (starts.length !== 1)
    problems.error(
      element.id,
      `An event sub-process needs exactly one start event, but ${element.id} has ${starts.length}`,
    );
  checkNotAnActivity(element, problems);
  for (const start of starts) {
    if (isNone(start))
      problems.error(start.element.id, `The start event of event sub-process ${element.id} needs an event definition`);
  }
}

/** BPMN 2.0.2 section 10.3.5: its start event decides how often an event sub-process runs. */
function checkNotAnActivity(element: BpmnElement, problems: Diagnostics): void {
  const refuse = (what: string, instead: string) =>
    problems.error(element.id, `Event sub-process ${element.id} cannot have ${what}. ${instead}`);
  for (const { type } of element.children('loopCharacteristics'))
    refuse(type, `Put a sub-process with the loop inside ${element.id}.`);
  if (element.flag('isForCompensation', false))
    refuse('isForCompensation', 'A handler for the compensation of its scope starts with a compensate event.');
  for (const quantity of ['startQuantity', 'completionQuantity'])
    if ((element.attribute(quantity) ?? '1') !== '1') refuse(`a ${quantity} other than 1`, 'Remove it.');
}

/** BPMN 2.0.2 section 10.3.5 and table 10.26: an ad-hoc sub-process has activities and no start events. */
function checkAdHoc(scope: DrawnScope, problems: Diagnostics): void {
  const canBegin = scope.nodes.some((node) => isActivity(node) && !node.element.flag('isForCompensation', false));
  if (!canBegin)
    problems.error(
      scope.element.id,
      `Ad-hoc sub-process ${scope.element.id} has no activity that can start, so it would never end. Add one, or remove the sub-process.`,
    );
  for (const { element } of startsOf(scope))
    problems.error(element.id, `Ad-hoc sub-process ${scope.element.id} cannot have start events`);
}

function checkNoneStart(scope: DrawnScope, problems: Diagnostics): void {
  const { element } = scope;
  const starts = startsOf(scope);
  const none = starts.filter(isNone);
  if (starts.length === 0 && !mayLackStart(scope))
    problems.error(element.id, `${element.type} ${element.id} has no start event`);
  if (none.length > 1)
    problems.error(
      element.id,
      `${element.type} ${element.id} has ${none.length} none start events (${none.map((start) => start.element.id).join(', ')}); only one is allowed`,
    );
  for (const start of starts)
    for (const { type } of start.element.eventDefinitions()) checkTriggeredStart(scope, start, type, problems);
}

function checkTriggeredStart(scope: DrawnScope, { element }: DrawnNode, trigger: string, problems: Diagnostics): void {
  if (scope.node)
    problems.error(
      element.id,
      `The start event of ${scope.element.type} ${scope.element.id} cannot have ${trigger}; only event sub-processes are started by an event`,
    );
  else if (/^(error|escalation|compensate)/.test(trigger))
    problems.error(element.id, `A process cannot start with ${trigger}; only an event sub-process can`);
}

/** BPMN 2.0.2 sections 10.5.2 and 13.3.4: without a start event, all nodes without an incoming sequence flow start. */
function isFirst({ element, kind, incoming }: DrawnNode): boolean {
  return (
    incoming.length === 0 &&
    element.type !== 'boundaryEvent' &&
    kind !== 'eventSubProcess' &&
    !element.flag('isForCompensation', false)
  );
}

/** BPMN 2.0.2 sections 10.5.2 to 10.5.4: where sequence flows cannot start or end. */
function checkFlows({ element, kind, incoming, outgoing }: DrawnNode, problems: Diagnostics): void {
  const noIncoming = element.type === 'startEvent' || element.type === 'boundaryEvent' || kind === 'eventSubProcess';
  const noOutgoing = element.type === 'endEvent' || kind === 'eventSubProcess';
  if (noIncoming)
    for (const flow of incoming)
      problems.error(flow.id, `Sequence flow ${flow.id} cannot lead to ${element.type} ${element.id}`);
  if (noOutgoing)
    for (const flow of outgoing)
      problems.error(flow.id, `Sequence flow ${flow.id} cannot leave ${element.type} ${element.id}`);
}

function checkReachable(node: DrawnNode, problems: Diagnostics): void {
  const { element, kind, incoming } = node;
  const beginsByItself =
    element.type === 'startEvent' ||
    element.type === 'boundaryEvent' ||
    kind === 'eventSubProcess' ||
    instantiates(node) ||
    element.flag('isForCompensation', false) ||
    element.eventDefinitions().some(({ type }) => type === 'linkEventDefinition');
  if (incoming.length === 0 && !beginsByItself)
    problems.warning(element.id, `${element.type} ${element.id} has no incoming sequence flow and is never reached`);
}

function checkGateway({ element, outgoing }: DrawnNode, problems: Diagnostics): void {
  if (element.type === 'exclusiveGateway' && outgoing.length > 1) {
    for (const flow of outgoing) {
      if (flow.id !== element.attribute('default') && !flow.children('conditionExpression')[0]?.text) {
        problems.warning(
          flow.id,
          `Sequence flow ${flow.id} leaves exclusive gateway ${element.id} without a condition and is not its default flow, so it is always taken if no earlier flow is. Add a condition or make it the default flow.`,
        );
      }
    }
  }
  if (element.type.endsWith('Gateway') && element.extension('ioMapping')) {
    problems.error(element.id, 'A gateway cannot have an ioMapping');
  }
}
