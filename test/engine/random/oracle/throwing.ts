/** Events that throw: errors, escalations, signals, compensation, cancellation and termination. Section numbers are those of BPMN 2.0.2. */
import type { Block } from '../blocks.js';
import type { Running } from './running.js';
import type { Scope } from './scope.js';
import type { Way } from './way.js';

type Own = Extract<Block, { kind: 'rollback' | 'throw' | 'escalate' | 'terminate' | 'cancel' | 'shout' }>;

export function throwing(running: Running, block: Own, scope: Scope, done: () => void, way: Way): void {
  const complete = (id: string) => running.complete(id);
  switch (block.kind) {
    case 'rollback':
      // Section 10.5.5.1: an event sub-process reaches what has completed in the scope it belongs to.
      for (let reached: Scope | undefined = scope; reached; reached = reached.kind.belongsTo)
        running.compensate(reached.completed.splice(0));
      complete(block.id);
      return done();
    case 'throw':
      running.job(scope, `${block.id}_job`, () => {
        complete(`${block.id}_job`);
        if (!running.raise(scope, 'error')) throw new Error('the generator lets no error through');
      });
      return way.lose();
    case 'escalate':
      return running.job(scope, `${block.id}_job`, () => {
        complete(`${block.id}_job`);
        // A caller learns of it when the event is over.
        let over = false;
        const { emptied } = scope;
        running.raise(scope, 'escalation', () => {
          complete(block.id);
          over = true;
        });
        if (scope.over || scope.emptied > emptied) return;
        if (!over) complete(block.id);
        done();
      });
    case 'terminate':
      running.job(scope, `${block.id}_job`, () => {
        complete(`${block.id}_job`);
        complete(block.id);
        running.empty(scope);
        scope.kind.finish();
      });
      return way.lose();
    case 'cancel':
      running.job(scope, `${block.id}_job`, () => {
        complete(`${block.id}_job`);
        complete(block.id);
        let transaction = scope;
        while (!transaction.kind.cancel) transaction = transaction.around!;
        transaction.kind.cancel();
      });
      return way.lose();
    case 'shout':
      return running.job(scope, `${block.id}_job`, () => {
        complete(`${block.id}_job`);
        complete(block.id);
        running.shout();
        running.job(scope, `${block.id}_after`, () => {
          complete(`${block.id}_after`);
          done();
        });
      });
  }
}
