/**
 * A tenant whose models ask for more than an instance may have, one after the other in their own projects. Whatever the outcome
 * of a model, everything can be read, and a cancel takes effect (R21).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ConformanceCase } from '../conformance/case.js';
import { RestDriver, type SendToProject } from '../conformance/rest.js';
import { hostileModels, type HostileModel } from '../support/hostile-models.js';
import type { Answer, Caller } from './caller.js';
import type { SeenCancel } from './cancel-trace.js';
import type { Violations } from './violations.js';
import type { World } from './world.js';

const LANES = 2;
/** The only account with access to a new project. */
const ACCOUNT = 'system-admin';
/** How long a model may work before it is canceled. */
const REIGN_MS = 3000;
const MAX_ATTEMPTS = 5;
const BETWEEN_ATTEMPTS_MS = 250;
const BETWEEN_LOOKS_MS = 100;
/** Reads of an instance. */
const VIEWS = ['', '/history?pageSize=100', '/timeline?pageSize=100', '/children', '/suspension'];

interface HostileOptions {
  violations: Violations;
  /** Milliseconds from a cancel that was answered to the end; longer where things break. */
  patience: number;
}

export class Hostile {
  readonly #violations: Violations;
  readonly #patience: number;
  readonly #lanes: Promise<unknown>;
  #played = 0;
  #canceled = 0;
  #next = 0;
  #isResting = false;
  #isStopping = false;
  readonly #late: SeenCancel[] = [];
  #slowestCancelMs = 0;
  #working = 0;

  constructor(world: World, { violations, patience }: HostileOptions) {
    this.#violations = violations;
    this.#patience = patience;
    this.#lanes = Promise.all(Array.from({ length: LANES }, (_, lane) => this.#run(world.caller(ACCOUNT, lane))));
  }

  /** Nothing new begins until `resume`; what has begun ends first. */
  async rest(): Promise<void> {
    this.#isResting = true;
    while (this.#working > 0) await pause(BETWEEN_LOOKS_MS);
  }

  resume(): void {
    this.#isResting = false;
  }

  /** Every model that has begun ends. */
  async finish(): Promise<void> {
    this.#isStopping = true;
    await this.#lanes;
  }

  get summary(): string {
    return `${this.#played} hostile models, ${this.#canceled} instances of theirs canceled, the slowest in ${this.#slowestCancelMs} ms`;
  }

  /** Cancels that took effect later than they may. */
  get late(): readonly SeenCancel[] {
    return this.#late;
  }

  async #run(caller: Caller): Promise<void> {
    while (!this.#isStopping) {
      if (this.#isResting) {
        await pause(BETWEEN_LOOKS_MS);
        continue;
      }
      const model = hostileModels[this.#next % hostileModels.length]!;
      this.#next += 1;
      this.#working += 1;
      await this.#violations.around('R21', model.title, this.#play(caller, model));
      this.#working -= 1;
    }
  }

  async #play(caller: Caller, model: HostileModel): Promise<void> {
    const project = await this.#ask(caller, 'POST', '/projects', { name: `hostile ${this.#next}` });
    const send = this.#sendTo(caller, project.body.id as string);
    const driver = new RestDriver(send, {
      ...model,
      shows: model.title,
      section: '',
      outcome: [],
    } satisfies ConformanceCase);
    await driver.begin().catch(ignoreRefusal);
    for (const stimulus of model.play ?? []) await driver.apply(stimulus).catch(ignoreRefusal);
    await pause(REIGN_MS);
    await this.#endAll(send, model.title);
    this.#played += 1;
  }

  /** Signals and messages of a canceled instance may have started others in the meantime. */
  async #endAll(send: SendToProject, title: string): Promise<void> {
    for (;;) {
      const { body } = await send('GET', '/bpmn/instances?pageSize=100&status=RUNNING');
      const running = (body.data as { workflowID: string }[]).map(({ workflowID }) => workflowID);
      if (running.length === 0) return;
      for (const workflowID of running) await this.#end(send, workflowID, title);
    }
  }

  async #end(send: SendToProject, workflowID: string, title: string): Promise<void> {
    const path = `/bpmn/instances/${workflowID}`;
    for (const view of VIEWS) await send('GET', path + view);
    const asked = Date.now();
    const { status } = await send('DELETE', path);
    const answered = Date.now();
    // One above it may have been canceled a moment earlier.
    if (status >= 300 && status !== 409)
      this.#violations.add('R21', `${title}: the cancel of ${workflowID} was answered ${status}`);
    for (;;) {
      const { body } = await send('GET', path);
      const ended = Date.now();
      const took = ended - asked;
      if (body.status !== 'RUNNING') {
        this.#canceled += 1;
        this.#slowestCancelMs = Math.max(this.#slowestCancelMs, took);
        if (took > this.#patience) this.#late.push({ title, workflowID, asked, answered, ended });
        return;
      }
      if (took > 10 * this.#patience)
        throw new Error(`${workflowID} is still running ${took} ms after it was canceled`);
      await pause(BETWEEN_LOOKS_MS);
    }
  }

  #sendTo(caller: Caller, projectID: string): SendToProject {
    return (method, path, json, headers) => this.#ask(caller, method, `/projects/${projectID}${path}`, json, headers);
  }

  /** A request that is never answered, or by nothing but 5xx, is wrong; one that is refused is not. */
  async #ask(
    caller: Caller,
    method: string,
    path: string,
    json?: object,
    headers?: Record<string, string>,
  ): Promise<Answer> {
    const deadline = Date.now() + 10 * this.#patience;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS || Date.now() < deadline; attempt += 1) {
      const answer = await caller.attempt(method, path, json, headers);
      if (answer) return answer;
      await pause(BETWEEN_ATTEMPTS_MS);
    }
    throw new Error(`${method} ${path} was not answered`);
  }
}

/** A stimulus that comes when the model has ended already is refused; what goes unanswered is not. */
function ignoreRefusal(error: unknown): void {
  if (error instanceof Error && error.message.endsWith('was not answered')) throw error;
}
