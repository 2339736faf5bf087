/**
 * Block-structured models: a tree of blocks from which both the BPMN file and the oracle's expectation are made.
 *
 * What ends something else (an error, an interrupting escalation) stands behind a job of its own, so that nothing else
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
  | { kind: 'sequence'; blocks: Block[] }
  /** `taken`: index of the branch. */
  | { kind: 'choice'; id: string; branches: Block[]; taken: number }
  | { kind: 'parallel'; id: string; branches: Block[] }
  /** `taken`: which branches. */
  | { kind: 'inclusive'; id: string; branches: Block[]; taken: boolean[] }
  | { kind: 'events'; id: string; branches: { event: Block; then: Block }[] }
  | { kind: 'repeat'; id: string; body: Block; times: number }
  /** Multi-instance or a standard loop around a sub-process. */
  | { kind: 'each'; id: string; body: Block; times: number; mode: 'parallel' | 'sequential' | 'loop' }
  | { kind: 'sub'; id: string; body: Block; boundary?: Boundary; handler?: EventHandler };

export interface Boundary {
  id: string;
  on: 'error' | 'escalation' | 'timer' | 'message';
  interrupting: boolean;
  ms: number;
  then: Block;
}

/** An event sub-process that a message starts. */
export interface EventHandler {
  id: string;
  interrupting: boolean;
  body: Block;
}

interface Surroundings {
  depth: number;
  /** Something around catches every error. */
  catchesErrors: boolean;
  /** Something around catches every escalation. */
  catchesEscalations: boolean;
}

/** Makes a random model; the same seed makes the same one. */
export class BlockGenerator {
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
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
    switch (this.#random.below(8)) {
      case 0: {
        const branches = this.#branches(deeper);
        // A branch that ends in an error needs another one that goes on.
        if (around.catchesErrors && this.#random.chance(0.5)) branches.push({ kind: 'throw', id: this.#id('throw') });
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
        return { kind: 'events', id: this.#id('events'), branches: Array.from({ length: 2 }, () => ({ event: this.#event(), then: this.#sequence(deeper) })) };
      case 4:
        return { kind: 'repeat', id: this.#id('repeat'), body: this.#sequence(deeper), times: 1 + this.#random.below(3) };
      case 5:
        return { kind: 'each', id: this.#id('each'), body: this.#sequence(deeper), times: this.#random.below(4), mode: this.#random.pick(['parallel', 'sequential', 'loop'] as const) };
      default:
        return this.#sub(deeper);
    }
  }

  #branches(around: Surroundings): Block[] {
    return Array.from({ length: 2 + this.#random.below(2) }, () => this.#sequence(around));
  }

  #sub(around: Surroundings): Block {
    const boundary = this.#random.chance(0.7) ? this.#boundary(around) : undefined;
    const inside = {
      depth: around.depth,
      catchesErrors: around.catchesErrors || boundary?.on === 'error',
      catchesEscalations: around.catchesEscalations || boundary?.on === 'escalation',
    };
    const handler = this.#random.chance(0.25) ? { id: this.#id('handler'), interrupting: this.#random.chance(0.5), body: this.#sequence({ ...inside, depth: 4 }) } : undefined;
    return { kind: 'sub', id: this.#id('sub'), body: this.#sequence(inside), ...(boundary && { boundary }), ...(handler && { handler }) };
  }

  #boundary(around: Surroundings): Boundary {
    const on = this.#random.pick(['error', 'escalation', 'timer', 'message'] as const);
    return { id: this.#id('boundary'), on, interrupting: on === 'error' || this.#random.chance(0.5), ms: this.#ms(), then: this.#sequence({ ...around, depth: 4 }) };
  }

  #leaf({ catchesErrors, catchesEscalations }: Surroundings): Block {
    const kind = this.#random.pick(['job', 'job', 'user', 'script', 'timer', 'message', 'signal', 'failing', 'undoable', 'undoable', 'rollback', 'escalate'] as const);
    if (kind === 'timer') return { kind, id: this.#id(kind), ms: this.#ms() };
    // A failing expression is an error too, and happens at once.
    if ((kind === 'escalate' && !catchesEscalations) || (kind === 'failing' && catchesErrors)) return { kind: 'job', id: this.#id('job') };
    return { kind, id: this.#id(kind) };
  }

  #event(): Block {
    return this.#random.chance(0.5) ? { kind: 'timer', id: this.#id('timer'), ms: this.#ms() } : { kind: 'message', id: this.#id('message') };
  }

  /** Different for every timer, so that none are due at once but those of one node. */
  #ms(): number {
    return 60_000 + this.#count * 1009 + this.#random.below(1000);
  }
}
