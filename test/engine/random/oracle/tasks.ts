/** Elements that complete at once or wait for one event: tasks, catch events, links. */
import type { Block } from '../blocks.js';
import type { Running } from './running.js';
import type { Scope } from './scope.js';

type Own = Extract<
  Block,
  {
    kind:
      | 'job'
      | 'undoable'
      | 'user'
      | 'message'
      | 'signal'
      | 'timer'
      | 'script'
      | 'rule'
      | 'failing'
      | 'condition'
      | 'link';
  }
>;

export function task(running: Running, block: Own, scope: Scope, done: () => void): void {
  const complete = (id: string) => running.complete(id);
  switch (block.kind) {
    case 'job':
      return running.job(scope, block.id, () => {
        complete(block.id);
        done();
      });
    case 'undoable':
      return running.job(scope, block.id, () => {
        complete(block.id);
        scope.completed.push({ handler: block.id });
        done();
      });
    case 'user':
      running.wait(scope, 'userTask', block.id, () => {
        complete(block.id);
        done();
      });
      break;
    case 'message':
    case 'signal':
    case 'timer':
      running.event(block, scope, () => {
        complete(block.id);
        done();
      });
      break;
    case 'script':
      running.variables[`${block.id}_count`] = (running.variables[`${block.id}_count`] as number) + 1;
      complete(block.id);
      return done();
    case 'failing':
      return failing(running, block.id, scope, done);
    case 'condition': {
      const met = (): void => {
        complete(block.id);
        done();
      };
      if (running.variables[`${block.id}_ok`] === true) return met();
      running.wait(scope, 'condition', block.id, met);
      break;
    }
    case 'link':
      complete(block.id);
      complete(`${block.id}_to`);
      return done();
    case 'rule':
      running.variables[`${block.id}_result`] = (running.variables['amount'] as number) * 2;
      complete(block.id);
      return done();
  }
}

function failing(running: Running, id: string, scope: Scope, done: () => void): void {
  running.wait(scope, 'incident', id, () => {
    running.variables[`${id}_result`] = 1;
    running.complete(id);
    done();
  });
}
