/**
 * What a block-structured model has to do, told from the tree of blocks alone: no graph, no tokens on flows, nothing of
 * the engine. Section numbers are those of BPMN 2.0.2.
 */
import type { Block, Boundary } from './blocks.js';

export interface Open {
  kind: 'job' | 'userTask' | 'timer' | 'subscription' | 'incident';
  node: string;
  /** Milliseconds since the start, of a timer. */
  due?: number;
  /** Of a subscription. */
  signal?: boolean;
  happen(): void;
}

/** What compensation finds: a handler, or a completed scope with its own. */
type Completed = { handler: string } | { scope: string; inside: Completed[] };

/** A running process or sub-process: it is over when no path is left inside. */
class Scope {
  paths = 0;
  over = false;
  readonly open = new Set<Open>();
  readonly inner = new Set<Scope>();
  completed: Completed[] = [];
  /** Of an event sub-process: the scope it belongs to. */
  belongsTo: Scope | undefined;

  constructor(
    readonly around: Scope | undefined,
    /** Gives an error or escalation to the boundary of this scope; false when nothing there catches it. */
    readonly raise: (what: 'error' | 'escalation') => boolean,
    readonly finish: () => void,
  ) {
    around?.inner.add(this);
  }

  begin(): void {
    this.paths += 1;
  }

  end(): void {
    this.paths -= 1;
    if (this.paths === 0) this.finish();
  }
}

export class Oracle {
  /** Milliseconds since the start. */
  now = 0;
  finished = false;
  /** How often each node has completed. */
  readonly completions = new Map<string, number>();
  readonly variables: { [name: string]: unknown } = { trail: [] };
  #open: Open[] = [];

  constructor(block: Block) {
    this.#declare(block);
  }

  /** Variables the process starts with. */
  get start(): { [name: string]: unknown } {
    return structuredClone(this.variables);
  }

  run(block: Block): void {
    const process = new Scope(undefined, () => false, () => this.#finishProcess(process));
    this.#inScope('p', block, process);
  }

  /** What can happen next, oldest first. */
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

  /** A worker reports an error: the nearest boundary takes it (section 10.5.1). */
  failJob(open: Open): void {
    const { scope, again } = this.#jobs.get(open)!;
    this.#close(open, scope);
    if (!this.#raise(scope, 'error')) this.#wait(scope, 'incident', open.node, again);
  }

  readonly #jobs = new Map<Open, { scope: Scope; again: () => void }>();

  #finishProcess(process: Scope): void {
    this.#cancel(process);
    this.#complete('p');
    this.finished = true;
  }

  #inScope(id: string, block: Block, scope: Scope): void {
    scope.begin();
    this.#complete(`${id}_start`);
    this.#run(block, scope, () => {
      this.#complete(`${id}_end`);
      scope.end();
    });
  }

  #run(block: Block, scope: Scope, done: () => void): void {
    const complete = (id: string) => this.#complete(id);
    switch (block.kind) {
      case 'job':
        return this.#job(scope, block.id, () => {
          complete(block.id);
          done();
        });
      case 'undoable':
        return this.#job(scope, block.id, () => {
          complete(block.id);
          scope.completed.push({ handler: block.id });
          done();
        });
      case 'user':
        this.#wait(scope, 'userTask', block.id, () => {
          complete(block.id);
          done();
        });
        break;
      case 'message':
      case 'signal':
      case 'timer':
        this.#event(block, scope, () => {
          complete(block.id);
          done();
        });
        break;
      case 'script':
        this.variables[`${block.id}_count`] = (this.variables[`${block.id}_count`] as number) + 1;
        complete(block.id);
        return done();
      case 'failing':
        return this.#failing(block.id, scope, done);
      case 'rollback':
        // Section 10.5.5.1: an event sub-process reaches what has completed in the scope it belongs to.
        for (let reached: Scope | undefined = scope; reached; reached = reached.belongsTo) this.#compensate(reached.completed.splice(0));
        complete(block.id);
        return done();
      case 'throw':
        return this.#job(scope, `${block.id}_job`, () => {
          complete(`${block.id}_job`);
          if (!this.#raise(scope, 'error')) throw new Error('the generator lets no error through');
        });
      case 'escalate':
        return this.#job(scope, `${block.id}_job`, () => {
          complete(`${block.id}_job`);
          this.#raise(scope, 'escalation');
          if (scope.over) return;
          complete(block.id);
          done();
        });
      case 'sequence': {
        const step = (index: number): void => {
          if (index === block.blocks.length) done();
          else this.#run(block.blocks[index]!, scope, () => step(index + 1));
        };
        return step(0);
      }
      case 'choice':
        complete(block.id);
        return this.#run(block.branches[block.taken]!, scope, () => {
          complete(`${block.id}_join`);
          done();
        });
      case 'parallel':
        return this.#together(block.id, block.branches, scope, done);
      case 'inclusive':
        return this.#together(block.id, branchesTaken(block.branches, block.taken), scope, done);
      case 'events': {
        const waits: Open[] = block.branches.map(({ event, then }) =>
          this.#event(event, scope, () => {
            for (const other of waits) this.#close(other, scope);
            complete(block.id);
            complete((event as { id: string }).id);
            this.#run(then, scope, () => {
              complete(`${block.id}_merge`);
              done();
            });
          }),
        );
        break;
      }
      case 'repeat': {
        const round = (): void => {
          complete(`${block.id}_merge`);
          this.#run(block.body, scope, () => {
            const rounds = (this.variables[`${block.id}_round`] as number) + 1;
            this.variables[`${block.id}_round`] = rounds;
            complete(`${block.id}_add`);
            complete(block.id);
            if (rounds % block.times !== 0) return round();
            complete(`${block.id}_out`);
            done();
          });
        };
        return round();
      }
      case 'each':
        return this.#each(block, scope, done);
      case 'sub':
        return this.#sub(block, scope, done);
    }
  }

  #job(scope: Scope, node: string, done: () => void): void {
    const again = (): void => this.#job(scope, node, done);
    const open = this.#wait(scope, 'job', node, done);
    this.#jobs.set(open, { scope, again });
  }

  #event(block: Block, scope: Scope, happen: () => void): Open {
    if (block.kind === 'timer') return this.#wait(scope, 'timer', block.id, happen, { due: this.now + block.ms });
    return this.#wait(scope, 'subscription', (block as { id: string }).id, happen, { signal: block.kind === 'signal' });
  }

  #failing(id: string, scope: Scope, done: () => void): void {
    this.#wait(scope, 'incident', id, () => {
      this.variables[`${id}_result`] = 1;
      this.#complete(id);
      done();
    });
  }

  /** Sections 13.4.1 and 13.4.3: every branch that was taken is waited for. */
  #together(id: string, branches: Block[], scope: Scope, done: () => void): void {
    this.#complete(id);
    let left = branches.length;
    for (const branch of branches) {
      this.#run(branch, scope, () => {
        left -= 1;
        if (left > 0) return;
        this.#complete(`${id}_join`);
        done();
      });
      if (scope.over) return;
    }
  }

  /** Sections 13.3.6 and 13.3.7. */
  #each({ id, body, times, mode }: Extract<Block, { kind: 'each' }>, scope: Scope, done: () => void): void {
    const counters: number[] = [];
    // Only a completed activity can be compensated, so the instances can be once all have completed.
    const completed: Completed[] = [];
    let running = 0;
    let started = 0;
    const finish = (): void => {
      scope.completed.push(...completed);
      if (mode !== 'loop') this.variables[`${id}_counters`] = counters;
      this.#complete(id);
      done();
    };
    const begin = (): void => {
      started += 1;
      running += 1;
      const counter = started;
      const inner: Scope = new Scope(scope, () => false, () => {
        this.#leave(inner, scope, id, completed);
        counters[counter - 1] = counter;
        running -= 1;
        if (mode !== 'parallel' && started < times) begin();
        else if (running === 0 && started === times) finish();
      });
      this.#inScope(id, body, inner);
    };
    if (times === 0) return finish();
    if (mode !== 'parallel') return begin();
    // A burst: what completes at once must not finish the whole before all have begun.
    running += 1;
    while (started < times && !scope.over) begin();
    running -= 1;
    if (running === 0 && !scope.over) finish();
  }

  /** Section 13.3.4, with event sub-processes (13.3.5) and boundary events (13.5.3). */
  #sub({ id, body, boundary, handler }: Extract<Block, { kind: 'sub' }>, scope: Scope, done: () => void): void {
    let listening: Open | undefined;
    const stop = (): void => {
      if (listening) this.#close(listening, scope);
    };
    const caught = (): void => {
      if (boundary!.interrupting) {
        stop();
        this.#cancel(sub);
        scope.inner.delete(sub);
      }
      this.#boundary(boundary!, scope, done);
    };
    const sub: Scope = new Scope(
      scope,
      (what) => {
        if (boundary?.on !== what) return false;
        caught();
        return true;
      },
      () => {
        stop();
        this.#leave(sub, scope, id);
        if (boundary?.interrupting) this.#complete(`${boundary.id}_merge`);
        done();
      },
    );
    const listen = (): void => {
      if (boundary?.on !== 'timer' && boundary?.on !== 'message') return;
      listening = this.#wait(scope, boundary.on === 'timer' ? 'timer' : 'subscription', boundary.id, () => {
        listening = undefined;
        if (boundary.on === 'message' && !boundary.interrupting) listen();
        caught();
      }, boundary.on === 'timer' ? { due: this.now + boundary.ms } : {});
    };
    listen();
    if (handler) this.#listenInside(handler, sub);
    this.#inScope(id, body, sub);
  }

  #boundary(boundary: Boundary, scope: Scope, done: () => void): void {
    this.#complete(boundary.id);
    if (boundary.interrupting) {
      return this.#run(boundary.then, scope, () => {
        this.#complete(`${boundary.id}_merge`);
        done();
      });
    }
    scope.begin();
    this.#run(boundary.then, scope, () => {
      this.#complete(`${boundary.id}_end`);
      scope.end();
    });
  }

  #listenInside(handler: { id: string; interrupting: boolean; body: Block }, sub: Scope): void {
    this.#wait(sub, 'subscription', `${handler.id}_start`, () => {
      if (handler.interrupting) this.#empty(sub);
      else this.#listenInside(handler, sub);
      sub.begin();
      const inner: Scope = new Scope(sub, () => false, () => {
        this.#leave(inner, sub, handler.id);
        sub.end();
      });
      inner.belongsTo = sub;
      this.#inScope(handler.id, handler.body, inner);
    });
  }

  /** What completed inside can be compensated from outside (section 13.5.5). */
  #leave(inner: Scope, scope: Scope, id: string, completed = scope.completed): void {
    this.#cancel(inner);
    scope.inner.delete(inner);
    this.#complete(id);
    if (inner.completed.length > 0) completed.push({ scope: id, inside: inner.completed });
  }

  #compensate(completed: Completed[]): void {
    for (const record of completed.reverse()) {
      if ('handler' in record) {
        (this.variables['trail'] as string[]).push(record.handler);
        this.#complete(`undo_${record.handler}`);
        this.#complete(`U${record.handler}`);
      } else {
        this.#compensate(record.inside);
        this.#complete(record.scope);
      }
    }
  }

  #raise(from: Scope, what: 'error' | 'escalation'): boolean {
    for (let scope: Scope | undefined = from; scope; scope = scope.around) if (scope.raise(what)) return true;
    return false;
  }

  #wait(scope: Scope, kind: Open['kind'], node: string, then: () => void, more: Pick<Open, 'due' | 'signal'> = {}): Open {
    const open: Open = {
      kind,
      node,
      ...more,
      happen: () => {
        this.#close(open, scope);
        then();
      },
    };
    this.#open.push(open);
    scope.open.add(open);
    return open;
  }

  #close(open: Open, scope: Scope): void {
    this.#open = this.#open.filter((other) => other !== open);
    scope.open.delete(open);
  }

  #cancel(scope: Scope): void {
    this.#empty(scope);
    scope.over = true;
  }

  #empty(scope: Scope): void {
    for (const inner of scope.inner) this.#cancel(inner);
    for (const open of scope.open) this.#close(open, scope);
    scope.inner.clear();
    scope.paths = 0;
  }

  #complete(node: string): void {
    this.completions.set(node, (this.completions.get(node) ?? 0) + 1);
  }

  #declare(block: Block): void {
    switch (block.kind) {
      case 'script':
        this.variables[`${block.id}_count`] = 0;
        return;
      case 'failing':
        this.variables[`${block.id}_fixed`] = false;
        return;
      case 'choice':
        this.variables[`${block.id}_taken`] = block.taken;
        break;
      case 'inclusive':
        this.variables[`${block.id}_taken`] = block.taken;
        break;
      case 'repeat':
        this.variables[`${block.id}_round`] = 0;
        break;
      default:
    }
    for (const part of partsOf(block)) this.#declare(part);
  }
}

/** The first branch is the default one. */
function branchesTaken(branches: Block[], taken: boolean[]): Block[] {
  const chosen = branches.filter((_, index) => index > 0 && taken[index]);
  return chosen.length > 0 ? chosen : [branches[0]!];
}

function partsOf(block: Block): Block[] {
  switch (block.kind) {
    case 'sequence':
      return block.blocks;
    case 'choice':
    case 'parallel':
    case 'inclusive':
      return block.branches;
    case 'events':
      return block.branches.flatMap(({ event, then }) => [event, then]);
    case 'repeat':
    case 'each':
      return [block.body];
    case 'sub':
      return [block.body, ...(block.boundary ? [block.boundary.then] : []), ...(block.handler ? [block.handler.body] : [])];
    default:
      return [];
  }
}
