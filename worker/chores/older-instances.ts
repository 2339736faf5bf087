/** Counts the instances that ran before their process had a limit. Several processes can run it: each takes another process. */
import { countNext } from '../../store/processes/older-instances.js';
import { firstTurn } from '../../store/turns/project-turns.js';
import { repeat, type Chore } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

export function olderInstances({ store }: { store: Database }): Chore {
  const projects = firstTurn();
  return {
    name: 'older_instances',
    every: 500,
    // Queued instances of the process wait for it.
    prompt: true,
    run: (turn) => repeat(turn, () => countNext(store, projects)),
  };
}
