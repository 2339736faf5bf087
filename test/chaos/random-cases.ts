/** R2: random models on random paths, each in its own project, step by step the same as the oracle and the engine alone. */
import { playThroughRest, type Manner } from '../conformance/play-through-rest.js';
import type { SendToProject } from '../conformance/rest.js';
import { recordPath } from '../engine/random/record.js';
import type { Caller } from './caller.js';
import { isYes } from './operators/operator.js';
import type { Violations } from './violations.js';
import type { World } from './world.js';

const LANES = 3;
const MAX_STIMULI = 12;
/** The only account with access to a new project. */
const ACCOUNT = 'system-admin';
const manner: Manner = { patience: 15 * 60_000, betweenLooks: 500, anyOrder: true };
/** Stimuli that would have another effect if they were repeated. */
const onceAlone = new Set(['/bpmn/instances', '/bpmn/messages', '/bpmn/signals']);
/** How anything else is refused that an earlier, unanswered attempt has done. */
const DONE_BEFORE = new Set([404, 409]);

export class RandomCases {
  #next: number;
  #played = 0;
  #stimuli = 0;
  #isStopping = false;
  readonly #violations: Violations;
  readonly #work: Promise<unknown>;

  constructor(world: World, violations: Violations, seed: number) {
    this.#next = seed;
    this.#violations = violations;
    this.#work = Promise.all(Array.from({ length: LANES }, (_, lane) => this.#run(world.caller(ACCOUNT, lane))));
  }

  /** Every case that has begun ends. */
  async finish(): Promise<void> {
    this.#isStopping = true;
    await this.#work;
  }

  get summary(): string {
    return `${this.#played} random models with ${this.#stimuli} steps`;
  }

  async #run(caller: Caller): Promise<void> {
    while (!this.#isStopping) {
      const seed = this.#next;
      this.#next += 1;
      await this.#violations.around('R2', `the random model of seed ${seed}`, this.#play(caller, seed));
    }
  }

  async #play(caller: Caller, seed: number): Promise<void> {
    const given = await recordPath(seed, MAX_STIMULI);
    if (!given) return;
    const { body: project } = await caller.send('POST', '/projects', { name: `random model ${seed}` });
    await playThroughRest(sendTo(caller, project.id), given, manner);
    this.#played += 1;
    this.#stimuli += given.play?.length ?? 0;
  }
}

/** Each request has its effect once, however many answers get lost. */
function sendTo(caller: Caller, projectID: string): SendToProject {
  let sent = 0;
  return async (method, path, json, headers) => {
    sent += 1;
    const key: Record<string, string> =
      method === 'POST' && onceAlone.has(path) ? { 'Idempotency-Key': `request-${sent}` } : {};
    const { lost, ...answer } = await caller.send(method, `/projects/${projectID}${path}`, json, {
      ...headers,
      ...key,
    });
    return !isYes(answer) && lost > 0 && DONE_BEFORE.has(answer.status) ? { status: 200, body: undefined } : answer;
  };
}
