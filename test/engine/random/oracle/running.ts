/** A run of a block-structured model: what is open in it, and the moves that all blocks are made of. */
import type { Block } from '../blocks.js';
import { variablesOf, type Values } from '../parts.js';
import { Scope, type Completed, type Open } from './scope.js';
import type { Way } from './way.js';

export abstract class Running {
  /** Milliseconds since the start. */
  now = 0;
  finished = false;
  /** How often each node has completed. */
  readonly completions = new Map<string, number>();
  readonly variables: Values;
  #open: Open[] = [];
  /** Signals that the job just done has thrown: they arrive when nothing moves. */
  #shouts = 0;
  readonly #jobs = new Map<Open, { scope: Scope; again: () => void }>();

  constructor(block: Block) {
    this.variables = variablesOf(block);
  }

  /** Variables the process starts with. */
  get start(): Values {
    return structuredClone(this.variables);
  }

  run(block: Block): void {
    const process: Scope = new Scope(undefined, { id: 'p', finish: () => this.#finishProcess(process) });
    this.inScope('p', block, process);
  }

  /** The possible next events, oldest first. */
  get open(): readonly Open[] {
    return this.#open;
  }

  /** Time goes on to the next timer; what is due happens one by one. */
  advance(): void {
    this.now = Math.min(...this.#open.flatMap(({ due }) => due ?? []));
    for (let due = this.#due(); due; due = this.#due()) due.happen();
  }

  #due(): Open | undefined {
    return this.#open.filter(({ due }) => due !== undefined && due <= this.now).sort((a, b) => a.due! - b.due!)[0];
  }

  /** A signal reaches everyone who waits now (section 10.5.5.1). */
  throwSignal(): void {
    for (const open of this.#open.filter(({ signal }) => signal)) if (this.#open.includes(open)) open.happen();
  }

  /** The variable that the events at `node` wait for becomes true (section 10.5.5.1). */
  fulfil(node: string): void {
    this.variables[`${node}_ok`] = true;
    for (const open of this.#open.filter((other) => other.kind === 'condition' && other.node === node))
      if (this.#open.includes(open)) open.happen();
  }

  /** A worker reports an error: the nearest boundary takes it (section 10.5.1). */
  failJob(open: Open): void {
    const { scope, again } = this.#jobs.get(open)!;
    this.close(open, scope);
    if (!this.raise(scope, 'error')) this.wait(scope, 'incident', open.node, again);
  }

  #finishProcess(process: Scope): void {
    this.cancel(process);
    this.complete('p');
    this.finished = true;
  }

  /**
   * Runs `block` inside `scope`; `done` is called when it is over, unless something ended it before.
   * @param way to the next join in `scope`
   */
  abstract runBlock(block: Block, scope: Scope, done: () => void, way?: Way): void;

  inScope(id: string, block: Block, scope: Scope): void {
    scope.begin();
    this.complete(`${id}_start`);
    this.runBlock(block, scope, () => {
      this.complete(`${id}_end`);
      scope.end();
    });
  }

  job(scope: Scope, node: string, done: () => void): void {
    const again = (): void => this.job(scope, node, done);
    const open = this.wait(scope, 'job', node, () => {
      done();
      while (this.#shouts > 0) {
        this.#shouts -= 1;
        this.throwSignal();
      }
    });
    this.#jobs.set(open, { scope, again });
  }

  event(block: Block, scope: Scope, happen: () => void): Open {
    if (block.kind === 'timer') return this.wait(scope, 'timer', block.id, happen, { due: this.now + block.ms });
    return this.wait(scope, 'subscription', (block as { id: string }).id, happen, { signal: block.kind === 'signal' });
  }

  /** Completed activities inside can be compensated from outside (section 13.5.5). */
  leave(inner: Scope, scope: Scope, id: string): void {
    this.cancel(inner);
    scope.inner.delete(inner);
    this.complete(id);
    if (inner.completed.length > 0) scope.completed.push({ scope: id, inside: inner.completed });
  }

  compensate(completed: Completed[]): void {
    for (const record of completed.reverse()) {
      if ('handler' in record) {
        (this.variables['trail'] as string[]).push(record.handler);
        this.complete(`undo_${record.handler}`);
        this.complete(`U${record.handler}`);
      } else {
        this.compensate(record.inside);
        this.complete(record.scope);
      }
    }
  }

  /** @param leaves called before it leaves a called process */
  raise(from: Scope, what: 'error' | 'escalation', leaves?: () => void): boolean {
    let inner: Scope | undefined;
    for (let scope: Scope | undefined = from; scope; scope = scope.around) {
      if (scope.kind.isCalled) leaves?.();
      if (scope.kind.raise?.(what, inner?.kind.belongsTo === scope)) return true;
      inner = scope;
    }
    return false;
  }

  wait(
    scope: Scope,
    kind: Open['kind'],
    node: string,
    then: () => void,
    more: Pick<Open, 'due' | 'signal'> = {},
  ): Open {
    const open: Open = {
      kind,
      node,
      ...more,
      happen: () => {
        this.close(open, scope);
        then();
      },
    };
    this.#open.push(open);
    scope.open.add(open);
    return open;
  }

  close(open: Open, scope: Scope): void {
    this.#open = this.#open.filter((other) => other !== open);
    scope.open.delete(open);
  }

  cancel(scope: Scope): void {
    this.empty(scope);
    scope.over = true;
  }

  empty(scope: Scope): void {
    for (const inner of scope.inner) this.cancel(inner);
    for (const open of scope.open) this.close(open, scope);
    scope.inner.clear();
    scope.paths = 0;
    scope.emptied += 1;
  }

  complete(node: string): void {
    this.completions.set(node, (this.completions.get(node) ?? 0) + 1);
  }

  /** Signals of the finished job arrive when nothing moves. */
  shout(): void {
    this.#shouts += 1;
  }
}
