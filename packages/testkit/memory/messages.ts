/** Messages and signals, as the store delivers them: to subscriptions, to start events, or to a buffer. */
import type { CommandOutcome } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { entryPoints } from '@perdure/engine/model/entry-points.js';
import { evaluate } from '@perdure/feel/evaluate.js';
import { arrivedTogether, matches, Subscribers, type Publication, type Subscriber } from './correlation.js';
import type { Deployed } from './deployments.js';
import type { HostServices } from './host-services.js';
import type { MemoryInstance } from './instance.js';

/** A start event, or an equivalent entry point. */
interface Start {
  process: Deployed;
  node: string;
  trigger: number;
  together?: true;
}

export class Messages {
  readonly #host: HostServices;
  readonly #subscribers = new Subscribers();
  readonly #buffered: Publication[] = [];
  /** Messages delivered to instances that cannot take them while paused, by id. */
  readonly #given = new Map<string, Publication>();
  #published = 0;

  constructor(host: HostServices) {
    this.#host = host;
  }

  publishMessage(name: string, correlation: Json | undefined, variables: Variables, ttl: number): void {
    this.#offer({
      ...this.#newPublication('message', name, variables, ttl),
      ...(correlation !== undefined && { correlation }),
    });
  }

  throwSignal(name: string, variables: Variables, ttl: number): void {
    const signal = this.#newPublication('signal', name, variables, ttl);
    for (const subscriber of this.#subscribers.oldestFirst(this.#host.instances))
      if (matches(signal, subscriber.wait)) this.#give(subscriber, signal);
    for (const start of this.#startsOf(signal))
      if (!this.#startBy(signal, start)) signal.deferredFor.add(start.process.processID);
    if (ttl > 0) this.#buffered.push(signal);
  }

  /** Starts an instance at every conditional start event whose condition is true with the variables. */
  evaluateConditions(variables: Variables): void {
    const { now } = this.#host;
    for (const process of this.#host.deployments.newest().values()) {
      for (const { node, trigger, what } of entryPoints(process.model, now)) {
        if (what.kind !== 'conditional') continue;
        const condition = process.model.resolve(what.condition);
        const outcome =
          'literal' in condition
            ? { ok: true, value: condition.literal }
            : evaluate(condition.compiled, variables, { now, mode: 'strict' });
        if (outcome.ok && outcome.value === true)
          this.#host.begin(process, { variables, startNode: node, startTrigger: trigger });
      }
    }
  }

  /** Notes the subscriptions that a step opened. */
  note(workflowID: string, facts: readonly Fact[]): void {
    this.#subscribers.note(workflowID, facts);
  }

  /** Notes the subscriptions of an opened instance, in the order in which it opened them. */
  open({ workflowID, state }: MemoryInstance): void {
    this.#subscribers.open(workflowID, Object.values(state.waits));
  }

  /** A subscription that has just opened takes what was buffered for it. */
  catchUp(instance: MemoryInstance): void {
    for (const subscriber of this.#subscribers.oldestFirst([[instance.workflowID, instance]])) {
      const { wait } = subscriber;
      const kept = this.#unexpired().find(
        (publication) => matches(publication, wait) && !publication.reached.has(instance.workflowID),
      );
      if (!kept || instance.state.waits[wait.id] !== wait) continue;
      if (this.#give(subscriber, kept) && kept.type === 'message') this.#remove(kept);
    }
  }

  /** A message that was delivered to an instance during a pause and not taken in the end is offered to others. */
  release(instance: MemoryInstance, outcomes: readonly CommandOutcome[]): void {
    for (const { number, status } of outcomes) {
      const command = instance.deferred.get(number);
      instance.deferred.delete(number);
      if (command?.kind !== 'CORRELATE_MESSAGE') continue;
      const message = this.#given.get(command.publicationID);
      this.#given.delete(command.publicationID);
      if (message && status === 'REJECTED') this.#offer(message);
    }
  }

  /** Publications that were buffered for a process that was not deployed, or suspended, may start it now. */
  offerBuffered(): void {
    for (const publication of this.#unexpired()) {
      if (publication.type === 'message') {
        if (this.#startByMessage(publication)) this.#remove(publication);
        continue;
      }
      for (const start of this.#startsOf(publication)) {
        if (publication.deferredFor.has(start.process.processID) && this.#startBy(publication, start))
          publication.deferredFor.delete(start.process.processID);
      }
    }
  }

  #newPublication(type: Publication['type'], name: string, variables: Variables, ttl: number): Publication {
    this.#published += 1;
    return {
      id: `${type[0]}${this.#published}`,
      type,
      name,
      variables,
      expires: this.#host.now + ttl,
      reached: new Set(),
      deferredFor: new Set(),
    };
  }

  #offer(message: Publication): void {
    for (const subscriber of this.#subscribers.oldestFirst(this.#host.instances)) {
      if (matches(message, subscriber.wait) && this.#give(subscriber, message)) return;
    }
    if (!this.#startByMessage(message) && message.expires > this.#host.now) this.#buffered.push(message);
  }

  /** @returns whether it is taken, or will be when the instance is resumed */
  #give({ instance, wait }: Subscriber, publication: Publication): boolean {
    const { id, type, variables, reached } = publication;
    reached.add(instance.workflowID);
    const kind = type === 'message' ? 'CORRELATE_MESSAGE' : 'DELIVER_SIGNAL';
    const isDeferred = this.#host.pauses.isPaused(instance, this.#host.instances);
    if (isDeferred && type === 'message') this.#given.set(id, publication);
    const outcome = this.#host.send(instance, { kind, execution: wait.id, publicationID: id, variables });
    return outcome === undefined || outcome.status === 'APPLIED';
  }

  /** The start events at which it would start a process, in the order of deployment. */
  #startsOf({ type, name }: Publication): Start[] {
    return [...this.#host.deployments.newest().values()].flatMap((process) =>
      entryPoints(process.model, this.#host.now).flatMap(({ node, trigger, together, what }) =>
        what.kind === type && what.name === name ? [{ process, node, trigger, ...(together && { together }) }] : [],
      ),
    );
  }

  /** One process takes it, the first that is not suspended. */
  #startByMessage(message: Publication): boolean {
    return this.#startsOf(message).some((start) => this.#startBy(message, start));
  }

  /** @returns false if the process is suspended, or other events must occur too */
  #startBy(publication: Publication, start: Start): boolean {
    const { process, node, trigger, together } = start;
    if (this.#host.pauses.hasDefinition(process.model)) return false;
    if (together) return this.#startTogether(publication, start);
    this.#host.begin(process, {
      variables: {},
      startNode: node,
      startTrigger: trigger,
      payload: publication.variables,
    });
    return true;
  }

  /** A parallel multiple start event starts an instance once a publication is buffered for each of its triggers. */
  #startTogether(publication: Publication, { process, node }: Start): boolean {
    const wanted = entryPoints(process.model, this.#host.now).flatMap(({ node: other, what }) =>
      other === node && (what.kind === 'message' || what.kind === 'signal')
        ? [{ type: what.kind, name: what.name }]
        : [],
    );
    const place = `${process.processID} ${node}`;
    const arrived = arrivedTogether(wanted, publication, this.#unexpired(), place);
    if (!arrived) return false;
    for (const each of arrived) {
      if (each.type === 'signal') each.reached.add(place);
      else if (each !== publication) this.#remove(each);
    }
    const payload = Object.assign({}, ...arrived.map(({ variables }) => variables)) as Variables;
    this.#host.begin(process, { variables: {}, startNode: node, payload });
    return true;
  }

  #unexpired(): Publication[] {
    return this.#buffered.filter(({ expires }) => expires > this.#host.now);
  }

  #remove(publication: Publication): void {
    this.#buffered.splice(this.#buffered.indexOf(publication), 1);
  }
}
