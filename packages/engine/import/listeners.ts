/** Boundary events and event sub-processes that still listen, and timers with their due time. */
import { eventSubProcesses } from '../behaviors/waiting/event-sub-processes.js';
import { lastTick, startAt, type TimerPlan } from '../behaviors/waiting/timer-ticks.js';
import { listen } from '../behaviors/waiting/trigger-dispatch.js';
import type { Fact, FactKind, FactOf } from '../contract/facts.js';
import type { ImportedListener } from '../contract/imported.js';
import type { BoundaryEventNode } from '../elements/boundary-event.js';
import type { StartEventNode } from '../elements/start-event.js';
import type { ActivityNode, Node } from '../model/graph.js';
import { record } from '../run.js';
import type { ElementInstance } from '../state/state.js';
import { instantAt, report, type At, type Draft } from './draft.js';

type Listener = BoundaryEventNode | StartEventNode;
/** All that were given for one activity or scope; absent: everything listens afresh. */
type Given = readonly ImportedListener[] | undefined;

/** Lets the boundary events of `host` listen. */
export function openBoundary(draft: Draft, host: ElementInstance, node: Node, given: Given, at: At): void {
  if (!hasBoundary(node)) return;
  open(draft, host, boundaryOf(draft, node), given, at);
  record(draft.run, { kind: 'ELEMENT_BEGUN', element: host.id });
}

/** Lets the event sub-processes of `scope` listen, unless one of them has interrupted it. */
export function openEventSubProcesses(draft: Draft, scope: ElementInstance, key: string, given: Given, at: At): void {
  if (!draft.interrupted.has(key)) return open(draft, scope, startsInside(draft, scope), given, at);
  for (const start of startsInside(draft, scope)) {
    const listed = given?.findIndex(({ nodeID }) => nodeID === start.id) ?? -1;
    if (listed >= 0)
      report(draft, at, `${start.id} no longer listens, because the scope was interrupted`, `.listening[${listed}]`);
  }
}

/** Reports listeners that are not those of the node or, if `scope` is given, inside it. */
export function checkListeners(
  draft: Draft,
  node: Node,
  scope: ElementInstance | undefined,
  given: Given,
  at: At,
): void {
  const known = new Set([
    ...(hasBoundary(node) ? boundaryOf(draft, node) : []).map(({ id }) => id),
    ...(scope ? startsInside(draft, scope) : []).map(({ id }) => id),
  ]);
  const seen = new Set<string>();
  for (const [index, { nodeID }] of (given ?? []).entries()) {
    const member = `.listening[${index}]`;
    if (!known.has(nodeID))
      report(
        draft,
        at,
        `${nodeID} is neither a boundary event of ${node.id} nor the start event of an event sub-process directly inside it`,
        member,
      );
    else if (seen.has(nodeID)) report(draft, at, `${nodeID} is given twice`, member);
    seen.add(nodeID);
  }
}

function hasBoundary(node: Node): node is ActivityNode & { boundary: string[] } {
  return 'boundary' in node && node.boundary !== undefined;
}

function boundaryOf({ run }: Draft, { boundary }: { boundary: string[] }): Listener[] {
  return boundary.map((id) => run.model.node(id) as BoundaryEventNode);
}

function startsInside({ run }: Draft, scope: ElementInstance): Listener[] {
  return eventSubProcesses(run, scope.node).map(({ start }) => start);
}

function open(draft: Draft, host: ElementInstance, events: readonly Listener[], given: Given, at: At): void {
  const { run } = draft;
  for (const event of events) {
    const index = given?.findIndex(({ nodeID }) => nodeID === event.id) ?? -1;
    if (given && index < 0) continue;
    const place =
      index < 0 ? { ...at, nodeID: event.id } : { ...at, path: `${at.path}.listening[${index}]`, nodeID: event.id };
    const first = run.facts.length;
    run.budget.nextUnit();
    const listening = listen(run, host, event, event.triggers);
    if (listening.ok) retime(draft, first, given?.[index] ?? {}, place);
    else report(draft, place, `cannot listen: ${listening.failure.message}`);
  }
}

/** Positions of the facts of this kind from `first` on. */
export function positionsOf(facts: readonly Fact[], kind: FactKind, first: number): number[] {
  const found: number[] = [];
  for (let position = first; position < facts.length; position += 1)
    if (facts[position]!.kind === kind) found.push(position);
  return found;
}

/** Gives the timer that was started by the facts from `first` on its due time and its number of ticks. */
export function retime(
  draft: Draft,
  first: number,
  { dueAt, repeats }: { dueAt?: string | undefined; repeats?: number | undefined },
  at: At,
): void {
  const { facts } = draft.run;
  if (dueAt === undefined && repeats === undefined) return;
  const member = dueAt === undefined ? '.repeats' : '.dueAt';
  const [index, second] = positionsOf(facts, 'TIMER_STARTED', first);
  if (index === undefined) return report(draft, at, 'does not wait for a timer', member);
  if (second !== undefined) return report(draft, at, 'waits for several timers, so it must leave this out', member);
  const fact = facts[index] as FactOf<'TIMER_STARTED'>;
  if (repeats !== undefined && fact.interval === undefined)
    return report(draft, at, 'the timer fires once', '.repeats');
  const due = instantAt(draft, dueAt, at, '.dueAt');
  facts[index] = { ...fact, ...replanned(fact, due, repeats, draft.run.now) };
}

/** Of a cycle that is overdue, only the last tick that was missed occurs, as after a pause. */
function replanned(plan: TimerPlan, due: number | undefined, repeats: number | undefined, now: number): TimerPlan {
  const { interval, calendar } = plan;
  const next = {
    due: due ?? plan.due,
    ...(interval !== undefined && { interval }),
    ...((repeats ?? plan.remaining) !== undefined && { remaining: repeats ?? plan.remaining! }),
    ...(calendar && { calendar: due === undefined ? calendar : startAt(due, calendar) }),
  };
  return { ...next, ...lastTick(next, now) };
}
