/**
 * Turns at the threads of a process: one scheduler for all kinds of work, so that no caller and no project occupies
 * threads that others wait for.
 *
 * Projects take turns, and within a project its callers. Of threads whose work takes long, one project has at most all
 * but one at a time, so another finds one. What waits is bounded in number and
 * bytes, and the time that a caller has threads is bounded per minute.
 */
import { BoundedCache } from './bounded-cache.js';

/** A kind of work, done by as many threads as `size`. */
export interface TurnKind {
  readonly name: string;
  readonly size: number;
  /** Each task ends within about a second, so a project may have all threads. */
  readonly isShort?: boolean;
  /** Its time does not count against the caller, because it is mostly that of Postgres. */
  readonly isFree?: boolean;
}

/** Where a task asks for a thread. */
export interface Turns {
  /**
   * Resolves when the task may have a thread of the kind.
   * @param bytes the size of what the task holds while it waits and runs
   * @throws TurnRefused, TurnCanceled
   */
  take(kind: TurnKind, bytes: number): Promise<Turn>;
}

export interface Turn {
  /** Aborted when the result is not wanted anymore. */
  readonly signal: AbortSignal | undefined;
  /** Passes the thread on. To be called once. */
  end(): void;
}

/** Whose turns they are. */
interface TurnOwner {
  readonly caller: string;
  /** Undefined for work of no project: then the caller takes turns like a project. */
  readonly project: string | undefined;
  /** Removes what waits, and ends what runs. */
  readonly signal?: AbortSignal | undefined;
}

/** A limit is reached; the same task can have a turn later. */
export class TurnRefused extends Error {
  override readonly name = 'TurnRefused';

  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}

/** The result is not wanted anymore. */
export class TurnCanceled extends Error {
  override readonly name = 'TurnCanceled';
}

export interface TurnLimits {
  /** Tasks of one caller that wait, over all kinds. */
  readonly maxWaiting: number;
  /** Bytes of all tasks that wait or run. */
  readonly maxBytes: number;
  /** Bytes of the tasks of one caller that wait or run. */
  readonly maxBytesOfCaller: number;
  /** Time for which one caller can have threads, per minute; as much can be saved up. */
  readonly millisecondsPerMinute: number;
}

export const defaultTurnLimits: TurnLimits = {
  maxWaiting: 64,
  maxBytes: 256 * 1024 * 1024,
  maxBytesOfCaller: 64 * 1024 * 1024,
  millisecondsPerMinute: 30_000,
};

interface Waiter {
  readonly caller: string;
  readonly project: string;
  readonly bytes: number;
  grant(): void;
}

interface KindState {
  readonly size: number;
  readonly maxOfProject: number;
  running: number;
  readonly runningOf: Map<string, number>;
  /** In the order of turns: projects, of each its callers, and of each caller its waiters in the order of arrival. */
  readonly waiting: Map<string, Map<string, Set<Waiter>>>;
}

/** Dropping a balance only fills it up, so the oldest can be dropped. */
const MAX_BALANCES = 10_000;

/** The least cost of a canceled task: its thread has to be started again. */
const CANCELED_MILLISECONDS = 100;

export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #now: () => number;
  readonly #kinds = new Map<string, KindState>();
  readonly #waitingOf = new Map<string, number>();
  readonly #bytesOf = new Map<string, number>();
  readonly #balances = new BoundedCache<string, { milliseconds: number; at: number }>({ entries: MAX_BALANCES });
  #bytes = 0;

  /** @param now milliseconds of a monotonic clock */
  constructor(limits: TurnLimits = defaultTurnLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** The turns of a caller within a project. */
  of(owner: TurnOwner): Turns {
    return { take: (kind, bytes) => this.#take(owner, kind, bytes) };
  }

  async #take({ caller, project = caller, signal }: TurnOwner, kind: TurnKind, bytes: number): Promise<Turn> {
    if (signal?.aborted) throw new TurnCanceled('The request has ended');
    this.#refuseExcess(caller, kind, bytes);
    await this.#wait({ caller, project, bytes }, this.#stateOf(kind), signal);
    const since = this.#now();
    const end = () => {
      const elapsed = this.#now() - since;
      if (!kind.isFree) this.#spend(caller, signal?.aborted ? Math.max(elapsed, CANCELED_MILLISECONDS) : elapsed);
      this.#hold(caller, -bytes);
      const state = this.#stateOf(kind);
      state.running -= 1;
      add(state.runningOf, project, -1);
      this.#grant(state);
    };
    return { signal, end };
  }

  /** @throws TurnRefused */
  #refuseExcess(caller: string, { isFree }: TurnKind, bytes: number): void {
    const { maxWaiting, maxBytes, maxBytesOfCaller, millisecondsPerMinute } = this.#limits;
    const balance = this.#balanceOf(caller);
    if (balance <= 0 && !isFree) {
      const seconds = 1 + Math.ceil((-balance * 60) / millisecondsPerMinute);
      throw new TurnRefused(`${millisecondsPerMinute} ms of thread time per minute`, seconds);
    }
    if ((this.#waitingOf.get(caller) ?? 0) >= maxWaiting)
      throw new TurnRefused(`${maxWaiting} tasks that wait for a thread`, 1);
    if ((this.#bytesOf.get(caller) ?? 0) + bytes > maxBytesOfCaller)
      throw new TurnRefused(`${maxBytesOfCaller} bytes that wait for a thread`, 1);
    if (this.#bytes + bytes > maxBytes)
      throw new TurnRefused(`${maxBytes} bytes of all callers that wait for a thread`, 1);
  }

  #wait(task: Omit<Waiter, 'grant'>, state: KindState, signal: AbortSignal | undefined): Promise<void> {
    const { caller, project, bytes } = task;
    this.#hold(caller, bytes);
    add(this.#waitingOf, caller, 1);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { ...task, grant: () => leave(resolve) };
      const cancel = () => {
        remove(state, waiter);
        this.#hold(caller, -bytes);
        leave(() => reject(new TurnCanceled('The request has ended')));
      };
      const leave = (settle: () => void) => {
        signal?.removeEventListener('abort', cancel);
        add(this.#waitingOf, caller, -1);
        settle();
      };
      signal?.addEventListener('abort', cancel, { once: true });
      const callers = entry(state.waiting, project, () => new Map<string, Set<Waiter>>());
      entry(callers, caller, () => new Set<Waiter>()).add(waiter);
      this.#grant(state);
    });
  }

  /** Gives free threads to those whose turn it is, who then move to the end of their rounds. */
  #grant(state: KindState): void {
    while (state.running < state.size) {
      const waiter = nextOf(state);
      if (waiter === undefined) return;
      remove(state, waiter, true);
      state.running += 1;
      add(state.runningOf, waiter.project, 1);
      waiter.grant();
    }
  }

  #stateOf({ name, size, isShort = false }: TurnKind): KindState {
    const maxOfProject = isShort ? size : Math.max(1, size - 1);
    return entry(this.#kinds, name, () => ({
      size,
      maxOfProject,
      running: 0,
      runningOf: new Map(),
      waiting: new Map(),
    }));
  }

  #hold(caller: string, bytes: number): void {
    this.#bytes += bytes;
    add(this.#bytesOf, caller, bytes);
  }

  #balanceOf(caller: string): number {
    const { millisecondsPerMinute } = this.#limits;
    const known = this.#balances.get(caller);
    if (known === undefined) return millisecondsPerMinute;
    const earned = ((this.#now() - known.at) * millisecondsPerMinute) / 60_000;
    return Math.min(millisecondsPerMinute, known.milliseconds + earned);
  }

  #spend(caller: string, milliseconds: number): void {
    const left = this.#balanceOf(caller) - milliseconds;
    this.#balances.set(caller, { milliseconds: left, at: this.#now() });
  }
}

/** The first waiter of the first project that may have one more thread. */
function nextOf({ maxOfProject, runningOf, waiting }: KindState): Waiter | undefined {
  for (const [project, callers] of waiting) {
    if ((runningOf.get(project) ?? 0) >= maxOfProject) continue;
    const [waiters] = callers.values();
    return waiters!.values().next().value;
  }
  return undefined;
}

/** @param rotate moves the caller, and the project, to the end of their rounds */
function remove({ waiting }: KindState, waiter: Waiter, rotate = false): void {
  const { project, caller } = waiter;
  const callers = waiting.get(project)!;
  const waiters = callers.get(caller)!;
  waiters.delete(waiter);
  if (rotate || waiters.size === 0) callers.delete(caller);
  if (waiters.size > 0) callers.set(caller, waiters);
  if (rotate || callers.size === 0) waiting.delete(project);
  if (callers.size > 0) waiting.set(project, callers);
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}

/** Keeps no zeros, so that the map holds only what is in progress. */
function add(counts: Map<string, number>, key: string, amount: number): void {
  const count = (counts.get(key) ?? 0) + amount;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
