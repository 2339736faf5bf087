/** Gateways, and loops made of them. Section numbers are those of BPMN 2.0.2. */
import type { Block } from '../blocks.js';
import type { Running } from './running.js';
import type { Open, Scope } from './scope.js';
import { Way } from './way.js';

type Own = Extract<Block, { kind: 'choice' | 'parallel' | 'inclusive' | 'complex' | 'events' | 'repeat' }>;

export function gateway(running: Running, block: Own, scope: Scope, done: () => void, way: Way): void {
  const complete = (id: string) => running.complete(id);
  switch (block.kind) {
    case 'choice':
      complete(block.id);
      return running.runBlock(
        block.branches[block.taken]!,
        scope,
        () => {
          complete(`${block.id}_join`);
          done();
        },
        way,
      );
    case 'parallel':
      return parallel(running, block, scope, done, way);
    case 'inclusive':
      return inclusive(running, block, scope, done, way);
    case 'events': {
      const waits: Open[] = block.branches.map(({ event, then }) =>
        running.event(event, scope, () => {
          for (const other of waits) running.close(other, scope);
          complete(block.id);
          complete((event as { id: string }).id);
          running.runBlock(
            then,
            scope,
            () => {
              complete(`${block.id}_merge`);
              done();
            },
            way,
          );
        }),
      );
      break;
    }
    case 'repeat': {
      const round = (): void => {
        complete(`${block.id}_merge`);
        running.runBlock(
          block.body,
          scope,
          () => {
            const rounds = (running.variables[`${block.id}_round`] as number) + 1;
            running.variables[`${block.id}_round`] = rounds;
            complete(`${block.id}_add`);
            complete(block.id);
            if (rounds % block.times !== 0) return round();
            complete(`${block.id}_out`);
            done();
          },
          way,
        );
      };
      return round();
    }
    case 'complex':
      return complex(running, block, scope, done, way);
  }
}

/** Section 13.4.1: every branch is waited for, one that cannot come any more as well. */
function parallel(
  running: Running,
  { id, branches }: Extract<Block, { kind: 'parallel' }>,
  scope: Scope,
  done: () => void,
  way: Way,
): void {
  running.complete(id);
  const came = tally(branches.length, ({ arrived }) => {
    if (arrived === 0) return way.lose();
    if (arrived < branches.length) return;
    running.complete(`${id}_join`);
    done();
  });
  runBranches(running, branches, { scope, way }, came);
}

/** Section 13.4.3: every branch that was taken is waited for, as long as it can come. */
function inclusive(
  running: Running,
  { id, branches, taken }: Extract<Block, { kind: 'inclusive' }>,
  scope: Scope,
  done: () => void,
  way: Way,
): void {
  running.complete(id);
  const chosen = branchesTaken(branches, taken);
  const came = tally(chosen.length, ({ arrived, missing }) => {
    if (arrived === 0) return way.lose();
    for (let path = 0; path < missing; path += 1) scope.begin();
    running.complete(`${id}_join`);
    done();
  });
  runBranches(running, chosen, { scope, way }, came);
}

interface Tally {
  /** Branches that have come to the join. */
  arrived: number;
  /** Branches that cannot come to it; what is in them continues. */
  missing: number;
}

interface Coming {
  arrive(): void;
  miss(): void;
}

/** Calls `all` once each of `branches` has arrived or cannot. */
function tally(branches: number, all: (tally: Tally) => void): Coming {
  const counted: Tally = { arrived: 0, missing: 0 };
  const count = (what: keyof Tally) => (): void => {
    counted[what] += 1;
    if (counted.arrived + counted.missing === branches) all(counted);
  };
  return { arrive: count('arrived'), miss: count('missing') };
}

function runBranches(
  running: Running,
  branches: readonly Block[],
  { scope, way }: { scope: Scope; way: Way },
  { arrive, miss }: Coming,
): void {
  for (const branch of branches) {
    const own = new Way(way, miss);
    const come = (): void => {
      own.arrive();
      arrive();
    };
    running.runBlock(branch, scope, come, own);
    if (scope.over) return;
  }
}

/** The first branch is the default one. */
function branchesTaken(branches: Block[], taken: boolean[]): Block[] {
  const chosen = branches.filter((_, index) => index > 0 && taken[index]);
  return chosen.length > 0 ? chosen : [branches[0]!];
}

/** Section 13.4.5: it starts with enough tokens, and resets when those that could still come have come. */
function complex(
  running: Running,
  { id, branches, needed }: Extract<Block, { kind: 'complex' }>,
  scope: Scope,
  done: () => void,
  way: Way,
): void {
  running.complete(id);
  scope.begin();
  way.follow();
  const came = tally(branches.length, ({ arrived, missing }) => {
    if (arrived === 0) way.lose();
    if (arrived === 0 || arrived >= needed) way.unfollow();
    if (arrived < needed || scope.over) return;
    if (arrived > needed) running.complete(`${id}_join`);
    if (missing === 0) scope.end();
  });
  let arrived = 0;
  runBranches(
    running,
    branches,
    { scope, way },
    {
      miss: came.miss,
      arrive: () => {
        arrived += 1;
        if (arrived === needed) {
          running.complete(`${id}_join`);
          done();
        }
        came.arrive();
      },
    },
  );
}
