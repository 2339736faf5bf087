/** How long ordinary work takes next to everything else: instances that are started at a steady pace, from the request to their end. */
import { setTimeout as pause } from 'node:timers/promises';
import { endEvent, processModel, scriptTask, startEvent } from '@perdure/testkit/models';
import { deployModel } from './operators/deploy.js';
import type { Operator } from './operators/operator.js';

const BETWEEN_STARTS_MS = 200;
const BETWEEN_LOOKS_MS = 10;
/** More at once would be what is slow: each looks a hundred times a second. */
const MAX_OPEN = 20;
const model = processModel(
  'probe',
  [startEvent('begin'), scriptTask('add', '=1 + 1', 'two'), endEvent('end')],
  ['p1: begin -> add', 'p2: add -> end'],
);

export class Probe {
  readonly #operator: Operator;
  readonly #work: Promise<unknown>;
  readonly #times = new Map<string, number[]>();
  #phase: string | undefined;
  #started = 0;
  #isStopping = false;

  constructor(operator: Operator) {
    this.#operator = operator;
    this.#work = this.#run();
  }

  /** Samples from now on belong to this phase, or to none if undefined. */
  enter(phase: string | undefined): void {
    this.#phase = phase;
  }

  async finish(): Promise<void> {
    this.#isStopping = true;
    await this.#work;
  }

  /** Milliseconds; undefined before anything was measured in the phase. */
  p99(phase: string): number | undefined {
    const times = this.#times.get(phase)?.toSorted((one, other) => one - other);
    return times?.[Math.ceil(times.length * 0.99) - 1];
  }

  count(phase: string): number {
    return this.#times.get(phase)?.length ?? 0;
  }

  async #run(): Promise<void> {
    const { id } = await deployModel(this.#operator.caller, this.#operator.projectID, 'probe', model);
    const open = new Set<Promise<void>>();
    for (let due = performance.now(); !this.#isStopping; due += BETWEEN_STARTS_MS) {
      while (open.size >= MAX_OPEN) await Promise.race(open);
      const measured = this.#measure(id, due).finally(() => open.delete(measured));
      open.add(measured);
      await pause(Math.max(0, due + BETWEEN_STARTS_MS - performance.now()));
    }
    await Promise.all(open);
  }

  /** @param due when it begins at the steady pace; those that have to wait for others count from then on */
  async #measure(definitionID: string, due: number): Promise<void> {
    const phase = this.#phase;
    this.#started += 1;
    const workflowID = await this.#operator.start(definitionID, `probe-${this.#started}`, {});
    for (;;) {
      const { status } = await this.#operator.look(workflowID);
      if (status !== 'RUNNING') break;
      await pause(BETWEEN_LOOKS_MS);
    }
    if (phase !== undefined) this.#times.set(phase, [...(this.#times.get(phase) ?? []), performance.now() - due]);
  }
}
