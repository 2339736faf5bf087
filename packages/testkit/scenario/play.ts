/** The processes of a scenario in play: the host in memory, with an index of what steps look for. */
import type { CommandBody, CommandOutcome } from '@perdure/engine/contract/commands.js';
import type { Fact, FactOf } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { activeNodes } from '@perdure/engine/state/active-nodes.js';
import type { Wait, WaitKind } from '@perdure/engine/state/state.js';
import { MemoryHost, type MemoryInstance } from '../memory-host.js';
import { expectAllowedSize } from '../payload-limit.js';
import type { Bundle } from './bundle.js';
import type { ScenarioCoverage } from './coverage.js';
import type { Observation, ObservedInstance } from './expectations.js';
import { StepFailed } from './failure.js';
import type { Place } from './scenario.js';

/** A model can do endless work: loops, repeating timers, calls, messages between processes. */
export const SCENARIO_LIMITS = { factsPerStep: 100_000, facts: 1_000_000, instances: 1_000 } as const;

/** Of one instance, by the numbers of its waits and elements. */
interface Known {
  jobs: Map<number, { type: string; attempts: number }>;
  elements: Map<number, string>;
  completed: string[];
}

export interface Found<Kind extends WaitKind> {
  instance: MemoryInstance;
  wait: Extract<Wait, { kind: Kind }>;
}

export class Play {
  readonly host = new MemoryHost();
  readonly #processID: string;
  readonly #known = new Map<string, Known>();
  /** Call activity by the instance that it called. */
  readonly #callers = new Map<string, string>();
  #facts = 0;
  #factsBeforeStep = 0;

  constructor(processID: string, bundle: Bundle, coverage: ScenarioCoverage, now: number) {
    const { host } = this;
    const files = new Map(bundle.processes.map((process) => [process.processID, process.file]));
    this.#processID = processID;
    host.compareEvery = Infinity;
    host.now = now;
    host.keepsUnknownCalls = true;
    host.evaluateDecision = (request, at) =>
      bundle.decisions.evaluate(request, at, (ruleIDs) => coverage.noteRules(ruleIDs));
    host.onFacts = (instance, facts) => {
      coverage.noteFacts(files.get(instance.model.graph.processID)!, facts);
      this.#note(instance, facts);
    };
    host.add(bundle.processes);
  }

  /** The first instance of the process under test. */
  get root(): MemoryInstance | undefined {
    return [...this.host.instances.values()].find(({ model }) => model.graph.processID === this.#processID);
  }

  /** The first instance of the process under test, then the others, oldest first. */
  get instances(): MemoryInstance[] {
    const { root } = this;
    return root
      ? [root, ...[...this.host.instances.values()].filter((instance) => instance !== root)]
      : [...this.host.instances.values()];
  }

  /** For expectations. */
  observe(): Observation {
    const { host, root, instances } = this;
    const incidents = instances.flatMap((instance) => host.incidents(instance));
    return root ? { root: this.#observed(root), incidents } : { incidents };
  }

  /** @returns the instances in which a step looks */
  inside({ in: call }: Place): MemoryInstance[] {
    return this.instances.filter(({ workflowID }) => call === undefined || this.#callers.get(workflowID) === call);
  }

  /** Everything open of a kind, in the order in which a step looks. */
  open<Kind extends WaitKind>(kind: Kind, place: Place): Found<Kind>[] {
    return this.inside(place).flatMap((instance) =>
      Object.values(instance.state.waits).flatMap((wait) =>
        wait.kind === kind ? [{ instance, wait: wait as Found<Kind>['wait'] }] : [],
      ),
    );
  }

  jobType({ instance, wait }: Found<'job'>): string {
    return this.#job(instance, wait).type;
  }

  /** @returns whether the job has attempts left */
  useAttempt({ instance, wait }: Found<'job'>, left?: number): boolean {
    const job = this.#job(instance, wait);
    job.attempts = left ?? job.attempts - 1;
    return job.attempts > 0;
  }

  /** @throws StepFailed if the host would refuse the command */
  send(instance: MemoryInstance, command: CommandBody): void {
    if ('variables' in command) expectAllowedSize(command.variables);
    const outcome = this.host.send(instance, command);
    if (outcome?.status === 'REJECTED') throw new StepFailed(`the engine refused it: ${reasonsOf(outcome)}`);
  }

  /** Called before every step. */
  beginStep(): void {
    this.#factsBeforeStep = this.#facts;
  }

  start(variables: Variables = {}, startAt?: { nodeID: string; variables?: Variables }[]): void {
    expectAllowedSize(variables);
    this.host.start(this.#processID, variables, startAt && { startAt });
  }

  #observed(instance: MemoryInstance): ObservedInstance {
    const { workflowID, model, state } = instance;
    const { status, failureReason } = state;
    return {
      status,
      ...(failureReason !== undefined && { failureReason }),
      active: status === 'RUNNING' ? activeNodes(model, state) : [],
      completed: this.#knownOf(workflowID).completed.filter((node) => node !== model.root.id),
      variables: this.host.variables(instance),
    };
  }

  #job({ workflowID }: MemoryInstance, { id }: Wait) {
    return this.#knownOf(workflowID).jobs.get(id)!;
  }

  #knownOf(workflowID: string): Known {
    const known = this.#known.get(workflowID) ?? { jobs: new Map(), elements: new Map(), completed: [] };
    this.#known.set(workflowID, known);
    return known;
  }

  #count(facts: number): void {
    this.#facts += facts;
    const { factsPerStep, facts: all, instances } = SCENARIO_LIMITS;
    const isEndless = this.#facts - this.#factsBeforeStep > factsPerStep || this.#facts > all;
    if (!isEndless && this.host.instances.size <= instances) return;
    throw new StepFailed(
      `the model does not come to rest within ${factsPerStep} events of one step, ${all} of one scenario, and ${instances} instances. Look for loops, repeating timers, and processes that call or message each other`,
    );
  }

  #note({ workflowID }: MemoryInstance, facts: readonly Fact[]): void {
    this.#count(facts.length);
    const known = this.#knownOf(workflowID);
    for (const fact of facts) {
      if (fact.kind === 'JOB_CREATED') known.jobs.set(fact.job, { type: fact.taskType, attempts: fact.retries });
      if (fact.kind === 'CHILD_CALLED') this.#callers.set(fact.workflowID, fact.node);
      if (fact.kind === 'ELEMENT_ACTIVATED') known.elements.set(fact.element, fact.node);
      if (fact.kind === 'ELEMENT_COMPLETED') noteCompleted(known, fact);
    }
  }
}

function noteCompleted({ elements, completed }: Known, { element }: FactOf<'ELEMENT_COMPLETED'>): void {
  completed.push(elements.get(element)!);
  elements.delete(element);
}

function reasonsOf({ message, issues = [] }: CommandOutcome): string {
  return [message, ...issues].filter((reason) => reason !== undefined).join('; ');
}
