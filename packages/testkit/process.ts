/** A process under test, with everything it calls, in memory and in virtual time. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, type CompiledProcess } from '@perdure/bpmn/compile/compile.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { decodeFile } from '@perdure/lib/model-files/decode.js';
import { BPMN } from '@perdure/lib/model-files/namespaces.js';
import { Coverage, type FileCoverage } from './coverage.js';
import { Decisions } from './decisions.js';
import { TestInstance } from './instance.js';
import { MemoryHost, type MemoryInstance } from './memory-host.js';
import { ModelRefused } from './model-refused.js';
import { expectAllowedSize } from './payload-limit.js';

export interface TestProcessOptions {
  /** Other BPMN and DMN files, like the first: processes that it calls, decisions that it uses. */
  with?: readonly (string | URL)[];
  /** The process under test, if the file has several. */
  processID?: string;
  /** Start time of the test (default 2026-01-01T00:00:00Z). */
  now?: Date;
}

/** By deployment number. */
type Coverages = Map<number, Coverage>;

/** The file under test is deployed first. */
const OWN_DEPLOYMENT = 1;

interface File {
  name: string;
  xml: string;
}

/**
 * Reads and compiles the files as a deployment would.
 * @param file a BPMN file: a path, relative to the working directory, a URL, or the XML itself
 * @throws ModelRefused with every problem if the host would refuse a file
 */
export async function testProcess(file: string | URL, options: TestProcessOptions = {}): Promise<TestProcess> {
  const main = read(file);
  const others = (options.with ?? []).map(read);
  const host = new MemoryHost();
  // It checks the interpreter, not the process under test.
  host.compareEvery = Infinity;
  if (options.now) host.now = options.now.getTime();
  const coverages: Coverages = new Map();
  const own = await deploy(host, main, coverages);
  for (const other of others.filter(({ name }) => !isDecisions(name))) await deploy(host, other, coverages);
  const decisions = new Decisions(others.filter(({ name }) => isDecisions(name)));
  host.evaluateDecision = (effect, now) => decisions.evaluate(effect, now);
  host.onFacts = ({ deployment }, facts) => coverages.get(deployment)?.note(facts);
  return new TestProcess(host, chosen(own, main.name, options.processID), coverages);
}

export class TestProcess {
  readonly processID: string;
  readonly #host: MemoryHost;
  readonly #coverages: Coverages;
  readonly #instances = new Map<string, TestInstance>();

  constructor(host: MemoryHost, processID: string, coverages: Coverages) {
    this.#host = host;
    this.processID = processID;
    this.#coverages = coverages;
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
   * Deploys newer versions of the file's processes. New instances run them; running instances keep their version until
   * they are migrated.
   * @param file a BPMN file: a path, relative to the working directory, a URL, or the XML itself
   * @throws ModelRefused with every problem if the host would refuse the file
   */
  async deploy(file: string | URL): Promise<void> {
    await deploy(this.#host, read(file), this.#coverages);
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

function read(file: string | URL): File {
  if (typeof file === 'string' && file.trimStart().startsWith('<')) return { name: nameOf(file), xml: file };
  const path = file instanceof URL ? fileURLToPath(file) : file;
  return { name: basename(path), xml: decodeFile(readFileSync(path), path) };
}

/** A name for XML that is in no file, with the ending of its kind. */
function nameOf(xml: string): string {
  return xml.includes(BPMN) ? 'model.bpmn' : 'model.dmn';
}

function isDecisions(name: string): boolean {
  return name.endsWith('.dmn');
}

async function deploy(host: MemoryHost, { name, xml }: File, coverages: Coverages): Promise<CompiledProcess[]> {
  const { processes, problems } = await compile(xml);
  if (problems.some(({ severity }) => severity === 'error')) throw new ModelRefused(name, problems);
  coverages.set(
    host.add(processes),
    new Coverage(
      name,
      processes.map(({ graph }) => graph),
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
