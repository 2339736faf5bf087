/** The time of a scenario on a host, whose own clock it cannot set. Only the difference of two moments of the host counts. */
import { StepFailed } from '@perdure/testkit';
import type { HostInstance, Wait } from './instances.js';

export interface OpenTimer {
  readonly workflowID: string;
  readonly timerID: string;
  readonly node: string;
  readonly scope: string | undefined;
  /** By the clock of the host, in epoch milliseconds. */
  readonly hostDue: number;
  /** By the time of the scenario. */
  readonly due: number;
}

export class VirtualClock {
  now = 0;
  readonly #cycles: ReadonlySet<string>;
  readonly #timers = new Map<string, OpenTimer>();
  /** The tick that fired last. */
  #fired: OpenTimer | undefined;

  /** @param cycles nodes whose timers tick again after each tick */
  constructor(cycles: ReadonlySet<string>) {
    this.#cycles = cycles;
  }

  /** @returns the open timers, earliest first */
  timersOf(instances: readonly HostInstance[]): OpenTimer[] {
    const open = instances.flatMap(({ state, waits }) =>
      waits.flatMap((wait) => (wait.kind === 'timer' ? [this.#timer(state.workflowID, wait)] : [])),
    );
    this.#fired = undefined;
    return open.sort((one, other) => one.due - other.due);
  }

  noteFired(timer: OpenTimer): void {
    this.#fired = timer;
    this.now = Math.max(this.now, timer.due);
  }

  #timer(workflowID: string, wait: Wait): OpenTimer {
    const { timerID, nodeID, scopeID, dueAt, since } = wait;
    if (timerID === undefined || nodeID === undefined || dueAt === undefined)
      throw new StepFailed('the host shows a timer without its id');
    const known = this.#timers.get(timerID);
    if (known) return known;
    const hostDue = Date.parse(dueAt);
    const timer = { workflowID, timerID, node: nodeID, scope: scopeID, hostDue };
    const due = this.#isNextTick(timer)
      ? this.#fired!.due + hostDue - this.#fired!.hostDue
      : this.now + hostDue - Date.parse(since);
    this.#timers.set(timerID, { ...timer, due });
    return { ...timer, due };
  }

  /** The host counts the interval from the due time of the previous tick, even if that fired early. */
  #isNextTick({ workflowID, node, scope }: Pick<OpenTimer, 'workflowID' | 'node' | 'scope'>): boolean {
    const fired = this.#fired;
    const isSame = fired?.workflowID === workflowID && fired.node === node && fired.scope === scope;
    return isSame && this.#cycles.has(node);
  }
}
