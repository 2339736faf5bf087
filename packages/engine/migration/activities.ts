/** Checks that each active element can continue as its counterpart in the target version. */
import { interrupts } from '../behaviors/waiting/event-sub-processes.js';
import { placesOf } from '../behaviors/lifecycle/start-places.js';
import type { ActivityBase, Node, NodeOf } from '../model/graph.js';
import { scopeOf, waitsOf, type Run } from '../run.js';
import type { StartEventNode } from '../elements/start-event.js';
import { interruptionOf, startedGateways } from '../state/element-data.js';
import { ROOT, type Compensable, type ElementInstance, type Token } from '../state/state.js';
import type { Mapping } from './mapping.js';

/** Visits every element instance, every token and everything that compensation can reach. */
export function checkActive(run: Run, mapping: Mapping): void {
  const { elements, moving, arrived, incidents } = run.state;
  for (const element of Object.values(elements)) checkElement(run, mapping, element);
  for (const token of moving) checkToken(run, mapping, token);
  for (const token of arrived) checkJoin(mapping, token);
  // A condition takes its incident along, or ends it.
  for (const { node, condition } of Object.values(incidents))
    if (node !== run.model.root.id && condition === undefined) mapping.need(node, 'an incident is at');
}

function checkElement(run: Run, mapping: Mapping, element: ElementInstance): void {
  for (const record of [...(element.compensable ?? []), ...(element.compensation?.queue ?? [])])
    checkCompensable(mapping, record);
  for (const { node, flows } of startedGateways(element.data)) {
    if (mapping.need(node, 'complex gateway'))
      for (const flow of flows) needFlow(mapping, flow, `complex gateway ${node} has started with a token on`);
  }
  checkInterruption(mapping, element);
  if (element.id === ROOT) return checkProcess(run, mapping, element);
  const from = run.model.node(element.node);
  const to = mapping.need(from.id, 'a token is at');
  if (!to) return;
  checkNesting(run, mapping, element, to);
  checkLoop(mapping, from, to);
  checkWork(run, mapping, element, from, to);
  if (from.kind === 'userTask' && to.kind === 'userTask') checkApproval(mapping, from, to);
  if (from.kind === 'adHocSubProcess') checkDriven(mapping, from, to);
  if (from.kind === 'adHocSubProcess' || from.kind === 'adHocFlow') checkWanted(mapping, element, to);
}

/** Checks the event that fires after the listeners of the user tasks that it interrupts. */
function checkInterruption(mapping: Mapping, element: ElementInstance): void {
  const by = interruptionOf(element)?.by;
  const to = by === undefined ? undefined : mapping.need(by, 'listeners of user tasks run for');
  if (by === undefined || !to || to.kind === 'endEvent') return;
  const host = element.id === ROOT ? mapping.target.root.id : mapping.targetOf(element.node);
  const isSame =
    to.kind === 'boundaryEvent'
      ? to.attachedTo === host && to.interrupting
      : to.kind === 'eventSubProcess' &&
        to.parent === host &&
        interrupts(mapping.target.node(to.start) as StartEventNode);
  if (!isSame)
    mapping.refuse(
      `listeners of user tasks run for ${by}, which interrupts ${element.node}, but ${to.id} in the target version does not interrupt ${host}`,
    );
}

function checkProcess(run: Run, mapping: Mapping, element: ElementInstance): void {
  if (mapping.targetOf(run.model.root.id) !== mapping.target.root.id)
    mapping.refuse(`the process ${run.model.root.id} can only be mapped to the process ${mapping.target.root.id}`);
  // Resolving an incident of the process's own start makes it start again.
  const startNode = element.data?.['startNode'];
  if (element.incident !== undefined && typeof startNode === 'string')
    mapping.need(startNode, 'the instance will start at');
  if (element.incident !== undefined)
    for (const { nodeID } of placesOf(element) ?? []) mapping.need(nodeID, 'the instance will start at');
}

/** Checks that scopes nest as before. The inner instances of a loop share their node with its body. */
function checkNesting(run: Run, mapping: Mapping, element: ElementInstance, to: Node): void {
  const scope = scopeOf(run, element)!;
  if (scope.node === element.node) return;
  const around = scope.id === ROOT ? mapping.target.root.id : mapping.targetOf(scope.node);
  if (to.parent !== around)
    mapping.refuse(
      `${element.node} is active inside ${scope.node}, but ${to.id} in the target version is not directly inside ${around}`,
    );
}

function checkLoop(mapping: Mapping, from: Node, to: Node): void {
  const [present, later] = [loopOf(from), loopOf(to)];
  if (present !== later) mapping.refuse(`${from.id} ${present}, but ${to.id} in the target version ${later}`);
  const forCompensation = (node: Node) => 'forCompensation' in node && node.forCompensation === true;
  if (forCompensation(from) !== forCompensation(to))
    mapping.refuse(`only one of ${from.id} and its counterpart ${to.id} in the target version is for compensation`);
}

function loopOf(node: Node): string {
  const { loop } = node as ActivityBase;
  if (!loop) return 'is not a loop';
  if (loop.kind === 'standard') return 'is a standard loop';
  return `is a ${loop.sequential ? 'sequential' : 'parallel'} multi-instance activity`;
}

/** Checks that the target can take over its waits: a job would be lost if the target calls a decision. */
function checkWork(run: Run, mapping: Mapping, element: ElementInstance, from: Node, to: Node): void {
  if (kindsThrown(from) !== kindsThrown(to))
    return mapping.refuse(
      `${from.id} throws ${kindsThrown(from)}, but ${to.id} in the target version throws ${kindsThrown(to)}`,
    );
  for (const wait of waitsOf(run, element.id)) {
    if (wait.node !== from.id) continue;
    if (wait.kind === 'job' && !wait.listener && !hasJob(to))
      mapping.refuse(`${from.id} waits for its job, but ${to.id} in the target version has none`);
    if (wait.kind === 'decision' && !('decision' in to && to.decision))
      mapping.refuse(`${from.id} waits for its decision, but ${to.id} in the target version calls none`);
  }
  if (from.kind !== 'eventSubProcess' || to.kind !== 'eventSubProcess') return;
  const interrupting = (start: Node) => start.kind === 'startEvent' && interrupts(start);
  if (interrupting(run.model.node(from.start)) !== interrupting(mapping.target.node(to.start))) {
    mapping.refuse(
      `event sub-process ${from.id} is active, but only one of it and its counterpart ${to.id} in the target version is interrupting`,
    );
  }
}

function kindsThrown(node: Node): string {
  const isThrowing = node.kind === 'intermediateThrowEvent' || node.kind === 'endEvent';
  return (
    (isThrowing &&
      node.triggers
        .map((trigger) => `${trigger.kind}${'job' in trigger && trigger.job ? ' by a job' : ''}`)
        .join(', ')) ||
    'nothing'
  );
}

function hasJob(node: Node): boolean {
  return (
    ('job' in node && node.job !== undefined) ||
    ('triggers' in node && node.triggers.some((trigger) => 'job' in trigger && trigger.job))
  );
}

/** A person has seen the tool that would run. */
function checkApproval(mapping: Mapping, from: NodeOf<'userTask'>, to: NodeOf<'userTask'>): void {
  const tool = from.approves === undefined ? undefined : mapping.targetOf(from.approves);
  if (to.approves !== tool)
    mapping.refuse(
      `${from.id} decides about calls of ${tool ?? 'no tool'}, but ${to.id} in the target version about calls of ${to.approves ?? 'none'}`,
    );
}

/** No worker would decide in a sub-process whose job has no counterpart. */
function checkDriven(mapping: Mapping, from: Node, to: Node): void {
  if (hasJob(from) !== hasJob(to))
    mapping.refuse(
      `a job worker decides in only one of ad-hoc sub-process ${from.id} and its counterpart ${to.id} in the target version`,
    );
}

/** Checks the elements that an ad-hoc sub-process has yet to start. */
function checkWanted(mapping: Mapping, { data }: ElementInstance, to: Node): void {
  const wanted = (data?.['wanted'] as string[] | undefined) ?? [];
  for (const id of wanted.slice(Number(data?.['begun'] ?? 0))) {
    const inside = mapping.need(id, 'an ad-hoc sub-process will start');
    if (inside && inside.parent !== to.id)
      mapping.refuse(`${to.id} will start ${inside.id}, which is not directly inside it in the target version`);
  }
}

function checkCompensable(mapping: Mapping, { node, event, inside }: Compensable): void {
  const to = mapping.need(node, 'compensation can reach');
  for (const record of inside ?? []) checkCompensable(mapping, record);
  if (event === undefined || !to) return;
  const handler = mapping.need(event, 'compensation will process');
  if (handler?.kind !== 'boundaryEvent') return;
  if (handler.attachedTo !== to.id || handler.handler === undefined)
    mapping.refuse(`${handler.id} in the target version is not a compensation event of ${to.id} with a handler`);
}

/**
 * Checks a token that waits at a joining gateway. With fewer incoming flows, a token that is still to arrive might have
 * no flow to arrive on.
 */
function checkJoin(mapping: Mapping, { flow }: Token): void {
  const from = mapping.source.node(mapping.source.flow(flow).target);
  const to = mapping.need(from.id, 'a token waits at');
  if (!to) return;
  if (to.incoming.length < from.incoming.length) {
    mapping.refuse(
      `a token waits at ${from.id} with ${from.incoming.length} incoming sequence flows, but ${to.id} in the target version has only ${to.incoming.length}`,
    );
  }
  needFlow(mapping, flow, `a token waits at ${from.id} on`);
}

function checkToken(run: Run, mapping: Mapping, { flow, scope }: Token): void {
  const to = mapping.need(mapping.source.flow(flow).target, 'a token is on its way to');
  const around = run.state.elements[scope]!;
  const aroundTarget = around.id === ROOT ? mapping.target.root.id : mapping.targetOf(around.node);
  if (to && to.parent !== aroundTarget)
    mapping.refuse(
      `a token inside ${around.node} is on its way to ${to.id}, which is not directly inside ${aroundTarget} in the target version`,
    );
  needFlow(mapping, flow, 'a token is on');
}

function needFlow(mapping: Mapping, flow: string, what: string): void {
  if (mapping.flowOf(flow) !== undefined) return;
  const { source, target } = mapping.source.flow(flow);
  mapping.refuse(
    `${what} sequence flow ${flow}, which has no counterpart in the target version: no flow with this id leads to ${mapping.targetOf(target)}, and there is not exactly one flow from ${mapping.targetOf(source)} to it`,
  );
}
