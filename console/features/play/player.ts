/**
 * A play on a page: the moves so far, what the worker answered last, and the files that it needed. The worker can be ended at
 * any time, because the moves are enough to restart.
 */
import type { Move, Needs, OpenedState, PlayView, UnusedFile } from '@perdure/testkit/browser';
import type { PlayFile, Wanted } from './play-file.js';
import { Stopped, type Connection } from './protocol.js';

/** A play of more files needs a test on a host. */
export const MAX_FILES = 50;

export interface Played {
  file: PlayFile;
  processID: string;
  /** When it begins, in epoch milliseconds. */
  now: number;
  /** An instance to begin with, instead of a start, at each of its positions. */
  opened?: readonly OpenedState[] | undefined;
  /** The position to begin at (default: the last). */
  at?: number | undefined;
}

export interface Services {
  connect(): Connection;
  /** @returns undefined if the project has no such file */
  findFile(wanted: Wanted): Promise<PlayFile | undefined>;
}

export interface PlayerState {
  /** Absent until the files are compiled. */
  view?: PlayView;
  files: readonly PlayFile[];
  unused: readonly UnusedFile[];
  moves: readonly Move[];
  isBusy: boolean;
  /** Why the last request was refused. */
  error?: unknown;
  /** Whether the last request was stopped. */
  isStopped: boolean;
}

export class Player {
  readonly #played: Played;
  readonly #services: Services;
  readonly #listeners = new Set<() => void>();
  readonly #asked = new Set<string>();
  #opened: readonly OpenedState[] | undefined;
  #connection: Connection | undefined;
  #shownID: string | undefined;
  #last: Promise<void> = Promise.resolve();
  #state: PlayerState;

  constructor(played: Played, services: Services) {
    this.#played = played;
    this.#opened = played.opened;
    this.#services = services;
    this.#state = { files: [played.file], unused: [], moves: [], isBusy: true, isStopped: false };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): PlayerState => this.#state;

  /** Opens the files with a new worker. */
  open(): void {
    this.close();
    this.#connection = this.#services.connect();
    void this.#run((connection) => this.#open(connection, this.#state.files, this.#reached));
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  /** Carries out a move instead of those that follow the position. */
  move(move: Move): void {
    void this.#run(async (connection) => {
      const view = await connection.ask('move', { move }, this.#shownID);
      this.#set({ view, moves: [...this.#state.moves.slice(0, view.at - 1 - view.begun), move] });
      this.#opened = this.#opened?.slice(0, view.begun + 1);
      await this.#fetchNeeded(connection, view);
    });
  }

  moveTo(position: number): void {
    void this.#run(async (connection) => {
      const view = await connection.ask('moveTo', { position }, this.#shownID);
      this.#set({ view });
      await this.#fetchNeeded(connection, view);
    });
  }

  /** Shows another instance in detail. */
  show(workflowID: string): void {
    this.#shownID = workflowID;
    void this.#run(async (connection) => this.#set({ view: await connection.ask('show', {}, workflowID) }));
  }

  /** Ends the running move and restores the play as it was before it. Stopping again during that restarts the play. */
  stop(): void {
    const isOpening = this.#state.view === undefined || this.#state.isStopped;
    this.close();
    this.#connection = this.#services.connect();
    // Requests that waited for the ended worker are dropped with it.
    this.#last = Promise.resolve();
    const moves = isOpening ? [] : this.#reached;
    this.#set({ moves, isStopped: true });
    void this.#run((connection) => this.#open(connection, this.#state.files, moves), true);
  }

  variablesAt(workflowID: string, wait: number): Promise<Record<string, unknown>> {
    return this.#connected().ask('variables', { workflowID, wait });
  }

  scenario(name: string): Promise<string> {
    return this.#connected().ask('scenario', { name });
  }

  test(name: string): Promise<string> {
    return this.#connected().ask('test', { name });
  }

  get #reached(): readonly Move[] {
    const { moves, view } = this.#state;
    return view ? moves.slice(0, Math.max(0, view.at - view.begun)) : moves;
  }

  #connected(): Connection {
    if (!this.#connection) throw new Stopped('The play is closed');
    return this.#connection;
  }

  async #open(connection: Connection, files: readonly PlayFile[], moves: readonly Move[]): Promise<void> {
    const { processID, now, at } = this.#played;
    const request = { files, processID, now, opened: this.#opened, moves, at: this.#state.view?.at ?? at };
    const { view, unused } = await connection.ask('open', { request }, this.#shownID);
    this.#set({ view, unused, files, moves });
    await this.#fetchNeeded(connection, view);
  }

  /** Fetches what the play has asked for, and carries out its moves again with it. */
  async #fetchNeeded(connection: Connection, { needs }: PlayView): Promise<void> {
    const files = [...this.#state.files];
    for (const wanted of wantedOf(needs, files)) {
      const key = JSON.stringify(wanted);
      if (this.#asked.has(key) || files.length >= MAX_FILES) continue;
      const found = await this.#services.findFile(wanted);
      this.#asked.add(key);
      if (found && !files.some(({ text }) => text === found.text)) files.push({ ...found, name: unique(found, files) });
    }
    if (files.length > this.#state.files.length) await this.#open(connection, files, this.#reached);
  }

  /** One request after the other. Those for a worker that was ended are dropped. */
  #run(work: (connection: Connection) => Promise<void>, keepsNote = false): Promise<void> {
    const connection = this.#connection;
    this.#set({ isBusy: true });
    this.#last = this.#last.then(async () => {
      if (!connection || connection !== this.#connection) return;
      this.#set({ isBusy: true, error: undefined, ...(!keepsNote && { isStopped: false }) });
      let error: unknown;
      await work(connection).catch((reason: unknown) => (error = reason));
      if (connection === this.#connection) this.#set({ isBusy: false, error });
    });
    return this.#last;
  }

  #set(changes: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}

/** @param files in play */
export function wantedOf({ processes, decisions }: Needs, files: readonly PlayFile[]): Wanted[] {
  const callerOf = (name: string) => files.find((file) => file.name === name)?.definitionID;
  return [
    ...processes.map(({ processID: id, binding, callerFile }): Wanted => ({
      kind: 'process',
      id,
      binding,
      callerID: callerOf(callerFile),
    })),
    ...decisions.map((id): Wanted => ({ kind: 'decision', id })),
  ];
}

/** Files of a scenario have different names. */
export function unique({ name }: PlayFile, files: readonly PlayFile[]): string {
  const [, base = name, ending = ''] = /^(.*)(\.[^.]+)$/.exec(name) ?? [];
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${base}-${number}${ending}`;
    if (!files.some((file) => file.name === candidate)) return candidate;
  }
}
