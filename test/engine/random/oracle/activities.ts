/** Activities that hold others: sub-processes, called processes, transactions, ad-hoc sub-processes, multi-instance activities and loops. Section numbers are those of BPMN 2.0.2. */
import type { Block, Boundary, EventHandler } from '../blocks.js';
import type { Running } from './running.js';
import { Scope, type Open } from './scope.js';

/** Sections 13.3.6 and 13.3.7. */
export function each(
  running: Running,
  { id, body, times, mode }: Extract<Block, { kind: 'each' }>,
  scope: Scope,
  done: () => void,
): void {
  const counters: number[] = [];
  // Only a completed activity can be compensated, so the instances can be once all have completed.
  const all = new Scope(scope, { id, isBody: true, finish: () => undefined });
  let active = 0;
  let started = 0;
  const finish = (): void => {
    scope.inner.delete(all);
    scope.completed.push(...all.completed);
    if (mode === 'parallel' || mode === 'sequential') running.variables[`${id}_counters`] = counters;
    running.complete(id);
    done();
  };
  const begin = (): void => {
    started += 1;
    active += 1;
    const counter = started;
    const inner: Scope = new Scope(all, {
      id,
      finish: () => {
        running.leave(inner, all, id);
        counters[counter - 1] = counter;
        active -= 1;
        if (mode !== 'parallel' && started < times) begin();
        else if (active === 0 && started === times) finish();
      },
    });
    running.inScope(id, body, inner);
  };
  if (times === 0) return finish();
  if (mode !== 'parallel') return begin();
  // A burst: what completes at once must not finish the whole before all have begun.
  active += 1;
  while (started < times && !all.over) begin();
  active -= 1;
  if (active === 0 && !all.over) finish();
}

/** Section 13.3.4, with event sub-processes (13.5.4) and boundary events (13.5.3). */
export function sub(
  running: Running,
  { id, body, boundary, handler }: Extract<Block, { kind: 'sub' }>,
  scope: Scope,
  done: () => void,
): void {
  const guard = watch(running, boundary, scope, () => sub, done);
  const sub: Scope = new Scope(scope, {
    id,
    raise: (what, byHandler) => {
      if (handler?.on === what && !byHandler) handle(running, handler, sub);
      else if (boundary?.on === what) guard.caught();
      else return false;
      return true;
    },
    finish: () => {
      guard.stop();
      running.leave(sub, scope, id);
      if (boundary?.interrupting) running.complete(`${boundary.id}_merge`);
      done();
    },
  });
  guard.listen();
  if (handler?.on === 'message') listenInside(running, handler, sub);
  running.inScope(id, body, sub);
}

/** Section 13.3.4: another process; nothing of it is compensated here. */
export function call(
  running: Running,
  { id, body, boundary }: Extract<Block, { kind: 'call' }>,
  scope: Scope,
  done: () => void,
): void {
  const guard = watch(running, boundary, scope, () => called, done);
  const called: Scope = new Scope(scope, {
    id,
    isCalled: true,
    raise: (what) => {
      if (boundary?.on !== what) return false;
      guard.caught();
      return true;
    },
    finish: () => {
      guard.stop();
      running.cancel(called);
      scope.inner.delete(called);
      running.complete(`${id}_process`);
      running.complete(id);
      if (boundary?.interrupting) running.complete(`${boundary.id}_merge`);
      done();
    },
  });
  guard.listen();
  running.inScope(`${id}_process`, body, called);
}

/** Sections 10.3.5 and 13.5.3: canceling ends what runs, compensates what has completed, and leaves through the cancel boundary event. */
export function transaction(
  running: Running,
  { id, body, canceled }: Extract<Block, { kind: 'transaction' }>,
  scope: Scope,
  done: () => void,
): void {
  const merge = (): void => {
    running.complete(`${id}_canceled_merge`);
    done();
  };
  const transaction: Scope = new Scope(scope, {
    id,
    cancel: () => {
      transaction.keepCompleted();
      running.cancel(transaction);
      scope.inner.delete(transaction);
      running.compensate(transaction.completed);
      running.complete(`${id}_canceled`);
      running.runBlock(canceled, scope, merge);
    },
    finish: () => {
      running.leave(transaction, scope, id);
      merge();
    },
  });
  running.inScope(id, body, transaction);
}

/** Section 13.3.5. */
export function adHoc(
  running: Running,
  { id, works, enough, sequential, keepsRemaining }: Extract<Block, { kind: 'adHoc' }>,
  scope: Scope,
  done: () => void,
): void {
  const inner: Scope = new Scope(scope, { id, finish: () => undefined });
  const left = [...works];
  let counted = 0;
  let active = 0;
  const next = (): void => {
    const work = left.shift()!;
    active += 1;
    running.job(inner, work, () => {
      running.complete(work);
      counted += 1;
      running.complete(`${work}_count`);
      active -= 1;
      if (counted < enough) return sequential ? next() : undefined;
      if (active > 0 && keepsRemaining) return;
      running.leave(inner, scope, id);
      done();
    });
  };
  if (sequential) next();
  else while (left.length > 0) next();
}

/** The boundary event of an activity that runs in its own scope. */
function watch(
  running: Running,
  boundary: Boundary | undefined,
  scope: Scope,
  activity: () => Scope,
  done: () => void,
): { listen(): void; stop(): void; caught(): void } {
  let listening: Open | undefined;
  const stop = (): void => {
    if (listening) running.close(listening, scope);
  };
  const caught = (): void => {
    if (boundary!.interrupting) {
      stop();
      running.cancel(activity());
      scope.inner.delete(activity());
    }
    leaveBy(running, boundary!, scope, done);
  };
  const listen = (): void => {
    if (boundary?.on !== 'timer' && boundary?.on !== 'message') return;
    listening = running.wait(
      scope,
      boundary.on === 'timer' ? 'timer' : 'subscription',
      boundary.id,
      () => {
        listening = undefined;
        if (boundary.on === 'message' && !boundary.interrupting) listen();
        caught();
      },
      boundary.on === 'timer' ? { due: running.now + boundary.ms } : {},
    );
  };
  return { listen, stop, caught };
}

function leaveBy(running: Running, boundary: Boundary, scope: Scope, done: () => void): void {
  running.complete(boundary.id);
  if (boundary.interrupting) {
    return running.runBlock(boundary.then, scope, () => {
      running.complete(`${boundary.id}_merge`);
      done();
    });
  }
  scope.begin();
  running.runBlock(boundary.then, scope, () => {
    running.complete(`${boundary.id}_end`);
    scope.end();
  });
}

function listenInside(running: Running, handler: EventHandler, sub: Scope): void {
  running.wait(sub, 'subscription', `${handler.id}_start`, () => {
    if (!handler.interrupting) listenInside(running, handler, sub);
    handle(running, handler, sub);
  });
}

/** The event sub-process begins. */
function handle(running: Running, { id, interrupting, body }: EventHandler, sub: Scope): void {
  if (interrupting) running.empty(sub);
  sub.begin();
  const inner: Scope = new Scope(sub, {
    id,
    belongsTo: sub,
    finish: () => {
      running.leave(inner, sub, id);
      sub.end();
    },
  });
  running.inScope(id, body, inner);
}
