/**
 * Plays a process move by move, forward and back. A position is reached by carrying out the moves before it from the start:
 * the interpreter is deterministic, and no state is kept for each position.
 */
import type { Variables } from '@perdure/engine/contract/json.js';
import { visibleVariables } from '@perdure/engine/state/scopes.js';
import type { OpenedState } from '../memory-host.js';
import { PayloadTooLarge } from '../payload-limit.js';
import type { Bundle, ScenarioFile } from '../scenario/bundle.js';
import { StepFailed } from '../scenario/failure.js';
import { openFiles, type OpenedFiles, type UnusedFile } from '../scenario/open-files.js';
import type { Scenario } from '../scenario/scenario.js';
import { MoveRefused, type Move } from './moves.js';
import { scenarioOf } from './scenario-of.js';
import { testCode } from './test-code.js';
import { snapshotOf, viewOf, type PlayView, type Snapshot } from './view.js';
import { Watched } from './watched.js';

/** More moves are refused, because each step back carries out all of those before. */
export const MAX_MOVES = 500;

export interface PlayRequest {
  /** The file with the process first. Files that it uses follow. */
  files: readonly ScenarioFile[];
  processID: string;
  /** When the play begins, in epoch milliseconds. */
  now: number;
  /**
   * An instance of a host to begin with instead of a start, as `GetBpmnInstanceEngineState` or `GetBpmnBacktestItemPositions`
   * returns it. Moves follow the last one; those before it are the first positions of the play.
   */
  opened?: readonly OpenedState[] | undefined;
  moves?: readonly Move[];
  /** The position to go to (default: the last). */
  at?: number;
}

export class PlaySession {
  readonly unused: readonly UnusedFile[];
  readonly #request: PlayRequest;
  readonly #bundle: Bundle;
  /** Names of files by the processes in them. */
  readonly #files: ReadonlyMap<string, string>;
  #opened: readonly OpenedState[];
  #moves: Move[];
  #at = 0;
  /** Undefined after a move that failed in the middle. */
  #watched: Watched | undefined;
  #before: Snapshot = new Map();

  /**
   * @throws ModelRefused if a host would refuse the file with the process
   * @throws MoveRefused if the moves are not possible with these files
   */
  static async open(request: PlayRequest): Promise<PlaySession> {
    const session = new PlaySession(request, await openFiles(request.files));
    session.moveTo(request.at ?? Infinity);
    return session;
  }

  private constructor(request: PlayRequest, { bundle, unused }: OpenedFiles) {
    this.#request = request;
    this.#bundle = bundle;
    this.unused = unused;
    this.#files = new Map(bundle.processes.map(({ processID, file }) => [processID, file]));
    this.#opened = request.opened ?? [];
    this.#moves = [...(request.moves ?? [])];
  }

  /** @param shownID the instance to show in detail (default: the first) */
  view(shownID?: string): PlayView {
    const shown = viewOf(this.#current(), this.#files, this.#before, shownID);
    const begun = this.#begun;
    const position = { at: this.#at, moves: begun + this.#moves.length, begun };
    // Waits that are open in the middle of a step can be gone at its end.
    return this.#isInside
      ? { ...position, ...shown, waits: [], moreWaits: 0, isInside: true }
      : { ...position, ...shown };
  }

  /**
   * Carries out a move instead of those that follow the position.
   * @throws MoveRefused
   */
  move(move: Move): void {
    if (this.#at >= MAX_MOVES)
      throw new MoveRefused(`A play has at most ${MAX_MOVES} moves. Save it, or go back to try something else.`);
    if (this.#isInside) throw new MoveRefused('The instance is in the middle of a step. Go one move forward.');
    this.#carryOut(this.#current(), move);
    this.#moves = [...this.#moves.slice(0, Math.max(0, this.#at - this.#begun)), move];
    this.#opened = this.#opened.slice(0, this.#at + 1);
    this.#at += 1;
  }

  /** @throws MoveRefused */
  moveTo(position: number): void {
    const begun = this.#begun;
    const target = Math.min(Math.max(0, position), begun + this.#moves.length);
    const continued = target < this.#at || this.#at < begun ? undefined : this.#watched;
    const watched = continued ?? this.#begin(Math.min(target, begun));
    if (!continued) this.#before = snapshotOf(watched.play);
    const moves = this.#moves.slice(continued ? this.#at - begun : 0, Math.max(0, target - begun));
    for (const move of moves) this.#carryOut(watched, move);
    this.#watched = watched;
    this.#at = target;
  }

  /** The variables that a wait's element sees; empty if the wait is not open. */
  variablesAt(workflowID: string, wait: number): Variables {
    const state = this.#current().play.host.instances.get(workflowID)?.state;
    const element = state?.elements[state.waits[wait]?.element ?? 0];
    return state && element ? visibleVariables(state, element) : {};
  }

  /**
   * The moves up to the position as a scenario, which expects what has happened.
   * @throws MoveRefused if the play begins with an instance
   */
  scenario(name: string): Scenario {
    return scenarioOf(this.#current().play, { name, ...this.#played() });
  }

  /**
   * The same as a test with the testkit.
   * @throws MoveRefused if a move has no counterpart there
   */
  test(name: string): string {
    return testCode({ name, ...this.#played(), begin: () => this.#begin() });
  }

  /** The number of positions before the first move. */
  get #begun(): number {
    return Math.max(0, this.#opened.length - 1);
  }

  get #isInside(): boolean {
    return this.#at <= this.#begun && this.#opened[this.#at]?.isInside === true;
  }

  #played() {
    const { processID, now } = this.#request;
    if (this.#opened.length > 0)
      throw new MoveRefused('A play that begins with a running instance cannot be saved, because it has no start');
    return { processID, now, files: this.#bundle.files, moves: this.#moves.slice(0, this.#at) };
  }

  #current(): Watched {
    if (!this.#watched) this.moveTo(this.#at);
    return this.#watched!;
  }

  #begin(position = 0): Watched {
    const { processID, now } = this.#request;
    return new Watched({ processID, bundle: this.#bundle, now, opened: this.#opened[position] });
  }

  #carryOut(watched: Watched, move: Move): void {
    const before = snapshotOf(watched.play);
    try {
      watched.carryOut(move);
    } catch (error) {
      this.#watched = undefined;
      throw refusalOf(error);
    }
    this.#before = before;
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof StepFailed || error instanceof PayloadTooLarge) return new MoveRefused(error.message);
  return error instanceof RangeError ? new MoveRefused('processes call or message each other too deeply') : error;
}
