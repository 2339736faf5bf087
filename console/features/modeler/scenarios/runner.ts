/**
 * Runs the scenarios of a file after each edit, in a worker and one at a time. A new run ends the one before, and a scenario
 * that takes too long is ended with its worker.
 */
import type { Failure, Needs, SuiteResult } from '@perdure/testkit/browser';
import type { PlayFile, Wanted } from '../../play/play-file.js';
import { MAX_FILES, unique, wantedOf } from '../../play/player.js';
import type { Answers, Connection, QuestionKind, Questions } from '../../play/protocol.js';
import type { KeptScenario } from '../copies/scenario-limits.js';

export const RUN_LIMITS = { scenarioMs: 5_000, allMs: 30_000 } as const;

export interface RunResult {
  /** The name of the scenario's file. */
  file: string;
  /** That of the scenario, if its file can be read. */
  name: string;
  outcome: 'passed' | 'failed' | 'notRun';
  failure?: Failure;
}

export interface RunState {
  /** During a run, those of the run before until the first scenario has ended. */
  results: readonly RunResult[];
  isRunning: boolean;
  /** Why no scenario could run. */
  error?: unknown;
  /** All nodes and sequence flows of the file, and those that the scenarios reached. */
  elements: readonly string[];
  reached: ReadonlySet<string>;
}

export interface RunServices {
  connect(): Connection;
  /** @returns undefined if the project has no such file */
  findFile(wanted: Wanted): Promise<PlayFile | undefined>;
  /** Milliseconds of any clock. */
  now(): number;
}

const nothing: RunState = { results: [], isRunning: false, elements: [], reached: new Set() };

const tooSlow: Failure = {
  message: `It takes longer than ${RUN_LIMITS.scenarioMs / 1000} seconds. Look for loops, or run it with perdure test.`,
  differences: [],
  state: '',
};

export class ScenarioRunner {
  readonly #services: RunServices;
  readonly #listeners = new Set<() => void>();
  /** Files of the project that scenarios asked for, and what they asked for. */
  readonly #found: PlayFile[] = [];
  readonly #asked = new Set<string>();
  #connection: Connection | undefined;
  /** Number of the newest run. */
  #run = 0;
  #state = nothing;

  constructor(services: RunServices) {
    this.#services = services;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): RunState => this.#state;

  /** @param file that is being edited */
  run(file: PlayFile, scenarios: readonly KeptScenario[]): void {
    this.stop();
    if (scenarios.length === 0) return this.#set(nothing);
    this.#set({ ...this.#state, isRunning: true, error: undefined });
    const run = this.#run;
    const isOver = () => run !== this.#run;
    this.#runAll(file, scenarios, isOver).catch((error: unknown) => {
      if (!isOver()) this.#set({ ...nothing, error });
    });
  }

  /** Looks for other files again, because they may have changed. */
  forgetFound(): void {
    this.#found.length = 0;
    this.#asked.clear();
  }

  /** Ends what runs. The results so far stay. */
  stop(): void {
    this.#run += 1;
    if (this.#state.isRunning) this.close();
  }

  close(): void {
    this.#run += 1;
    this.#endWorker();
    if (this.#state.isRunning) this.#set({ ...this.#state, isRunning: false });
  }

  async #runAll(file: PlayFile, scenarios: readonly KeptScenario[], isOver: () => boolean): Promise<void> {
    const until = this.#services.now() + RUN_LIMITS.allMs;
    const results: RunResult[] = [];
    const reached = new Set<string>();
    const elements = await this.#open(file);
    for (const scenario of scenarios) {
      const result = this.#services.now() < until ? await this.#runOne(file, scenario) : undefined;
      if (isOver()) return;
      for (const id of result?.reached ?? []) reached.add(id);
      results.push(resultOf(scenario, result));
      this.#set({ results: [...results], isRunning: results.length < scenarios.length, elements, reached });
    }
  }

  /** Again with each file that it asks for. */
  async #runOne(file: PlayFile, { file: name, text }: KeptScenario): Promise<Omit<SuiteResult, 'needs'>> {
    for (;;) {
      const result = await this.#ask('runScenario', { file: name, text });
      if (result === undefined) {
        await this.#open(file);
        return { name, steps: 0, failure: tooSlow, reached: [] };
      }
      if (!(await this.#fetchNeeded(result.needs, file))) return result;
      await this.#open(file);
    }
  }

  async #open(file: PlayFile): Promise<readonly string[]> {
    const files = this.#filesWith(file);
    const opened = await this.#ask('openSuite', { files });
    if (opened) return opened.elements;
    throw new Error(`Compiling the files takes longer than ${RUN_LIMITS.scenarioMs / 1000} seconds.`);
  }

  #filesWith(file: PlayFile): PlayFile[] {
    const files = [file];
    for (const found of this.#found) files.push({ ...found, name: unique(found, files) });
    return files;
  }

  /** @returns whether the project had something new */
  async #fetchNeeded(needs: Needs, file: PlayFile): Promise<boolean> {
    const before = this.#found.length;
    for (const wanted of wantedOf(needs, this.#filesWith(file))) {
      const key = JSON.stringify(wanted);
      if (this.#asked.has(key) || this.#found.length + 1 >= MAX_FILES) continue;
      const found = await this.#services.findFile(wanted);
      this.#asked.add(key);
      if (found && !this.#found.some(({ text }) => text === found.text)) this.#found.push(found);
    }
    return this.#found.length > before;
  }

  /** @returns undefined if the worker took too long and was ended */
  async #ask<Kind extends QuestionKind>(kind: Kind, content: Questions[Kind]): Promise<Answers[Kind] | undefined> {
    const connection = (this.#connection ??= this.#services.connect());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), RUN_LIMITS.scenarioMs);
    });
    try {
      const answer = await Promise.race([connection.ask(kind, content), late]);
      if (answer === undefined && connection === this.#connection) this.#endWorker();
      return answer;
    } finally {
      clearTimeout(timer);
    }
  }

  #endWorker(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  #set(state: RunState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

function resultOf({ file }: KeptScenario, result: Omit<SuiteResult, 'needs'> | undefined): RunResult {
  if (!result) return { file, name: file, outcome: 'notRun' };
  const { name, failure } = result;
  return { file, name, outcome: failure ? 'failed' : 'passed', ...(failure && { failure }) };
}

/** By the id of a node: how many scenarios failed there. */
export function failuresByNode(results: readonly RunResult[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { failure } of results)
    for (const node of new Set(failure?.nodes)) counts.set(node, (counts.get(node) ?? 0) + 1);
  return counts;
}
