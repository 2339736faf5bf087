/** Plays a case on the engine alone, in virtual time. It runs in Node.js and in browsers. */
import { compile } from '@perdure/bpmn/compile/compile.js';
import { entryPoints } from '@perdure/engine/model/entry-points.js';
import { modelOf } from '@perdure/engine/model/model.js';
import { nextTick } from '@perdure/engine/time/cron.js';
import { planStartTimer, type StartTimerPlan } from '@perdure/engine/time/start-timer.js';
import { Decisions } from '../../packages/testkit/decisions.js';
import { TestInstance } from '../../packages/testkit/instance.js';
import { MemoryHost, type MemoryInstance } from '../../packages/testkit/memory-host.js';
import { expectAllowedSize } from '../../packages/testkit/payload-limit.js';
import type { ConformanceCase, Stimulus } from './case.js';

export class MemoryPlayer {
  readonly host = new MemoryHost();
  readonly #case: ConformanceCase;
  /** Ticks of timers that start a process; `at` in epoch milliseconds. */
  #starts: { at: number; start(): void }[] = [];

  constructor(given: ConformanceCase) {
    this.#case = given;
  }

  async begin(): Promise<void> {
    const { files, decisions, startsItself, variables, clock } = this.#case;
    for (const file of [files].flat()) {
      await this.host.deploy(file);
      await this.#planStarts(file);
    }
    if (decisions !== undefined) this.#deployDecisions(decisions);
    if (!startsItself) this.host.start('p', { ...variables, ...clock?.(this.host.now) });
  }

  async apply(stimulus: Stimulus): Promise<void> {
    const { host } = this;
    switch (stimulus.kind) {
      case 'completeJob':
        return void host.completeJob(
          this.#waiting('job', stimulus.node),
          stimulus.node,
          stimulus.variables,
          stimulus.result,
        );
      case 'failJob':
        return void host.throwJobError(
          this.#waiting('job', stimulus.node),
          stimulus.node,
          stimulus.errorCode,
          stimulus.variables,
        );
      case 'completeTask':
        return this.#testInstance(this.#waiting('userTask', stimulus.node))
          .task(stimulus.node)
          .complete(stimulus.variables);
      case 'failTask':
        return this.#testInstance(this.#waiting('userTask', stimulus.node))
          .task(stimulus.node)
          .throwError(stimulus.errorCode);
      case 'resolve':
        return this.#testInstance(
          this.#instance((instance) => host.incidents(instance).some(({ node }) => node === stimulus.node)),
        ).resolveIncident(stimulus.node, stimulus.variables);
      case 'message':
        expectAllowedSize(stimulus.variables);
        return host.publishMessage(stimulus.name, stimulus.key, stimulus.variables, stimulus.ttl);
      case 'signal':
        return host.throwSignal(stimulus.name, stimulus.variables, stimulus.ttl);
      case 'setVariables':
        return this.#testInstance(this.#first()).setVariables(stimulus.variables);
      case 'conditions':
        return host.evaluateConditions(stimulus.variables);
      case 'triggerAdHoc':
        return this.#testInstance(this.#first()).triggerAdHoc(stimulus.node, stimulus.inside);
      case 'setAdHocVariables':
        return void host.command(this.#first(), {
          kind: 'SET_AD_HOC_VARIABLES',
          node: stimulus.node,
          variables: stimulus.variables,
        });
      case 'timePasses':
        host.advance(stimulus.ms);
        return this.#startDue();
      case 'start':
        expectAllowedSize(stimulus.variables);
        return void host.start(stimulus.process, stimulus.variables);
      case 'cancel':
        return this.#testInstance(this.#first(stimulus.process)).cancel(stimulus.reason);
      case 'migrate': {
        const instance = this.#first('p');
        await host.deploy(stimulus.file);
        return this.#testInstance(instance).migrate(stimulus.mappings, stimulus.variables);
      }
      case 'refused':
        return this.#refused(stimulus.stimulus);
      case 'duringPause':
        return stimulus.definition === undefined
          ? this.#duringPause(this.#first(), stimulus.stimuli)
          : this.#duringPauseOf(stimulus.definition, stimulus.stimuli);
    }
  }

  /** The instance as a test of a process has it, with the refusals of the REST API. */
  #testInstance(instance: MemoryInstance): TestInstance {
    return new TestInstance(this.host, instance, () => {
      throw new Error('no case continues in a called instance');
    });
  }

  async #refused(stimulus: Stimulus): Promise<void> {
    const isApplied = await this.apply(stimulus).then(
      () => true,
      () => false,
    );
    if (isApplied) throw new Error(`${stimulus.kind} is applied, but has to be refused`);
  }

  async #duringPause(instance: MemoryInstance, stimuli: readonly Stimulus[]): Promise<void> {
    this.host.suspend(instance);
    for (const stimulus of stimuli) await this.apply(stimulus);
    this.host.resume(instance);
  }

  async #duringPauseOf(definition: string, stimuli: readonly Stimulus[]): Promise<void> {
    this.host.suspendDefinition(definition);
    for (const stimulus of stimuli) await this.apply(stimulus);
    this.host.resumeDefinition(definition);
  }

  /** Remembers the ticks of timers that start a process; of those without an end as many as a case lets pass. */
  async #planStarts(file: string): Promise<void> {
    for (const { processID, graph } of (await compile(file)).processes) {
      for (const { node, trigger, what } of entryPoints(modelOf(graph), this.host.now)) {
        if (what.kind !== 'timer' || what.text === undefined) continue;
        const planned = planStartTimer(what.at, what.text, this.host.now);
        if (!planned.ok) throw new Error(`The timer of ${node} cannot be planned: expected ${planned.expected}`);
        const start = () => this.host.start(processID, {}, { startNode: node, startTrigger: trigger });
        this.#starts.push(...ticksOf(planned.plan).map((at) => ({ at, start })));
      }
    }
  }

  #startDue(): void {
    const due = this.#starts.filter(({ at }) => at <= this.host.now);
    this.#starts = this.#starts.filter((start) => !due.includes(start));
    for (const { start } of due) start();
  }

  #deployDecisions(xml: string): void {
    const decisions = new Decisions([{ name: 'decisions', xml }]);
    this.host.evaluateDecision = (effect, now) => decisions.evaluate(effect, now);
  }

  instances(): MemoryInstance[] {
    return [...this.host.instances.values()];
  }

  #first(process?: string): MemoryInstance {
    return this.#instance(({ model }) => process === undefined || model.graph.processID === process);
  }

  #waiting(kind: 'job' | 'userTask', node: string): MemoryInstance {
    return this.#instance((instance) => this.host.waiting(instance).includes(`${kind} ${node}`));
  }

  #instance(fits: (instance: MemoryInstance) => boolean): MemoryInstance {
    const found = this.instances().find(fits);
    if (!found)
      throw new Error(
        `No instance is there to do that to; waiting: ${
          this.instances()
            .flatMap((instance) => this.host.waiting(instance))
            .join(', ') || 'nothing'
        }`,
      );
    return found;
  }
}

/** More than any case waits for. */
const MAX_TICKS = 10;

function ticksOf(plan: StartTimerPlan): number[] {
  switch (plan.kind) {
    case 'once':
      return [plan.at];
    case 'every':
      return Array.from({ length: MAX_TICKS }, (_, index) => plan.first + index * plan.intervalMs).filter(
        (at) => at <= (plan.last ?? Infinity),
      );
    case 'monthly':
    case 'zoned':
      return [plan.first];
    case 'cron': {
      const first = nextTick(plan.cron, plan.after);
      return first === undefined ? [] : [first];
    }
  }
}
