/** The oracle's state of a running process or sub-process. */

/** The possible next events. */
export interface Open {
  kind: 'job' | 'userTask' | 'timer' | 'subscription' | 'condition' | 'incident';
  node: string;
  /** Milliseconds since the start, of a timer. */
  due?: number;
  /** Of a subscription. */
  signal?: boolean;
  happen(): void;
}

/** A record for compensation: a handler, or a completed scope with its handlers. */
export type Completed = { handler: string } | { scope: string; inside: Completed[] };

export interface ScopeKind {
  /** The block that it runs. */
  id: string;
  /** Gives what is thrown inside to who catches it at this scope; false when nothing does. `byHandler`: thrown by its event sub-process, which never catches what it throws itself. */
  raise?: (what: 'error' | 'escalation', byHandler: boolean) => boolean;
  finish: () => void;
  /** Cancels it, of a transaction. */
  cancel?: () => void;
  /** Of an event sub-process: the scope it belongs to. */
  belongsTo?: Scope;
  /** All instances of a multi-instance activity or loop. */
  isBody?: boolean;
  /** A called process. */
  isCalled?: boolean;
}

/** The scope completes when no path is left inside. */
export class Scope {
  paths = 0;
  over = false;
  /** How often everything inside has been ended. */
  emptied = 0;
  readonly open = new Set<Open>();
  readonly inner = new Set<Scope>();
  completed: Completed[] = [];

  constructor(
    readonly around: Scope | undefined,
    readonly kind: ScopeKind,
  ) {
    around?.inner.add(this);
  }

  begin(): void {
    this.paths += 1;
  }

  end(): void {
    this.paths -= 1;
    if (this.paths === 0) this.kind.finish();
  }

  /** Counts what has completed inside scopes that still run as completed here: they are about to be ended so that it can be compensated. */
  keepCompleted(): void {
    for (const inner of this.inner) {
      inner.keepCompleted();
      if (inner.completed.length === 0) continue;
      if (inner.kind.isBody) this.completed.push(...inner.completed);
      else this.completed.push({ scope: inner.kind.id, inside: inner.completed });
    }
  }
}
