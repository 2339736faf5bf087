/**
 * Pauses what others work on: an order that is under way, or a whole definition. Events that must not happen in the meantime (R9) are
 * found by the order of events in this process: a pause holds from its acknowledgement until its end is asked for.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../engine/random/random.js';
import type { Caller } from '../caller.js';
import { standingOf, standingOfDefinition, type Standing, type Standstill } from '../standstill.js';
import type { Moments, Violations } from '../violations.js';
import { isYes, type Action, type Operator } from './operator.js';
import type { PooledDatabase } from '../../../store/connections/pooled-database.js';

/** Of an instance and all below it. */
export interface Pause {
  workflowID: string;
  from: number;
  to: number;
}

/** A pause or resume of a definition. */
export interface DefinitionChange {
  definitionID: string;
  suspended: boolean;
  reason: string;
}

export interface PauserOptions {
  operator: Operator;
  starter: Caller;
  /** Definitions that are started all the time. */
  definitions: readonly string[];
  /** The workflowID of an instance that was started lately. */
  latest(): string | undefined;
  moments: Moments;
  /** Looked into, to see how far instances are. */
  store: PooledDatabase;
  violations: Violations;
  random: Random;
}

export class Pauser {
  readonly pauses: Pause[] = [];
  readonly changes: DefinitionChange[] = [];
  readonly standstills: Standstill[] = [];
  readonly #options: PauserOptions;
  #isStopping = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: PauserOptions) {
    this.#options = options;
    this.#work = this.#run();
  }

  async finish(): Promise<void> {
    this.#isStopping = true;
    await this.#work;
  }

  get actions(): readonly Action[] {
    return this.#options.operator.actions;
  }

  get summary(): string {
    return `${this.pauses.length + this.changes.length / 2} pauses`;
  }

  async #run(): Promise<void> {
    const { random, violations } = this.#options;
    for (let number = 1; !this.#isStopping; number += 1) {
      const work = random.chance(0.7)
        ? this.#pauseInstance(`pauser ${number}`)
        : this.#pauseDefinition(`pauser ${number}`);
      await violations.around('R9', `pause ${number}`, work);
      await pause(500 + random.below(2000));
    }
  }

  async #pauseInstance(reason: string, meanwhile: () => Promise<void> = () => this.#rest()): Promise<void> {
    const { operator, moments, latest, store } = this.#options;
    const workflowID = latest();
    if (workflowID === undefined) return meanwhile();
    const suspended = await operator.ask({ workflowID, kind: 'SUSPEND', method: 'POST', path: '/suspend', reason });
    const from = moments.next();
    await this.#watch(workflowID, isYes(suspended), () => standingOf(store, workflowID), meanwhile);
    if (isYes(suspended)) await this.#expectPaused(workflowID, reason);
    const to = moments.next();
    if (!isYes(suspended)) return;
    this.pauses.push({ workflowID, from, to });
    await operator.ask({ workflowID, kind: 'RESUME', method: 'POST', path: '/resume', reason });
  }

  /** An instance that is paused directly stays so when its definition is resumed. */
  async #pauseDefinition(reason: string): Promise<void> {
    const { definitions, random, store } = this.#options;
    const definitionID = random.pick(definitions);
    await this.#pauseInstance(reason, async () => {
      await this.#change(definitionID, true, reason);
      await this.#watch(
        `definition ${definitionID}`,
        true,
        () => standingOfDefinition(store, definitionID),
        async () => {
          await this.#expectNoStart(definitionID);
          await this.#rest();
        },
      );
      await this.#change(definitionID, false, reason);
    });
  }

  /** Looks at what is paused before and after `meanwhile`. */
  async #watch(
    what: string,
    isPaused: boolean,
    look: () => Promise<Standing | undefined>,
    meanwhile: () => Promise<void>,
  ): Promise<void> {
    const before = isPaused ? await look() : undefined;
    await meanwhile();
    const after = before && (await look());
    if (before && after) this.standstills.push({ what, before, after });
  }

  async #change(definitionID: string, suspended: boolean, reason: string): Promise<void> {
    const { operator } = this.#options;
    const path = `/projects/${operator.projectID}/bpmn/definitions/${definitionID}/${suspended ? 'suspend' : 'resume'}`;
    const { status } = await operator.caller.send('POST', path, { reason });
    if (status !== 204) throw new Error(`POST ${path} was answered ${status}`);
    this.changes.push({ definitionID, suspended, reason });
  }

  async #expectNoStart(processDefinitionID: string): Promise<void> {
    const { operator, starter, violations } = this.#options;
    const answer = await starter.attempt('POST', `/projects/${operator.projectID}/bpmn/instances`, {
      processDefinitionID,
    });
    if (answer)
      violations.check(
        'R9',
        answer.body?.code === 'DEFINITION_SUSPENDED',
        () =>
          `a start of the paused definition ${processDefinitionID} was answered ${answer.status} ${answer.body?.code}`,
      );
  }

  async #expectPaused(workflowID: string, reason: string): Promise<void> {
    const { operator, violations } = this.#options;
    const { status, instanceSuspension } = await operator.look(workflowID);
    violations.check(
      'R9',
      status === 'RUNNING' && instanceSuspension?.reason === reason,
      () => `${workflowID} was paused by "${reason}"; it is ${status}, paused by "${instanceSuspension?.reason}"`,
    );
  }

  #rest(): Promise<void> {
    return pause(200 + this.#options.random.below(3000));
  }
}
