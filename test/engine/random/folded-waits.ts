/** The waits of an instance, from its facts alone: no state of the engine, one map of open waits. */
import { expect } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Model } from '@perdure/engine/model/model.js';
import { openWaits, type OpenWait } from '@perdure/engine/state/open-waits.js';
import type { MemoryInstance } from '../../../packages/testkit/memory-host.js';

interface Active {
  node: string;
  scope: number;
  at: number;
  inside: number;
  /** An ad-hoc sub-process that takes triggers. */
  takes: boolean;
  /** Flows whose tokens started a complex gateway inside. */
  taken: Map<string, string[]>;
}

interface Token {
  flow: string;
  scope: number;
  at: number;
}

export class FoldedWaits {
  readonly #open = new Map<number, { element: number; wait: OpenWait }>();
  readonly #active = new Map<number, Active>();
  /** Conditions whose evaluation failed, by their incidents: only those are shown. */
  readonly #failed = new Map<number, { element: number; wait: OpenWait }>();
  #moving: Token[] = [];
  #arrived: Token[] = [];
  #isOver = false;
  #begun: number | undefined;
  #steps = 0;

  /** The model that the instance runs; a migration replaces it. */
  model: Model;

  constructor(model: Model) {
    this.model = model;
  }

  /** Folds the steps that it has not folded yet. */
  take(steps: readonly { now: number; facts: readonly Fact[] }[]): void {
    for (const { now, facts } of steps.slice(this.#steps)) for (const fact of facts) this.#fold(fact, now);
    this.#steps = steps.length;
  }

  get waits(): OpenWait[] {
    if (this.#isOver) return [];
    const { model } = this;
    const found = [...this.#open.values()].map(({ wait }) => wait);
    const targetOf = ({ flow, scope }: Token) => `${scope} ${model.flow(flow).target}`;
    for (const [index, first] of this.#arrived.entries()) {
      const together = this.#arrived.filter((token) => targetOf(token) === targetOf(first));
      if (together[0] !== this.#arrived[index]) continue;
      const node = model.flow(first.flow).target;
      const there = together.map(({ flow }) => flow);
      const taken = this.#active.get(first.scope)!.taken.get(node) ?? [];
      const missingFlows = model.node(node).incoming.filter((flow) => !there.includes(flow) && !taken.includes(flow));
      found.push({ kind: 'join', node, scope: first.scope, since: first.at, missingFlows });
    }
    for (const [id, { node, scope, at, inside, takes }] of this.#active) {
      const isAtIncident = [...this.#open.values()].some(
        ({ element, wait }) => element === id && wait.kind === 'incident' && wait.node === node,
      );
      if (takes && inside === 0 && !isAtIncident) found.push({ kind: 'adHoc', id, node, scope, since: at });
    }
    if (found.length === 0) found.push({ kind: 'begin', ...(this.#begun !== undefined && { since: this.#begun }) });
    return found;
  }

  #fold(fact: Fact, now: number): void {
    switch (fact.kind) {
      case 'JOB_CREATED':
        return this.#listen(fact.job, fact, now, { kind: 'job', ...(fact.listener && { listener: fact.listener }) });
      case 'USER_TASK_CREATED':
        return this.#listen(fact.task, fact, now, { kind: 'userTask' });
      case 'TIMER_STARTED': {
        const repeats = fact.remaining === undefined ? {} : { repeats: fact.remaining };
        return this.#listen(fact.timer, fact, now, { kind: 'timer', due: fact.due, ...repeats });
      }
      case 'TIMER_CHANGED':
        return void Object.assign(this.#open.get(fact.timer)!.wait, { due: fact.due });
      case 'TICKS_MISSED': {
        const { wait } = this.#open.get(fact.timer)!;
        return void Object.assign(wait, {
          due: fact.due,
          ...(fact.remaining !== undefined && { repeats: fact.remaining }),
        });
      }
      case 'SUBSCRIPTION_OPENED': {
        const correlation = fact.correlation === undefined ? {} : { correlation: fact.correlation };
        return this.#listen(fact.subscription, fact, now, { kind: fact.type, name: fact.name, ...correlation });
      }
      case 'CONDITION_OPENED': {
        const node = this.model.node(fact.node) as { triggers?: readonly { text?: string }[] };
        const expression = node.triggers?.[fact.trigger]?.text;
        return this.#listen(fact.condition, fact, now, {
          kind: 'condition',
          ...(expression !== undefined && { expression }),
        });
      }
      case 'DECISION_REQUESTED':
        return this.#listen(fact.decision, fact, now, { kind: 'decision' });
      case 'CHILD_CALLED':
        return this.#listen(fact.child, fact, now, { kind: 'call', workflowID: fact.workflowID });
      case 'INCIDENT_RAISED': {
        const at = this.#active.get(fact.element)!;
        const own = fact.element !== 1 && at.node === fact.node ? at.scope : fact.element;
        const scope = this.#fail(fact)?.wait.scope ?? own;
        const wait = { kind: 'incident', id: fact.incident, node: fact.node, scope, since: now } as const;
        return void this.#open.set(fact.incident, {
          element: fact.element,
          wait: { ...wait, errorType: fact.errorType },
        });
      }
      case 'INCIDENT_RESOLVED':
      case 'INCIDENT_WITHDRAWN':
        this.#recover(fact.incident);
        return this.#close(fact.incident);
      case 'JOB_COMPLETED':
      case 'JOB_FAILED':
      case 'JOB_CANCELED':
        return this.#close(fact.job);
      case 'USER_TASK_COMPLETED':
      case 'USER_TASK_FAILED':
      case 'USER_TASK_CANCELED':
        return this.#close(fact.task);
      case 'TIMER_FIRED':
      case 'TIMER_CANCELED':
        return this.#close(fact.timer);
      case 'SUBSCRIPTION_CLOSED':
        return this.#close(fact.subscription);
      case 'CONDITION_CLOSED':
        return this.#close(fact.condition);
      case 'DECISION_EVALUATED':
      case 'DECISION_FAILED':
      case 'DECISION_CANCELED':
        return this.#close(fact.decision);
      case 'CHILD_ENDED':
      case 'CHILD_CANCELED':
        return this.#close(fact.child);
      case 'ELEMENT_ACTIVATED':
        return this.#activate(fact, now);
      case 'ELEMENT_COMPLETED':
        for (const flow of fact.flows ?? [])
          this.#move({ flow, scope: this.#active.get(fact.element)!.scope, at: now });
        return this.#end(fact.element);
      case 'ELEMENT_CANCELED':
      case 'ELEMENT_FAILED':
        return this.#end(fact.element);
      case 'ELEMENT_DATA_SET':
        return this.#remember(fact);
      case 'TOKEN_ARRIVED':
        return void this.#arrived.push({ ...this.#moving.shift()!, at: now });
      case 'TOKEN_CANCELED': {
        const tokens = this.#arrived.some((token) => isSame(token, fact)) ? this.#arrived : this.#moving;
        tokens.splice(
          tokens.findIndex((token) => isSame(token, fact)),
          1,
        );
        this.#active.get(fact.scope)!.inside -= 1;
        return;
      }
      case 'TOKENS_DROPPED': {
        const left = (tokens: Token[]) => tokens.filter(({ scope }) => scope !== fact.scope);
        const before = this.#moving.length + this.#arrived.length;
        this.#moving = left(this.#moving);
        this.#arrived = left(this.#arrived);
        this.#active.get(fact.scope)!.inside -= before - this.#moving.length - this.#arrived.length;
        return;
      }
      case 'INSTANCE_COMPLETED':
      case 'INSTANCE_CANCELED':
      case 'INSTANCE_FAILED':
        this.#isOver = true;
    }
  }

  #listen(
    id: number,
    { element, node }: { element: number; node: string },
    since: number,
    own: { kind: OpenWait['kind']; [member: string]: unknown },
  ): void {
    const scope = this.model.node(node).kind === 'startEvent' ? element : this.#active.get(element)!.scope;
    this.#open.set(id, { element, wait: { ...own, id, node, scope, since } as OpenWait });
  }

  #close(id: number): void {
    this.#open.delete(id);
  }

  #fail({ incident, condition = 0 }: Extract<Fact, { kind: 'INCIDENT_RAISED' }>) {
    const failed = this.#open.get(condition);
    if (failed) this.#failed.set(incident, failed);
    this.#open.delete(condition);
    return failed;
  }

  #recover(incident: number): void {
    const failed = this.#failed.get(incident);
    if (failed) this.#open.set(failed.wait.id!, failed);
    this.#failed.delete(incident);
  }

  #activate(fact: Extract<Fact, { kind: 'ELEMENT_ACTIVATED' }>, at: number): void {
    const { element, node, scope, token, joined = [] } = fact;
    if (element === 1) this.#begun = at;
    this.#active.set(element, { node, scope, at, inside: 0, takes: false, taken: new Map() });
    const around = this.#active.get(scope);
    if (around) around.inside += 1 - (token ? 1 : 0) - joined.length;
    if (token) this.#moving.shift();
    for (const flow of joined)
      this.#arrived.splice(
        this.#arrived.findIndex((arrived) => isSame(arrived, { flow, scope })),
        1,
      );
  }

  #end(element: number): void {
    const around = this.#active.get(this.#active.get(element)!.scope);
    if (around) around.inside -= 1;
    this.#active.delete(element);
  }

  #move(token: Token): void {
    this.#moving.push(token);
    this.#active.get(token.scope)!.inside += 1;
  }

  #remember({ element, data }: Extract<Fact, { kind: 'ELEMENT_DATA_SET' }>): void {
    const active = this.#active.get(element)!;
    const its = this.model.node(active.node);
    if (its.kind === 'adHocSubProcess' && !its.job && data['entered'] === true) active.takes = true;
    if ((data['listening'] as { event?: string } | undefined)?.event === 'end') active.takes = false;
    for (const [key, flows] of Object.entries(data))
      if (key.startsWith('reset:')) active.taken.set(key.slice('reset:'.length), (flows as string[] | null) ?? []);
  }
}

function isSame(token: { flow: string; scope: number }, other: { flow: string; scope: number }): boolean {
  return token.flow === other.flow && token.scope === other.scope;
}

const folds = new WeakMap<MemoryInstance, FoldedWaits>();

/** An idle instance has the waits that follow from its facts, and at least one. */
export function expectWaits(instance: MemoryInstance, where: string): OpenWait[] {
  const { model, state, steps } = instance;
  const fold = folds.get(instance) ?? new FoldedWaits(model);
  folds.set(instance, fold);
  fold.model = model;
  fold.take(steps);
  const found = openWaits(model, state);
  expect(sorted(found), `${where}: waits`).toEqual(sorted(fold.waits));
  if (state.status === 'RUNNING') expect(found.length, `${where}: nothing is waited for`).toBeGreaterThan(0);
  const times = found.map(({ since }) => since ?? 0);
  expect(times, `${where}: longest first`).toEqual(times.toSorted((a, b) => a - b));
  return found;
}

function sorted(waits: readonly OpenWait[]): OpenWait[] {
  const keyed = waits.map((wait) => ({ key: `${wait.kind} ${wait.scope} ${wait.node} ${wait.id}`, wait }));
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ wait }) => wait);
}
