/**
 * What a block-structured model has to do, told from the tree of blocks alone: no graph, no tokens on flows, nothing of
 * the engine. Section numbers are those of BPMN 2.0.2.
 */
import type { Block, Boundary, EventHandler } from './blocks.js';
import { variablesOf, type Values } from './parts.js';
import { Scope, type Completed, type Open } from './scope.js';

export type { Open } from './scope.js';

export class Oracle {
  /** Milliseconds since the start. */
  now = 0;
  finished = false;
  /** How often each node has completed. */
  readonly completions = new Map<string, number>();
  readonly variables: Values;
  #open: Open[] = [];
  /** Signals that the job just done has thrown: they arrive when nothing moves any more. */
  #shouts = 0;

  constructor(block: Block) {
    this.variables = variablesOf(block);
  }

  /** Variables the process starts with. */
  get start(): Values {
    return structuredClone(this.variables);
  }

  run(block: Block): void {
    const process: Scope = new Scope(undefined, { id: 'p', finish: () => this.#finishProcess(process) });
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

  /** The variable that the events at `node` wait for becomes true (section 10.5.5.1). */
  fulfil(node: string): void {
    this.variables[`${node}_ok`] = true;
    for (const open of this.#open.filter((other) => other.kind === 'condition' && other.node === node)) if (this.#open.includes(open)) open.happen();
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
        for (let reached: Scope | undefined = scope; reached; reached = reached.kind.belongsTo) this.#compensate(reached.completed.splice(0));
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
          // A caller learns of it when the event is over.
          let over = false;
          const { emptied } = scope;
          this.#raise(scope, 'escalation', () => {
            complete(block.id);
            over = true;
          });
          if (scope.over || scope.emptied > emptied) return;
          if (!over) complete(block.id);
          done();
        });
      case 'terminate':
        return this.#job(scope, `${block.id}_job`, () => {
          complete(`${block.id}_job`);
          complete(block.id);
          this.#empty(scope);
          scope.kind.finish();
        });
      case 'cancel':
        return this.#job(scope, `${block.id}_job`, () => {
          complete(`${block.id}_job`);
          complete(block.id);
          let transaction = scope;
          while (!transaction.kind.cancel) transaction = transaction.around!;
          transaction.kind.cancel();
        });
      case 'shout':
        return this.#job(scope, `${block.id}_job`, () => {
          complete(`${block.id}_job`);
          complete(block.id);
          this.#shouts += 1;
          this.#job(scope, `${block.id}_after`, () => {
            complete(`${block.id}_after`);
            done();
          });
        });
      case 'condition': {
        const met = (): void => {
          complete(block.id);
          done();
        };
        if (this.variables[`${block.id}_ok`] === true) return met();
        this.#wait(scope, 'condition', block.id, met);
        break;
      }
      case 'link':
        complete(block.id);
        complete(`${block.id}_to`);
        return done();
      case 'rule':
        this.variables[`${block.id}_result`] = (this.variables['amount'] as number) * 2;
        complete(block.id);
        return done();
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
      case 'transaction':
        return this.#transaction(block, scope, done);
      case 'complex':
        return this.#complex(block, scope, done);
      case 'adHoc':
        return this.#adHoc(block, scope, done);
      case 'call':
        return this.#call(block, scope, done);
    }
  }

  #job(scope: Scope, node: string, done: () => void): void {
    const again = (): void => this.#job(scope, node, done);
    const open = this.#wait(scope, 'job', node, () => {
      done();
      while (this.#shouts > 0) {
        this.#shouts -= 1;
        this.throwSignal();
      }
    });
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
    const all = new Scope(scope, { id, isBody: true, finish: () => undefined });
    let running = 0;
    let started = 0;
    const finish = (): void => {
      scope.inner.delete(all);
      scope.completed.push(...all.completed);
      if (mode === 'parallel' || mode === 'sequential') this.variables[`${id}_counters`] = counters;
      this.#complete(id);
      done();
    };
    const begin = (): void => {
      started += 1;
      running += 1;
      const counter = started;
      const inner: Scope = new Scope(all, {
        id,
        finish: () => {
          this.#leave(inner, all, id);
          counters[counter - 1] = counter;
          running -= 1;
          if (mode !== 'parallel' && started < times) begin();
          else if (running === 0 && started === times) finish();
        },
      });
      this.#inScope(id, body, inner);
    };
    if (times === 0) return finish();
    if (mode !== 'parallel') return begin();
    // A burst: what completes at once must not finish the whole before all have begun.
    running += 1;
    while (started < times && !all.over) begin();
    running -= 1;
    if (running === 0 && !all.over) finish();
  }

  /** Section 13.3.4, with event sub-processes (13.5.4) and boundary events (13.5.3). */
  #sub({ id, body, boundary, handler }: Extract<Block, { kind: 'sub' }>, scope: Scope, done: () => void): void {
    const watch = this.#watch(boundary, scope, () => sub, done);
    const sub: Scope = new Scope(scope, {
      id,
      raise: (what, byHandler) => {
        if (handler?.on === what && !byHandler) this.#handle(handler, sub);
        else if (boundary?.on === what) watch.caught();
        else return false;
        return true;
      },
      finish: () => {
        watch.stop();
        this.#leave(sub, scope, id);
        if (boundary?.interrupting) this.#complete(`${boundary.id}_merge`);
        done();
      },
    });
    watch.listen();
    if (handler?.on === 'message') this.#listenInside(handler, sub);
    this.#inScope(id, body, sub);
  }

  /** Section 13.3.4: another process; nothing of it is compensated here. */
  #call({ id, body, boundary }: Extract<Block, { kind: 'call' }>, scope: Scope, done: () => void): void {
    const watch = this.#watch(boundary, scope, () => called, done);
    const called: Scope = new Scope(scope, {
      id,
      isCalled: true,
      raise: (what) => {
        if (boundary?.on !== what) return false;
        watch.caught();
        return true;
      },
      finish: () => {
        watch.stop();
        this.#cancel(called);
        scope.inner.delete(called);
        this.#complete(`${id}_process`);
        this.#complete(id);
        if (boundary?.interrupting) this.#complete(`${boundary.id}_merge`);
        done();
      },
    });
    watch.listen();
    this.#inScope(`${id}_process`, body, called);
  }

  /** The boundary event of an activity that runs in a scope of its own. */
  #watch(boundary: Boundary | undefined, scope: Scope, activity: () => Scope, done: () => void): { listen(): void; stop(): void; caught(): void } {
    let listening: Open | undefined;
    const stop = (): void => {
      if (listening) this.#close(listening, scope);
    };
    const caught = (): void => {
      if (boundary!.interrupting) {
        stop();
        this.#cancel(activity());
        scope.inner.delete(activity());
      }
      this.#boundary(boundary!, scope, done);
    };
    const listen = (): void => {
      if (boundary?.on !== 'timer' && boundary?.on !== 'message') return;
      listening = this.#wait(scope, boundary.on === 'timer' ? 'timer' : 'subscription', boundary.id, () => {
        listening = undefined;
        if (boundary.on === 'message' && !boundary.interrupting) listen();
        caught();
      }, boundary.on === 'timer' ? { due: this.now + boundary.ms } : {});
    };
    return { listen, stop, caught };
  }

  /** Sections 10.3.5 and 13.5.3: canceling ends what runs, compensates what has completed, and leaves through the cancel boundary event. */
  #transaction({ id, body, canceled }: Extract<Block, { kind: 'transaction' }>, scope: Scope, done: () => void): void {
    const merge = (): void => {
      this.#complete(`${id}_canceled_merge`);
      done();
    };
    const transaction: Scope = new Scope(scope, {
      id,
      cancel: () => {
        transaction.keepCompleted();
        this.#cancel(transaction);
        scope.inner.delete(transaction);
        this.#compensate(transaction.completed);
        this.#complete(`${id}_canceled`);
        this.#run(canceled, scope, merge);
      },
      finish: () => {
        this.#leave(transaction, scope, id);
        merge();
      },
    });
    this.#inScope(id, body, transaction);
  }

  /** Section 13.4.5: it starts with enough tokens, and resets when those that could still come have come. */
  #complex({ id, branches, needed }: Extract<Block, { kind: 'complex' }>, scope: Scope, done: () => void): void {
    this.#complete(id);
    scope.begin();
    let arrived = 0;
    for (const branch of branches) {
      this.#run(branch, scope, () => {
        arrived += 1;
        if (arrived === needed) {
          this.#complete(`${id}_join`);
          done();
        }
        if (arrived < branches.length || scope.over) return;
        if (arrived > needed) this.#complete(`${id}_join`);
        scope.end();
      });
      if (scope.over) return;
    }
  }

  /** Section 13.3.5. */
  #adHoc({ id, works, enough, sequential, keepsRemaining }: Extract<Block, { kind: 'adHoc' }>, scope: Scope, done: () => void): void {
    const inner: Scope = new Scope(scope, { id, finish: () => undefined });
    const left = [...works];
    let counted = 0;
    let running = 0;
    const next = (): void => {
      const work = left.shift()!;
      running += 1;
      this.#job(inner, work, () => {
        this.#complete(work);
        counted += 1;
        this.#complete(`${work}_count`);
        running -= 1;
        if (counted < enough) return sequential ? next() : undefined;
        if (running > 0 && keepsRemaining) return;
        this.#leave(inner, scope, id);
        done();
      });
    };
    if (sequential) next();
    else while (left.length > 0) next();
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

  #listenInside(handler: EventHandler, sub: Scope): void {
    this.#wait(sub, 'subscription', `${handler.id}_start`, () => {
      if (!handler.interrupting) this.#listenInside(handler, sub);
      this.#handle(handler, sub);
    });
  }

  /** The event sub-process begins. */
  #handle({ id, interrupting, body }: EventHandler, sub: Scope): void {
    if (interrupting) this.#empty(sub);
    sub.begin();
    const inner: Scope = new Scope(sub, {
      id,
      interrupting,
      belongsTo: sub,
      finish: () => {
        this.#leave(inner, sub, id);
        sub.end();
      },
    });
    this.#inScope(id, body, inner);
  }

  /** What completed inside can be compensated from outside (section 13.5.5). */
  #leave(inner: Scope, scope: Scope, id: string): void {
    this.#cancel(inner);
    scope.inner.delete(inner);
    this.#complete(id);
    if (inner.completed.length > 0) scope.completed.push({ scope: id, inside: inner.completed });
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

  /** @param leaves called before it leaves a called process */
  #raise(from: Scope, what: 'error' | 'escalation', leaves?: () => void): boolean {
    let inner: Scope | undefined;
    for (let scope: Scope | undefined = from; scope; scope = scope.around) {
      if (scope.kind.isCalled) leaves?.();
      if (scope.kind.raise?.(what, inner?.kind.interrupting === true)) return true;
      inner = scope;
    }
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
    scope.emptied += 1;
  }

  #complete(node: string): void {
    this.completions.set(node, (this.completions.get(node) ?? 0) + 1);
  }
}

/** The first branch is the default one. */
function branchesTaken(branches: Block[], taken: boolean[]): Block[] {
  const chosen = branches.filter((_, index) => index > 0 && taken[index]);
  return chosen.length > 0 ? chosen : [branches[0]!];
}
