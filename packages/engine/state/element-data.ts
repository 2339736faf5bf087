/**
 * Element data that is keyed by ids of nodes and flows, or holds variables. Only this file knows where ids and
 * variables occur in element data, so that an instance can migrate to a version with other ids, and be redacted.
 */
import type { FactOf, ListenerEvent, TaskChanges, TaskListenerEvent } from '../contract/facts.js';
import type { Json, Variables } from '../contract/json.js';
import type { State } from './state.js';

type ElementData = { [name: string]: Json };

const GATHERED = 'gathered:';
const RESET = 'reset:';

/**
 * Key under which an element instance collects the variables of the definitions of event `catcher` that have occurred.
 */
export function gatheredKey(catcher: string): string {
  return GATHERED + catcher;
}

/** Key under which a scope records that complex gateway `node` has started: the incoming flows whose tokens it took. */
export function resetKey(node: string): string {
  return RESET + node;
}

/** Complex gateways in this scope that wait for their reset, each with the incoming flows whose tokens it took. */
export function startedGateways(data: ElementData = {}): { node: string; flows: string[] }[] {
  return Object.entries(data).flatMap(([key, flows]) =>
    key.startsWith(RESET) && flows !== null ? [{ node: key.slice(RESET.length), flows: flows as string[] }] : [],
  );
}

/** The same element data under other ids: `node` and `flow` map each old id to its new one. */
export function renameElementData(
  data: ElementData,
  node: (id: string) => string,
  flow: (id: string) => string,
): ElementData {
  const renamed = Object.entries(data).map(([key, value]): [string, Json] => {
    if (key.startsWith(GATHERED)) return [gatheredKey(node(key.slice(GATHERED.length))), value];
    if (key.startsWith(RESET))
      return [resetKey(node(key.slice(RESET.length))), (value as string[] | null)?.map(flow) ?? null];
    if (key === 'startNode') return [key, node(value as string)];
    if (key === 'startAt')
      return [key, (value as { nodeID: string }[]).map((place) => ({ ...place, nodeID: node(place.nodeID) }))];
    if (key === 'interruption' && value !== null)
      return [key, { ...(value as { [name: string]: Json }), by: node((value as { by: string }).by) }];
    if (key === 'wanted') return [key, (value as string[]).map(node)];
    return [key, value];
  });
  return Object.fromEntries(renamed);
}

/** The same element data with other variables: `change` maps each object of variables. */
export function changeVariables(data: ElementData, change: (variables: Variables) => Variables): ElementData {
  const changed = Object.entries(data).map(([key, value]): [string, Json] => {
    if (key === 'payload' || key === 'completion' || key.startsWith(GATHERED)) return [key, change(value as Variables)];
    if (key === 'interruption') return [key, changePayload(value as { payload?: Variables } | null, change)];
    if (key === 'startAt')
      return [
        key,
        (value as { variables?: Variables }[]).map((place) =>
          place.variables ? { ...place, variables: change(place.variables) } : place,
        ),
      ];
    return [key, value];
  });
  return Object.fromEntries(changed);
}

function changePayload<T extends { payload?: Variables }>(
  interruption: T | null,
  change: (variables: Variables) => Variables,
): Json {
  const { payload } = interruption ?? {};
  return (payload ? { ...interruption, payload: change(payload) } : interruption) as Json;
}

/** An interruption of a scope or of a user task that waits for listeners of user tasks. */
export interface Interruption {
  /** The event that interrupts: a boundary event, an event sub-process, or an end event. */
  by: string;
  /** Shown on what is canceled. */
  reason: string;
  /** Variables of the event. */
  payload?: Variables;
  /** How history shows the end of an interrupted activity. */
  as?: 'ELEMENT_FAILED';
}

/** Undefined unless an event has interrupted the element instance, and listeners of tasks in it still run. */
export function interruptionOf({ data }: { data?: ElementData }): Interruption | undefined {
  return (data?.['interruption'] ?? undefined) as unknown as Interruption | undefined;
}

export function interruptionData(interruption: Interruption | undefined): ElementData {
  return { interruption: (interruption ?? null) as unknown as Json };
}

/** Whether a cancel end event has canceled the transaction, which is left as canceled when everything is compensated. */
export function isCanceled({ data }: { data?: ElementData }): boolean {
  return data?.['canceled'] === true;
}

/** Whether an event inside an ad-hoc sub-process has ended it: it completes with what is left, whatever its completion condition says. */
export function isInterrupted({ data }: { data?: ElementData }): boolean {
  return data?.['interrupted'] === true;
}

/** How far the execution listeners have come: the one that runs, by its place in the list of its event. */
type Listening = { event: ListenerEvent; at: number } | { event: 'started' };

/** Undefined before the first listener, and without any. */
export function listeningOf({ data }: { data?: ElementData }): Listening | undefined {
  return data?.['listening'] as Listening | undefined;
}

export function listenerData(listening: Listening): ElementData {
  return { listening };
}

/** Whether its execution listeners run: it has not begun its work, or has done it and is about to be left. */
export function runsListeners(element: { data?: ElementData }): boolean {
  const event = listeningOf(element)?.event;
  return event === 'start' || event === 'end';
}

/** The listeners of a user task that run, by the place of the current one in the list of its event. */
export interface TaskListening {
  event: TaskListenerEvent;
  at: number;
  /** The command that made the request; absent if the model did. */
  command?: number;
  /** The changes of the request and of the listeners so far. */
  changes: TaskChanges;
  /** The members that the request changes. */
  requested: (keyof TaskChanges)[];
}

/** Undefined while no listener of the user task runs. */
export function taskListeningOf({ data }: { data?: ElementData }): TaskListening | undefined {
  return (data?.['taskListening'] ?? undefined) as unknown as TaskListening | undefined;
}

/** Numbers of the commands that listeners of a user task decide about: they are handled, and have no outcome yet. */
export function heldCommands({ elements }: Pick<State, 'elements'>): number[] {
  return Object.values(elements).flatMap((element) => taskListeningOf(element)?.command ?? []);
}

/** @param completion variables of the request to complete the task */
export function taskListeningData(listening: TaskListening | undefined, completion?: Variables): ElementData {
  return {
    taskListening: (listening ?? null) as unknown as Json,
    ...(completion && { completion: completion as Json }),
    ...(!listening && { completion: {} }),
  };
}

/** Variables of the request to complete the task that listeners decide about. */
export function completionOf({ data }: { data?: ElementData }): Variables {
  return (data?.['completion'] ?? {}) as Variables;
}

/** A user task as evaluated, before listeners of its creation have decided. */
export type TaskDraft = Omit<
  FactOf<'USER_TASK_CREATED'>,
  'kind' | 'task' | 'element' | 'node' | 'decided' | 'localVariables'
>;

/** Undefined once the task exists. */
export function taskDraftOf({ data }: { data?: ElementData }): TaskDraft | undefined {
  return (data?.['draft'] ?? undefined) as unknown as TaskDraft | undefined;
}

export function taskDraftData(draft: TaskDraft | undefined): ElementData {
  return { draft: (draft ?? null) as unknown as Json };
}
