/** The variables that an instance began with, read from the facts of its first step. */
import type { Variables } from '@perdure/engine/contract/json.js';
import { unfolded, type Fact } from '@perdure/engine/contract/facts.js';
import { ROOT } from '@perdure/engine/state/state.js';
import type { Database } from '../sql/database.js';
import { atOneMoment, stepsBetween } from './recorded-steps.js';

/**
 * Those of its start and its data objects, and those of the message or signal that started it.
 * @returns undefined if it ended before its first step
 */
export async function readInitialVariables(database: Database, workflowID: string): Promise<Variables | undefined> {
  return atOneMoment(database, async (moment) => {
    for await (const { facts } of stepsBetween(moment, workflowID, 1, 1)) return initialVariables(unfolded(facts));
    return undefined;
  });
}

function initialVariables(facts: readonly Fact[]): Variables {
  let initial: Variables = {};
  let startNode: unknown;
  /** The start event that has occurred. */
  let started: number | undefined;
  let isWithoutElements = true;
  for (const fact of facts) {
    if (fact.kind === 'ELEMENT_DATA_SET' && fact.element === ROOT) startNode = fact.data['startNode'] ?? startNode;
    if (fact.kind === 'ELEMENT_ACTIVATED' && fact.element !== ROOT) {
      isWithoutElements = false;
      if (started === undefined && fact.node === startNode) started = fact.element;
    }
    if (fact.kind !== 'VARIABLES_SET' || fact.scope !== ROOT) continue;
    const isOfStart = isWithoutElements || (fact.by !== undefined && fact.by === started);
    if (isOfStart) initial = { ...initial, ...fact.variables };
  }
  return initial;
}
