/** Timers with their due times, and the boundary events and event sub-processes that still listen. */
import type { ActivityInstance } from './rest.js';
import type { Snapshot, SourceTimer } from './snapshot.js';
import type { SourceNode } from './source-model.js';
import { instantOf } from './variables.js';

interface Listening {
  nodeID: string;
  dueAt?: string;
}

type Found<Value> = Value | { problem: string };

/** The engine keeps no rows for them: they listen as long as their activity is active. */
const WITHOUT_ROWS = new Set([
  'errorEventDefinition',
  'escalationEventDefinition',
  'cancelEventDefinition',
  'compensateEventDefinition',
]);

/** Whether it waits at several places at the same time, so that a row cannot be assigned by the id of the node alone. */
function isUnique({ tree }: Snapshot, activityId: string): boolean {
  let count = 0;
  for (const next = [tree]; next.length > 0;) {
    const { childActivityInstances = [], activityId: id } = next.pop()!;
    if (id === activityId) count += 1;
    next.push(...childActivityInstances);
  }
  return count === 1;
}

/** The due time of the timer that a catch event or an event-based gateway waits for. */
export function timerAt(snapshot: Snapshot, activity: ActivityInstance): Found<{ dueAt?: string }> {
  const { activityId, activityType } = activity;
  const { flows } = snapshot.model;
  const isGateway = activityType === 'eventBasedGateway';
  const events = isGateway
    ? flows.filter(({ source }) => source === activityId).map(({ target }) => target)
    : [activityId];
  const timers = snapshot.timers.filter((timer) => events.includes(timer.activityId));
  if (timers.length === 0) return {};
  const own = ownRows(snapshot, activity, timers);
  if (own.length !== 1) return { problem: `${activityId}: ${own.length} timers could be the one that it waits for` };
  return dueOf(own[0]!);
}

function dueOf({ dueDate }: SourceTimer): { dueAt?: string } {
  const dueAt = dueDate === undefined ? undefined : instantOf(dueDate);
  return dueAt === undefined ? {} : { dueAt };
}

function ownRows<Row extends { executionId?: string | null | undefined }>(
  snapshot: Snapshot,
  { activityId, executionIds = [] }: ActivityInstance,
  rows: readonly Row[],
): Row[] {
  const own = rows.filter(({ executionId }) => executionIds.includes(executionId ?? ''));
  return own.length > 0 || !isUnique(snapshot, activityId) ? own : [...rows];
}

/**
 * The events that still listen at an activity; undefined if its model has none, so that none has to be listed.
 * @param host the activity instance that boundary events are attached to; undefined if another open instance of the loop
 *   lists them
 */
export function listeningAt(
  snapshot: Snapshot,
  activity: ActivityInstance,
  host: ActivityInstance | undefined,
): Found<{ events?: Listening[] }> {
  const nodes = [...snapshot.model.nodes.values()];
  const boundary = host ? nodes.filter(({ attachedTo }) => attachedTo === activity.activityId) : [];
  const starts = startsInside(nodes, activity.activityId);
  if (boundary.length + starts.length === 0) return {};
  const found: Listening[] = [];
  for (const [event, at] of [
    ...boundary.map((event) => [event, host!] as const),
    ...starts.map((event) => [event, activity] as const),
  ]) {
    const row = rowOf(snapshot, event, at);
    if (row && 'problem' in row) return row;
    if (row) found.push({ nodeID: event.id, ...row });
  }
  return { events: found };
}

function rowOf(snapshot: Snapshot, event: SourceNode, host: ActivityInstance): Found<{ dueAt?: string }> | undefined {
  if (event.triggers.length === 0 || event.triggers.some((trigger) => WITHOUT_ROWS.has(trigger))) return {};
  const ids = event.kind === 'startEvent' ? [event.id, event.parent] : [event.id];
  const isOf = ({ activityId }: { activityId: string }) => ids.includes(activityId);
  const timers = ownRows(snapshot, host, snapshot.timers.filter(isOf));
  const subscriptions = ownRows(snapshot, host, snapshot.subscriptions.filter(isOf));
  if (timers.length + subscriptions.length > 1)
    return { problem: `${event.id}: several rows could be the one that it listens with` };
  const [timer] = timers;
  if (timer) return dueOf(timer);
  return subscriptions.length > 0 ? {} : undefined;
}

/** Start events of the event sub-processes directly inside. */
function startsInside(nodes: readonly SourceNode[], scope: string | undefined): SourceNode[] {
  const around = nodes.filter(({ parent, isEventSubProcess }) => isEventSubProcess && parent === scope);
  return nodes.filter(({ kind, parent }) => kind === 'startEvent' && around.some(({ id }) => id === parent));
}

/** Those of the process listen afresh. */
export function listeningOfProcess({ model }: Snapshot): string[] {
  const timers = startsInside([...model.nodes.values()], undefined).filter(({ triggers }) =>
    triggers.includes('timerEventDefinition'),
  );
  return timers.map(({ id }) => `${id}: its timer begins again, because it listens in the process itself`);
}
