/**
 * The path of one run, from its facts: which activation led to which, whatever happened between them on other branches.
 *
 * A visit (one activation of a node) has two keys. Its place is the whole path that led to it: the visits that caused it,
 * and its node. Two runs that take the same path visit the same places, in any order. Its spot is its position: the
 * enclosing visits, its node, its position in a loop and its number there. A spot stays when something is inserted before.
 */
import type { Fact, FactKind, FactOf, ListenerEvent, TaskListenerEvent } from '@perdure/engine/contract/facts.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import type { Model } from '@perdure/engine/model/model.js';
import { ROOT } from '@perdure/engine/state/state.js';
import type { Places } from './places.js';
import { requestOf, type AgentRequest } from './world/requests.js';

export interface Visit {
  /** Position among the activations of its run. */
  readonly order: number;
  readonly node: string;
  readonly scope: Visit | undefined;
  readonly place: number;
  readonly spot: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The visits that led to it. Empty for the process itself. */
  readonly causes: readonly Visit[];
  /** The sequence flows whose tokens it took. */
  readonly flows: readonly string[];
  /** Number of its fact in the run, from 1. */
  readonly fact: number;
  /** How many visits the run had when this one ended; undefined while it is active. */
  endedAfter?: number;
  /** Variables of the process that it set, by name. */
  sets?: Map<string, Json>;
}

type StopKind = 'work' | 'timer' | 'subscription' | 'child' | 'decision';

/** Something that a run waits for. */
export interface Stop {
  readonly id: number;
  /** Jobs and user tasks are `work`: an answer to one of them answers the other. */
  readonly kind: StopKind;
  readonly isTask?: true;
  readonly visit: Visit;
  /** The catching node. */
  readonly node: string;
  /** Number among those of its kind at the same node and visit, from 1. */
  readonly times: number;
  readonly at: number;
  closedAt?: number;
  readonly taskType?: string;
  /** Of the job of a listener: its event. */
  readonly listener?: ListenerEvent | TaskListenerEvent;
  /** Of the job of an agent. */
  readonly request?: AgentRequest;
  readonly processID?: string;
  readonly due?: number;
  readonly event?: { readonly type: 'message' | 'signal'; readonly name: string; readonly correlation?: Json };
}

/** An incident of one run. */
export interface Trouble {
  readonly id: number;
  readonly visit: Visit;
  readonly node: string;
  readonly times: number;
  readonly at: number;
  readonly errorType: string;
}

interface Token {
  flow: string;
  scope: number;
  from: Visit;
}

/** Receives each stop and each trouble as soon as the trail has noted its fact. */
export interface Listener {
  opened?(stop: Stop): void;
  raised?(trouble: Trouble): void;
}

type Handlers = { [K in FactKind]?: (fact: FactOf<K>, now: number) => void };

export class Trail {
  readonly visits: Visit[] = [];
  readonly stops = new Map<number, Stop>();
  readonly troubles = new Map<number, Trouble>();
  /** How often each sequence flow was taken. */
  readonly flows = new Map<string, number>();
  readonly #places: Places;
  readonly #model: Model;
  readonly #listener: Listener;
  readonly #elements = new Map<number, { visit: Visit; scope: number }>();
  readonly #counts = new Map<string, number>();
  /** The last visit of each node in each scope. */
  readonly #last = new Map<string, Visit>();
  #facts = 0;
  #moving: Token[] = [];
  #arrived: Token[] = [];
  #passing: Token | undefined;
  readonly #handlers = this.#newHandlers();

  constructor(model: Model, places: Places, listener: Listener = {}) {
    this.#model = model;
    this.#places = places;
    this.#listener = listener;
  }

  /** @param now of the step of the fact, in epoch milliseconds */
  note(fact: Fact, now: number): void {
    this.#facts += 1;
    (this.#handlers[fact.kind] as ((fact: Fact, now: number) => void) | undefined)?.(fact, now);
  }

  visitOf(element: number): Visit | undefined {
    return this.#elements.get(element)?.visit;
  }

  #newHandlers(): Handlers {
    const close = (id: number, now: number) => this.#close(id, now);
    return {
      ELEMENT_ACTIVATED: (fact, now) => this.#enter(fact, now),
      ELEMENT_COMPLETED: (fact) => this.#leave(fact),
      ELEMENT_CANCELED: ({ element }) => this.#end(element),
      ELEMENT_FAILED: ({ element }) => this.#end(element),
      TOKEN_ARRIVED: () => void this.#arrived.push(this.#moving.shift()!),
      TOKEN_CANCELED: ({ flow, scope }) => void (take(this.#arrived, flow, scope) ?? take(this.#moving, flow, scope)),
      TOKENS_DROPPED: ({ scope }) => this.#drop(scope),
      VARIABLES_SET: ({ scope, by, variables }) => this.#set(scope, by, variables),
      INCIDENT_RAISED: (fact, now) => this.#raise(fact, now),
      JOB_CREATED: (fact, now) => this.#wait('work', fact.job, fact, now, workOf(fact)),
      JOB_COMPLETED: ({ job }, now) => close(job, now),
      JOB_FAILED: ({ job }, now) => close(job, now),
      JOB_CANCELED: ({ job }, now) => close(job, now),
      USER_TASK_CREATED: (fact, now) => this.#wait('work', fact.task, fact, now, { isTask: true }),
      USER_TASK_COMPLETED: ({ task }, now) => close(task, now),
      USER_TASK_FAILED: ({ task }, now) => close(task, now),
      USER_TASK_CANCELED: ({ task }, now) => close(task, now),
      TIMER_STARTED: (fact, now) => this.#wait('timer', fact.timer, fact, now, { due: fact.due }),
      TIMER_FIRED: ({ timer }, now) => close(timer, now),
      TIMER_CANCELED: ({ timer }, now) => close(timer, now),
      SUBSCRIPTION_OPENED: (fact, now) => this.#wait('subscription', fact.subscription, fact, now, { event: fact }),
      SUBSCRIPTION_CLOSED: ({ subscription }, now) => close(subscription, now),
      CHILD_CALLED: (fact, now) => this.#wait('child', fact.child, fact, now, { processID: fact.processID }),
      CHILD_ENDED: ({ child }, now) => close(child, now),
      CHILD_CANCELED: ({ child }, now) => close(child, now),
      DECISION_REQUESTED: (fact, now) => this.#wait('decision', fact.decision, fact, now),
      DECISION_EVALUATED: ({ decision }, now) => close(decision, now),
      DECISION_FAILED: ({ decision }, now) => close(decision, now),
      DECISION_CANCELED: ({ decision }, now) => close(decision, now),
    };
  }

  #enter(fact: FactOf<'ELEMENT_ACTIVATED'>, now: number): void {
    const { element, node, loopCounter = 0 } = fact;
    const scope = this.visitOf(fact.scope);
    const { causes, flows = [] } = this.#originOf(fact, scope);
    const led = `led ${causes
      .map(({ place }) => place)
      .sort(ascending)
      .join('+')} ${node} ${loopCounter}`;
    const stands = `at ${scope?.spot ?? 0} ${node} ${loopCounter}`;
    const visit: Visit = {
      order: this.visits.length,
      node,
      scope,
      place: this.#places.of(`${led} ${this.#count(led)}`),
      spot: this.#places.of(`${stands} ${this.#count(stands)}`),
      at: now,
      causes,
      flows,
      fact: this.#facts,
    };
    this.visits.push(visit);
    this.#elements.set(element, { visit, scope: fact.scope });
    this.#last.set(`${fact.scope} ${node}`, visit);
  }

  /** The visits that led to this one: by tokens, by an event at their boundary, or by containing it. */
  #originOf(
    fact: FactOf<'ELEMENT_ACTIVATED'>,
    scope: Visit | undefined,
  ): { causes: Visit[]; flows?: readonly string[] } {
    const passing = this.#passing;
    this.#passing = undefined;
    const tokens = [
      ...(fact.token ? [this.#moving.shift()!] : []),
      ...(fact.joined ?? []).map((flow) => take(this.#arrived, flow, fact.scope)!),
    ];
    if (tokens.length > 0)
      return { causes: [...new Set(tokens.map(({ from }) => from))], flows: tokens.map(({ flow }) => flow) };
    if (passing?.scope === fact.scope && this.#model.flow(passing.flow).target === fact.node)
      return { causes: [passing.from], flows: [passing.flow] };
    if (fact.compensates !== undefined) return { causes: [this.visitOf(fact.compensates)!] };
    const node = this.#model.find(fact.node);
    const host = node?.kind === 'boundaryEvent' ? this.#last.get(`${fact.scope} ${node.attachedTo}`) : undefined;
    const cause = host ?? scope;
    return { causes: cause ? [cause] : [] };
  }

  #end(element: number): void {
    const visit = this.visitOf(element);
    if (visit) visit.endedAfter = this.visits.length;
  }

  #leave({ element, flows = [], passed = [] }: FactOf<'ELEMENT_COMPLETED'>): void {
    this.#end(element);
    const { visit: from, scope } = this.#elements.get(element)!;
    for (const flow of flows) this.#moving.push({ flow, scope, from });
    for (const flow of passed) this.#passing = { flow, scope, from };
    for (const flow of [...flows, ...passed]) this.flows.set(flow, (this.flows.get(flow) ?? 0) + 1);
  }

  #drop(scope: number): void {
    this.#moving = this.#moving.filter((token) => token.scope !== scope);
    this.#arrived = this.#arrived.filter((token) => token.scope !== scope);
  }

  #set(scope: number, by: number | undefined, variables: Variables): void {
    if (scope !== ROOT || by === undefined) return;
    const visit = this.visitOf(by)!;
    visit.sets ??= new Map();
    for (const [name, value] of Object.entries(variables)) visit.sets.set(name, value);
  }

  #wait(
    kind: StopKind,
    id: number,
    { element, node }: { element: number; node: string },
    at: number,
    what: Pick<Stop, 'isTask' | 'taskType' | 'listener' | 'request' | 'processID' | 'due' | 'event'> = {},
  ): void {
    const visit = this.visitOf(element)!;
    const times = this.#count(`${kind} ${element} ${node} ${listenerKey(what)}`);
    const stop = { id, kind, visit, node, times, at, ...what };
    this.stops.set(id, stop);
    this.#listener.opened?.(stop);
  }

  #close(id: number, now: number): void {
    this.stops.get(id)!.closedAt = now;
  }

  #raise({ incident: id, element, node, errorType }: FactOf<'INCIDENT_RAISED'>, at: number): void {
    const visit = this.visitOf(element)!;
    const times = this.#count(`incident ${element} ${node}`);
    const trouble = { id, visit, node, times, at, errorType };
    this.troubles.set(id, trouble);
    this.#listener.raised?.(trouble);
  }

  /** @returns how often it was called with this key */
  #count(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}

function workOf(fact: FactOf<'JOB_CREATED'>): Pick<Stop, 'taskType' | 'listener' | 'request'> {
  const { taskType, listener } = fact;
  const request = requestOf(fact);
  return { taskType, ...(listener && { listener: listener.eventType }), ...(request && { request }) };
}

/** Equal for jobs that do the work of a node, and for those of one of its listeners. */
export function listenerKey({ listener, taskType }: Pick<Stop, 'listener' | 'taskType'>): string {
  return listener === undefined ? '' : `${listener} ${taskType}`;
}

/** Removes the oldest token on this flow in this scope. */
function take(tokens: Token[], flow: string, scope: number): Token | undefined {
  const index = tokens.findIndex((token) => token.flow === flow && token.scope === scope);
  return index < 0 ? undefined : tokens.splice(index, 1)[0];
}

function ascending(one: number, other: number): number {
  return one - other;
}
