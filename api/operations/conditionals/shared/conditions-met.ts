/** Evaluates the conditional start events of a project with given variables. */
import type { Turns } from '@perdure/lib/fair-turns.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { conditionalDefinitions } from '../../../../store/messages/start-conditions.js';
import type { Queryable } from '../../../../store/sql/database.js';
import { conditionsInThread } from '../../../evaluation/threads.js';

/** A conditional start event of a definition. */
export interface StartCondition {
  definitionID: string;
  node: string;
  trigger: number;
}

/** `found` counts the definitions that were checked. Undefined when there are too many conditions to check. */
export type ConditionsMet = { found: number; met: StartCondition[] } | undefined;

const MAX_DURATION_MS = 10_000;

/**
 * @param definitionID restricts the check to one definition; by default, the newest version of each process is checked
 * @throws TurnRefused, TurnCanceled
 */
export async function findConditionsMet(
  { store, turns }: { store: Queryable; turns: Turns },
  projectID: string,
  definitionID: string | undefined,
  given: Variables,
): Promise<ConditionsMet> {
  const begin = performance.now();
  const work = { variables: JSON.stringify(given), now: Date.now() };
  const result = { found: 0, met: [] as StartCondition[] };
  for (let after = ''; ;) {
    const page = await conditionalDefinitions(store, { projectID, definitionID, after });
    if (page.length === 0) return result;
    for (const { definitionID: id, graph } of page) {
      if (performance.now() - begin > MAX_DURATION_MS) return undefined;
      const met = await conditionsInThread({ ...work, graph }, turns);
      if (met === undefined) return undefined;
      for (const entry of met) result.met.push({ definitionID: id, ...entry });
      result.found += 1;
    }
    after = page.at(-1)!.processID;
  }
}
