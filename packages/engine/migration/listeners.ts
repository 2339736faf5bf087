/**
 * Migration of event waits: events that an element instance catches itself, and its listeners (boundary events, event
 * sub-processes, events after an event-based gateway). An event with a counterpart keeps waiting with its due time and
 * correlation. A removed event is closed; a new one is opened.
 */
import { subscribeToMessage } from '../behaviors/waiting/messages.js';
import { eventSubProcesses, interrupts } from '../behaviors/waiting/event-sub-processes.js';
import { isLoopBody } from '../behaviors/lifecycle/activation.js';
import type { Result } from '../failure.js';
import type { Node } from '../model/graph.js';
import { equalJson, type Json } from '../contract/json.js';
import { isKind, type Model } from '../model/model.js';
import { childrenOf, record, waitsOf, type Run } from '../run.js';
import { runsListeners } from '../state/element-data.js';
import { ROOT, type ElementInstance, type Wait } from '../state/state.js';
import { listen } from '../behaviors/waiting/trigger-dispatch.js';
import type { Trigger } from '../events/index.js';
import type { Mapping } from './mapping.js';

interface ListenerChanges {
  /** Waits to close. */
  closed: Wait[];
  /** Element instances and the events of the target version that they start to wait for. */
  opened: { element: number; event: string }[];
  /** Element instances whose boundary events start to listen and that had none before. */
  begun: number[];
}

/** Events grouped by their position relative to an element instance. */
interface Listeners {
  own: string[];
  boundary: string[];
  inside: string[];
  behind: string[];
}

export function listenerChanges(run: Run, mapping: Mapping): ListenerChanges {
  const changes: ListenerChanges = { closed: [], opened: [], begun: [] };
  for (const element of Object.values(run.state.elements)) {
    const target = element.id === ROOT ? mapping.target.root : mapping.target.find(mapping.targetOf(element.node));
    if (!target) continue;
    const before = listenersOf(run.model, element, run.model.node(element.node));
    const after = listenersOf(mapping.target, element, target);
    matchOwn(run, mapping, element, before.own, after.own, changes);
    matchBeside(run, mapping, element, before.boundary, after.boundary, changes, hasBoundaryListeners(run, element));
    if (after.boundary.length > 0 && before.boundary.length === 0 && hasBoundaryListeners(run, element))
      changes.begun.push(element.id);
    matchBeside(run, mapping, element, before.inside, after.inside, changes, hasInnerListeners(run, element));
    matchBeside(
      run,
      mapping,
      element,
      before.behind,
      after.behind,
      changes,
      element.incident === undefined && !element.placed && !runsListeners(element),
    );
  }
  return changes;
}

/** Opens the new waits. @returns the events that could not be opened */
export function openListeners(run: Run, { opened, begun }: ListenerChanges): string[] {
  for (const element of begun) record(run, { kind: 'ELEMENT_BEGUN', element });
  return opened.flatMap(({ element, event }) => {
    const listening = listenFor(run, run.state.elements[element]!, run.model.node(event));
    return listening.ok ? [] : [`${event} in the target version cannot listen: ${listening.failure.message}`];
  });
}

function listenFor(run: Run, element: ElementInstance, event: Node): Result<void> {
  if (event.kind === 'receiveTask') return subscribeToMessage(run, element, event.id, event.message);
  return listen(run, element, event, triggersOf(event));
}

function listenersOf(model: Model, element: ElementInstance, node: Node): Listeners {
  const isBody = isLoopBody(node, element);
  const catches = node.kind === 'intermediateCatchEvent' || node.kind === 'receiveTask' || node.kind === 'startEvent';
  return {
    own: catches && !isBody ? [node.id] : [],
    boundary: 'boundary' in node && node.boundary && element.loopCounter === undefined ? node.boundary : [],
    inside: isBody
      ? []
      : model.inside(node.id).flatMap((inner) => (isKind(inner, 'eventSubProcess') ? [inner.start] : [])),
    behind: node.kind === 'eventBasedGateway' ? node.outgoing.map((flow) => model.flow(flow).target) : [],
  };
}

/** Keeps its own waits; a message or signal with another name gets a new subscription. */
function matchOwn(
  run: Run,
  mapping: Mapping,
  element: ElementInstance,
  [from]: string[],
  [to]: string[],
  changes: ListenerChanges,
): void {
  if (from === undefined || to === undefined) return;
  const waits = waitsOf(run, element.id).filter(({ node }) => node === from);
  if (waits.length === 0) return;
  const change = changeOf(run.model.node(from), mapping.target.node(to));
  if (change === 'different') mapping.refuse(`${from} and ${to} in the target version wait for different events`);
  if (change !== 'renamed') return;
  changes.closed.push(...waits);
  changes.opened.push({ element: element.id, event: to });
}

function matchBeside(
  run: Run,
  mapping: Mapping,
  element: ElementInstance,
  from: string[],
  to: string[],
  changes: ListenerChanges,
  listening: boolean,
): void {
  const open = new Set(to);
  for (const event of from) {
    const target = counterpart(run, mapping, event, to);
    const change = target === undefined ? 'different' : changeOf(run.model.node(event), mapping.target.node(target));
    if (change === 'different' && mapping.isExplicit(event)) {
      mapping.refuse(
        `${event} of ${element.node} is mapped to ${mapping.targetOf(event)}, which is not the corresponding event of ${element.node} in the target version`,
      );
    }
    const waits = waitsOf(run, element.id).filter(({ node }) => node === event);
    if (target !== undefined && change !== 'different') {
      if (!open.delete(target)) mapping.refuse(`two events of ${element.node} are mapped to ${target}`);
      mapping.follow(event, target);
    }
    if (change === 'same') continue;
    changes.closed.push(...waits);
    if (change === 'renamed' && waits.length > 0) changes.opened.push({ element: element.id, event: target! });
  }
  if (listening) for (const event of open) changes.opened.push({ element: element.id, event });
}

/**
 * The counterpart of `event` in `to`; for the start event of an event sub-process, it follows from the event
 * sub-process.
 */
function counterpart(run: Run, mapping: Mapping, event: string, to: readonly string[]): string | undefined {
  const around = run.model.node(run.model.node(event).parent!);
  const follows = around.kind === 'eventSubProcess' && !mapping.isExplicit(event);
  const target = follows ? startOf(mapping.target.find(mapping.targetOf(around.id))) : mapping.targetOf(event);
  return target !== undefined && to.includes(target) ? target : undefined;
}

function startOf(node: Node | undefined): string | undefined {
  return node?.kind === 'eventSubProcess' ? node.start : undefined;
}

/** Whether two events wait for the same trigger; for an event with several definitions, no name may differ. */
function changeOf(from: Node, to: Node): 'same' | 'renamed' | 'different' {
  const [before, after] = [triggersOf(from), triggersOf(to)];
  const isParallel = (node: Node) => 'parallelMultiple' in node && node.parallelMultiple === true;
  if (before.length !== after.length || isParallel(from) !== isParallel(to)) return 'different';
  if (!before.every((trigger, index) => trigger.kind === after[index]!.kind)) return 'different';
  if (before.every((trigger, index) => sameName(trigger, after[index]!))) return 'same';
  return before.length === 1 ? 'renamed' : 'different';
}

function sameName(from: Trigger, to: Trigger): boolean {
  return equalJson(nameOf(from), nameOf(to));
}

function nameOf(trigger: Trigger): Json {
  return trigger.kind === 'message' || trigger.kind === 'signal' ? (trigger.name as unknown as Json) : null;
}

function triggersOf(node: Node): Trigger[] {
  if (node.kind === 'receiveTask') return [{ kind: 'message', ...node.message }];
  return 'triggers' in node ? node.triggers : [];
}

/**
 * Whether the boundary events of an element instance listen now. If it has not started, they will when it does; if it is
 * being compensated, it has ended for them.
 */
function hasBoundaryListeners(run: Run, element: ElementInstance): boolean {
  if (element.placed || element.compensation || runsListeners(element)) return false;
  const node = run.model.node(element.node);
  // Without a boundary event nothing shows whether it has started; at an incident it starts again.
  return element.begun === true || (!('boundary' in node && node.boundary) && element.incident === undefined);
}

/** Whether the event sub-processes of a scope listen now: it is open and has not been interrupted. */
function hasInnerListeners(run: Run, scope: ElementInstance): boolean {
  const isOpen =
    !scope.placed &&
    !scope.compensation &&
    !runsListeners(scope) &&
    (scope.incident === undefined || scope.inside > 0 || scope.data?.['entered'] === true);
  if (!isOpen) return false;
  const starts = new Map(eventSubProcesses(run, scope.node).map(({ node, start }) => [node.id, start]));
  return childrenOf(run, scope.id).every((child) => {
    const start = starts.get(child.node);
    return !start || !interrupts(start);
  });
}
