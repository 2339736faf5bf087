/**
 * Block-structured models: a tree of blocks from which both the BPMN file and the oracle's expectation are made.
 *
 * An event that ends other work (an error, an interrupting escalation) follows its own job, so that nothing else
 * moves in the same step and the order of tokens side by side decides nothing.
 */
import type { Random } from './random.js';

export type Block =
  /** Waits of one node each. */
  | { kind: 'job' | 'user' | 'message' | 'signal'; id: string }
  | { kind: 'timer'; id: string; ms: number }
  /** Counts itself in a variable. */
  | { kind: 'script'; id: string }
  /** Fails until its incident is resolved. */
  | { kind: 'failing'; id: string }
  /** A job with a compensation handler, which notes itself. */
  | { kind: 'undoable'; id: string }
  /** Compensates what has completed in its scope. */
  | { kind: 'rollback'; id: string }
  /** A job, then an error end event: it has no way out. */
  | { kind: 'throw'; id: string }
  /** A job, then an escalation. */
  | { kind: 'escalate'; id: string }
  /** A job, then the end of everything in its scope. */
  | { kind: 'terminate'; id: string }
  /** A job, then the cancellation of the transaction around it: it has no way out. */
  | { kind: 'cancel'; id: string }
  /** A job, a signal to everyone who waits at that moment, and another job, so that no subscription opens at the same moment. */
  | { kind: 'shout'; id: string }
  /** Waits until its variable is true. */
  | { kind: 'condition'; id: string }
  /** A link to the next node. */
  | { kind: 'link'; id: string }
  /** A decision that doubles a number. */
  | { kind: 'rule'; id: string }
  | { kind: 'sequence'; blocks: Block[] }
  /** `taken`: index of the branch. */
  | { kind: 'choice'; id: string; branches: Block[]; taken: number }
  | { kind: 'parallel'; id: string; branches: Block[] }
  /** `taken`: which branches. */
  | { kind: 'inclusive'; id: string; branches: Block[]; taken: boolean[] }
  | { kind: 'events'; id: string; branches: { event: Block; then: Block }[] }
  | { kind: 'repeat'; id: string; body: Block; times: number }
  /** Multi-instance or a standard loop around a sub-process; `until` tests after the first time. */
  | { kind: 'each'; id: string; body: Block; times: number; mode: 'parallel' | 'sequential' | 'loop' | 'until' }
  | { kind: 'sub'; id: string; body: Block; boundary?: Boundary; handler?: EventHandler }
  | { kind: 'transaction'; id: string; body: Block; canceled: Block }
  /** Continues when `needed` branches have ended; the others end there. */
  | { kind: 'complex'; id: string; branches: Block[]; needed: number }
  /** Pieces of work, each a job and a script that counts it; it is over after `enough` of them. */
  | { kind: 'adHoc'; id: string; works: string[]; enough: number; sequential: boolean; keepsRemaining: boolean }
  /** Another process; it has no variables that count. */
  | { kind: 'call'; id: string; body: Block; boundary?: Boundary };

export interface Boundary {
  id: string;
  on: 'error' | 'escalation' | 'timer' | 'message';
  interrupting: boolean;
  ms: number;
  then: Block;
}

export interface EventHandler {
  id: string;
  on: 'message' | 'error' | 'escalation';
  interrupting: boolean;
  body: Block;
}

interface Surroundings {
  depth: number;
  /** Something around catches every error. */
  catchesErrors: boolean;
  /** Something around catches every escalation. */
  catchesEscalations: boolean;
  /** A transaction is around. */
  cancels?: boolean;
  /** Tokens may come here while those of an earlier round are still on their way: no place for complex gateways. */
  comesAgain?: boolean;
  /** This place may be active several times at once: no place for calls, because their nodes could not be distinguished. */
  several?: boolean;
  /**
   * A path that an escalation opens while the thrower continues in the same step: no place for compensation, since the
   * order of the two paths would decide what has completed by then.
   */
  besideThrower?: boolean;
  /** Inside a called process, which shares no variables and compensates nothing. */
  called?: boolean;
}

/** Leaves of every model. */
const LEAVES = [
  'job',
  'job',
  'user',
  'script',
  'timer',
  'message',
  'signal',
  'failing',
  'undoable',
  'undoable',
  'rollback',
  'escalate',
] as const;
/** Leaves that a model may have besides when it is not to be taken apart, renamed or changed. */
const MORE_LEAVES = [...LEAVES, 'shout', 'condition', 'link', 'rule'] as const;
const LEAVES_OF_CALLED = ['job', 'job', 'user', 'timer', 'message', 'link', 'escalate'] as const;

export interface Grammar {
  /** Every kind of block, called processes included; else those whose meaning does not change when a model's ids do. */
  everything?: boolean;
  /** Without timers, for hosts whose clock cannot be moved. */
  timeless?: boolean;
}

/** Makes a random model; the same seed and grammar make the same one. */
export class BlockGenerator {
  readonly #random: Random;
  readonly #grammar: Grammar;
  #count = 0;

  constructor(random: Random, grammar: Grammar = {}) {
    this.#random = random;
    this.#grammar = grammar;
  }

  process(): Block {
    return this.#sequence({ depth: 0, catchesErrors: false, catchesEscalations: false });
  }

  #id(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }

  #sequence(around: Surroundings): Block {
    const length = 1 + this.#random.below(3);
    return { kind: 'sequence', blocks: Array.from({ length }, () => this.#block(around)) };
  }

  #block(around: Surroundings): Block {
    if (around.depth >= 4 || this.#count > 40 || this.#random.chance(0.4)) return this.#leaf(around);
    const deeper = { ...around, depth: around.depth + 1 };
    switch (this.#random.below(this.#grammar.everything && !around.called ? 12 : 8)) {
      case 0: {
        const branches = this.#branches(deeper);
        // A branch without a way out needs another one that continues.
        const deadEnd = this.#deadEnd(around);
        if (deadEnd && this.#random.chance(0.5)) branches.push({ kind: deadEnd, id: this.#id(deadEnd) });
        return { kind: 'choice', id: this.#id('choice'), branches, taken: this.#random.below(branches.length) };
      }
      case 1:
        return { kind: 'parallel', id: this.#id('parallel'), branches: this.#branches(deeper) };
      case 2: {
        const branches = this.#branches(deeper);
        const taken = branches.map(() => this.#random.chance(0.6));
        return { kind: 'inclusive', id: this.#id('inclusive'), branches, taken };
      }
      case 3:
        return {
          kind: 'events',
          id: this.#id('events'),
          branches: Array.from({ length: 2 }, () => ({ event: this.#event(), then: this.#sequence(deeper) })),
        };
      case 4:
        if (around.called) return this.#leaf(around);
        return {
          kind: 'repeat',
          id: this.#id('repeat'),
          body: this.#round({ ...deeper, comesAgain: true }),
          times: 1 + this.#random.below(3),
        };
      case 5:
        return this.#each(deeper);
      case 8:
        return {
          kind: 'transaction',
          id: this.#id('transaction'),
          body: this.#sequence({ ...deeper, cancels: true, comesAgain: false }),
          canceled: this.#sequence({ ...deeper, depth: 4 }),
        };
      case 9: {
        if (around.comesAgain) return this.#sub(deeper);
        const branches = [...this.#branches(deeper), this.#sequence(deeper)];
        return { kind: 'complex', id: this.#id('complex'), branches, needed: 1 + this.#random.below(branches.length) };
      }
      case 10: {
        const works = Array.from({ length: 1 + this.#random.below(3) }, () => this.#id('work'));
        return {
          kind: 'adHoc',
          id: this.#id('adHoc'),
          works,
          enough: 1 + this.#random.below(works.length),
          sequential: this.#random.chance(0.4),
          keepsRemaining: this.#random.chance(0.4),
        };
      }
      case 11:
        return around.several ? this.#sub(deeper) : this.#call(deeper);
      default:
        return this.#sub(deeper);
    }
  }

  /** Loops that run side by side count their rounds in one variable, so a job keeps two of them from counting in the same step. */
  #round(around: Surroundings): Block {
    const body = this.#sequence(around);
    return around.several ? { kind: 'sequence', blocks: [body, { kind: 'job', id: this.#id('job') }] } : body;
  }

  #branches(around: Surroundings): Block[] {
    return Array.from({ length: 2 + this.#random.below(2) }, () => this.#sequence(around));
  }

  #each(around: Surroundings): Block {
    // A called process has no variables for an output.
    if (around.called) return this.#leaf(around);
    const id = this.#id('each');
    const body = this.#sequence({ ...around, comesAgain: false, several: true });
    const times = this.#random.below(4);
    const mode = this.#random.pick(
      this.#grammar.everything
        ? (['parallel', 'sequential', 'loop', 'until'] as const)
        : (['parallel', 'sequential', 'loop'] as const),
    );
    return { kind: 'each', id, body, times: mode === 'until' ? Math.max(1, times) : times, mode };
  }

  #sub(around: Surroundings): Block {
    const boundary = this.#random.chance(0.7) ? this.#boundary(around) : undefined;
    const handlerOn = this.#random.chance(0.25)
      ? this.#grammar.everything
        ? this.#random.pick(['message', 'error', 'escalation'] as const)
        : ('message' as const)
      : undefined;
    const outer = {
      ...around,
      catchesErrors: around.catchesErrors || boundary?.on === 'error',
      catchesEscalations: around.catchesEscalations || boundary?.on === 'escalation',
      comesAgain: false,
    };
    const handler = handlerOn && this.#handler(handlerOn, outer);
    const inside = {
      ...outer,
      catchesErrors: outer.catchesErrors || handlerOn === 'error',
      catchesEscalations: outer.catchesEscalations || handlerOn === 'escalation',
    };
    return {
      kind: 'sub',
      id: this.#id('sub'),
      body: this.#sequence(inside),
      ...(boundary && { boundary }),
      ...(handler && { handler }),
    };
  }

  #handler(on: EventHandler['on'], around: Surroundings): EventHandler {
    const id = this.#id('handler');
    const interrupting = on === 'error' || this.#random.chance(0.5);
    return { id, on, interrupting, body: this.#sequence(this.#afterEvent(around, on, interrupting)) };
  }

  #afterEvent(around: Surroundings, on: Boundary['on'], interrupting: boolean): Surroundings {
    return { ...around, depth: 4, several: true, besideThrower: on === 'escalation' && !interrupting };
  }

  #call(around: Surroundings): Block {
    const boundary = this.#random.chance(0.7) ? this.#boundary(around) : undefined;
    const inside = {
      depth: around.depth,
      called: true,
      catchesErrors: around.catchesErrors || boundary?.on === 'error',
      catchesEscalations: around.catchesEscalations || boundary?.on === 'escalation',
    };
    return { kind: 'call', id: this.#id('call'), body: this.#sequence(inside), ...(boundary && { boundary }) };
  }

  #boundary(around: Surroundings): Boundary {
    const on = this.#random.pick(
      this.#grammar.timeless
        ? (['error', 'escalation', 'message'] as const)
        : (['error', 'escalation', 'timer', 'message'] as const),
    );
    const id = this.#id('boundary');
    const interrupting = on === 'error' || this.#random.chance(0.5);
    const ms = this.#ms();
    return { id, on, interrupting, ms, then: this.#sequence(this.#afterEvent(around, on, interrupting)) };
  }

  #leaf(around: Surroundings): Block {
    const kind = this.#random.pick(around.called ? LEAVES_OF_CALLED : this.#grammar.everything ? MORE_LEAVES : LEAVES);
    if (kind === 'timer' && !this.#grammar.timeless) return { kind, id: this.#id(kind), ms: this.#ms() };
    const { catchesErrors, catchesEscalations, besideThrower } = around;
    // A failing expression is an error too, and happens at once.
    const misplaced =
      kind === 'timer' ||
      (kind === 'escalate' && !catchesEscalations) ||
      (kind === 'failing' && catchesErrors) ||
      (kind === 'rollback' && besideThrower);
    if (misplaced) return { kind: 'job', id: this.#id('job') };
    const leaf = { kind, id: this.#id(kind) } as Block;
    // A called process continues until its caller has heard of the escalation; it must not come far.
    return kind === 'escalate' && around.called
      ? { kind: 'sequence', blocks: [leaf, { kind: 'job', id: this.#id('job') }] }
      : leaf;
  }

  #deadEnd({ catchesErrors, cancels }: Surroundings): 'throw' | 'cancel' | 'terminate' | undefined {
    if (!this.#grammar.everything) return catchesErrors ? 'throw' : undefined;
    return this.#random.pick([
      ...(catchesErrors ? (['throw'] as const) : []),
      ...(cancels ? (['cancel'] as const) : []),
      'terminate',
    ] as const);
  }

  #event(): Block {
    return this.#random.chance(0.5) && !this.#grammar.timeless
      ? { kind: 'timer', id: this.#id('timer'), ms: this.#ms() }
      : { kind: 'message', id: this.#id('message') };
  }

  /** Different for every timer, so that none are due at once but those of one node. */
  #ms(): number {
    return 60_000 + this.#count * 1009 + this.#random.below(1000);
  }
}
