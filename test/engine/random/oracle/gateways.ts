/** Gateways, and loops made of them. Section numbers are those of BPMN 2.0.2. */
import type { Block } from '../blocks.js';
import type { Running } from './running.js';
import type { Open, Scope } from './scope.js';

type Own = Extract<Block, { kind: 'choice' | 'parallel' | 'inclusive' | 'complex' | 'events' | 'repeat' }>;

export function gateway(running: Running, block: Own, scope: Scope, done: () => void): void {
  const complete = (id: string) => running.complete(id);
  switch (block.kind) {
    case 'choice':
      complete(block.id);
      return running.runBlock(block.branches[block.taken]!, scope, () => {
        complete(`${block.id}_join`);
        done();
      });
    case 'parallel':
      return together(running, block.id, block.branches, scope, done);
    case 'inclusive':
      return together(running, block.id, branchesTaken(block.branches, block.taken), scope, done);
    case 'events': {
      const waits: Open[] = block.branches.map(({ event, then }) =>
        running.event(event, scope, () => {
          for (const other of waits) running.close(other, scope);
          complete(block.id);
          complete((event as { id: string }).id);
          running.runBlock(then, scope, () => {
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
        running.runBlock(block.body, scope, () => {
          const rounds = (running.variables[`${block.id}_round`] as number) + 1;
          running.variables[`${block.id}_round`] = rounds;
          complete(`${block.id}_add`);
          complete(block.id);
          if (rounds % block.times !== 0) return round();
          complete(`${block.id}_out`);
          done();
        });
      };
      return round();
    }
    case 'complex':
      return complex(running, block, scope, done);
  }
}

/** Sections 13.4.1 and 13.4.3: every branch that was taken is waited for. */
function together(running: Running, id: string, branches: Block[], scope: Scope, done: () => void): void {
  running.complete(id);
  let left = branches.length;
  for (const branch of branches) {
    running.runBlock(branch, scope, () => {
      left -= 1;
      if (left > 0) return;
      running.complete(`${id}_join`);
      done();
    });
    if (scope.over) return;
  }
}

/** The first branch is the default one. */
function branchesTaken(branches: Block[], taken: boolean[]): Block[] {
  const chosen = branches.filter((_, index) => index > 0 && taken[index]);
  return chosen.length > 0 ? chosen : [branches[0]!];
}

/** Section 13.4.5: it starts with enough tokens, and resets when those that could still come have come. */
function complex(running: Running, { id, branches, needed }: Extract<Block, { kind: 'complex' }>, scope: Scope, done: () => void): void {
  running.complete(id);
  scope.begin();
  let arrived = 0;
  for (const branch of branches) {
    running.runBlock(branch, scope, () => {
      arrived += 1;
      if (arrived === needed) {
        running.complete(`${id}_join`);
        done();
      }
      if (arrived < branches.length || scope.over) return;
      if (arrived > needed) running.complete(`${id}_join`);
      scope.end();
    });
    if (scope.over) return;
  }
}
