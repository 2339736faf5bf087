/** A process under test, with everything it calls, in memory and in virtual time. */
import { compile, type CompiledProcess } from '@perdure/bpmn/compile/compile.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { Coverage, type CoverageLine, type FileCoverage } from './coverage.js';
import { Decisions } from './decisions.js';
import { TestInstance } from './instance.js';
import type { GivenInstance } from './memory/imports.js';
import { MemoryHost, type MemoryInstance, type OpenedState } from './memory-host.js';
import { ModelRefused } from './model-refused.js';
import { expectAllowedSize } from './payload-limit.js';

export interface ProcessOptions {
  /** Other BPMN and DMN files: processes that it calls, decisions that it uses. */
  with?: readonly ModelFile[];
  /** The process under test, if the file has several. */
  processID?: string;
  /** Start time of the test (default 2026-01-01T00:00:00Z). */
  now?: Date;
}

/** By deployment number. */
type Coverages = Map<number, Coverage>;

/** Receives what the test reaches. */
type Record = (line: CoverageLine) => void;

/** The compiled files of a test. */
export interface OpenProcess {
  host: MemoryHost;
  processID: string;
  coverages: Coverages;
  record: Record;
}

/** The file under test is deployed first. */
const OWN_DEPLOYMENT = 1;

export interface ModelFile {
  /** Ends with `.bpmn` or `.dmn`. */
  name: string;
  xml: string;
}

/**
 * Compiles the files as a deployment would.
 * @throws ModelRefused with every problem if the host would refuse a file
 */
export async function openProcess(
  main: ModelFile,
  options: ProcessOptions = {},
  record: Record = () => {},
): Promise<OpenProcess> {
  const others = options.with ?? [];
  const host = new MemoryHost();
  // It checks the interpreter, not the process under test.
  host.compareEvery = Infinity;
  if (options.now) host.now = options.now.getTime();
  const coverages: Coverages = new Map();
  const own = await deploy(host, main, coverages, record);
  for (const other of others.filter(({ name }) => !isDecisions(name))) await deploy(host, other, coverages, record);
  const decisions = new Decisions(others.filter(({ name }) => isDecisions(name)));
  host.evaluateDecision = (effect, now) => decisions.evaluate(effect, now);
  host.onFacts = ({ deployment }, facts) => coverages.get(deployment)?.note(facts);
  return { host, processID: chosen(own, main.name, options.processID), coverages, record };
}

export class TestProcess {
  readonly processID: string;
  readonly #host: MemoryHost;
  readonly #coverages: Coverages;
  readonly #record: Record;
  readonly #instances = new Map<string, TestInstance>();

  constructor({ host, processID, coverages, record }: OpenProcess) {
    this.#host = host;
    this.processID = processID;
    this.#coverages = coverages;
    this.#record = record;
  }

  /** The virtual time. */
  get now(): Date {
    return new Date(this.#host.now);
  }

  /**
   * All instances so far, including called ones and those started by a message or signal, in the order of their starts.
   */
  get instances(): TestInstance[] {
    return [...this.#host.instances.values()].map((instance) => this.#wrap(instance));
  }

  /** For the file under test. */
  get coverage(): FileCoverage {
    return this.#coverages.get(OWN_DEPLOYMENT)!.report();
  }

  /** @throws Error if the process is suspended */
  start(variables: Variables = {}): TestInstance {
    expectAllowedSize(variables);
    return this.#wrap(this.#host.start(this.processID, variables));
  }

  /**
   * Takes over an instance that runs in another system, as the host does.
   * @throws ImportRefused with every issue
   */
  import(given: GivenInstance): TestInstance {
    return this.#wrap(this.#host.import(given));
  }

  /**
   * Opens the state of an instance of a host, which `GET .../instances/{workflowID}/state` returns, and continues it from
   * there. The version that it runs counts as the newest until another is deployed.
   * @throws Error if the instance has not begun, or is open already
   */
  open(opened: OpenedState): TestInstance {
    return this.#wrap(this.#host.open(opened));
  }

  /**
   * Deploys newer versions of the file's processes. New instances run them; running instances keep their version until
   * they are migrated.
   * @throws ModelRefused with every problem if the host would refuse the file
   */
  async deploy(file: ModelFile): Promise<void> {
    await deploy(this.#host, file, this.#coverages, this.#record);
  }

  /** Suspends the newest version of the process with all its instances and everything they have called. */
  suspend(): void {
    this.#host.suspendDefinition(this.processID);
  }

  resume(): void {
    this.#host.resumeDefinition(this.processID);
  }

  /**
   * The subscription that has waited longest takes it; otherwise one process that it starts; otherwise the first
   * subscription that opens within an hour.
   */
  publishMessage(name: string, { correlation, variables }: { correlation?: Json; variables?: Variables } = {}): void {
    expectAllowedSize(variables);
    this.#host.publishMessage(name, correlation, variables);
  }

  /** All subscriptions take it, including those opened within a day; it also starts processes. */
  throwSignal(name: string, variables?: Variables): void {
    expectAllowedSize(variables);
    this.#host.throwSignal(name, variables);
  }

  /** Advances time; each timer that falls due on the way fires at its own time. */
  advance(milliseconds: number): void {
    this.#host.advance(milliseconds);
  }

  /** Replaces a decision with a function that returns the decision's result. */
  decide(decisionID: string, decision: (variables: Variables) => Json): void {
    this.#host.decisions.set(decisionID, decision);
  }

  #wrap(instance: MemoryInstance): TestInstance {
    const known = this.#instances.get(instance.workflowID);
    if (known) return known;
    const wrapped = new TestInstance(this.#host, instance, (workflowID) =>
      this.#wrap(this.#host.instances.get(workflowID)!),
    );
    this.#instances.set(instance.workflowID, wrapped);
    return wrapped;
  }
}

function isDecisions(name: string): boolean {
  return name.endsWith('.dmn');
}

async function deploy(
  host: MemoryHost,
  { name, xml }: ModelFile,
  coverages: Coverages,
  record: Record,
): Promise<CompiledProcess[]> {
  const { processes, problems } = await compile(xml);
  if (problems.some(({ severity }) => severity === 'error')) throw new ModelRefused(name, problems);
  coverages.set(
    host.add(processes),
    new Coverage(
      name,
      processes.map(({ graph }) => graph),
      record,
    ),
  );
  return processes;
}

function chosen(processes: readonly CompiledProcess[], file: string, processID?: string): string {
  const ids = processes.map((process) => process.processID);
  const id = processID ?? (ids.length === 1 ? ids[0] : undefined);
  if (id !== undefined && ids.includes(id)) return id;
  const asked = id === undefined ? 'Select one with `processID`' : `None of them has the id ${id}`;
  throw new Error(`${file} has the processes ${ids.join(', ')}. ${asked}.`);
}
