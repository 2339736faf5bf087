/**
 * Evaluates the conditional start events of a project with given variables, without blocking the event loop or the
 * caller for long.
 */
import { setImmediate as otherWork } from 'node:timers/promises';
import { entryPoints } from '@perdure/engine/model/entry-points.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { modelOf } from '@perdure/engine/model/model.js';
import { evaluate } from '@perdure/feel/evaluate.js';
import { conditionalDefinitions, type ConditionalDefinition } from '../../../../store/messages/start-conditions.js';
import type { ApiContext } from '../../../context.js';

/** A conditional start event of a definition. */
export interface StartCondition {
  definitionID: string;
  node: string;
  trigger: number;
}

/** `found` counts the definitions that were checked. Undefined when there are too many to check in time. */
export type ConditionsMet = { found: number; met: StartCondition[] } | undefined;

/** A few milliseconds on any machine. A condition that takes longer counts as false. */
const STEPS_PER_CONDITION = 30_000;
const MAX_DURATION_MS = 10_000;
const DEFINITIONS_PER_PAGE = 50;

/**
 * @param definitionID restricts the check to one definition; by default, the newest version of each process is checked
 */
export async function findConditionsMet(
  { store }: ApiContext,
  projectID: string,
  definitionID: string | undefined,
  given: Variables,
): Promise<ConditionsMet> {
  const begin = performance.now();
  const result = { found: 0, met: [] as StartCondition[] };
  for (let after = ''; ;) {
    const page = await conditionalDefinitions(store, { projectID, definitionID, after, limit: DEFINITIONS_PER_PAGE });
    for (const definition of page) {
      if (performance.now() - begin > MAX_DURATION_MS) return undefined;
      result.met.push(...conditionsOf(definition, given));
      result.found += 1;
      await otherWork();
    }
    if (page.length < DEFINITIONS_PER_PAGE) return result;
    after = page.at(-1)!.processID;
  }
}

/** Evaluated as in the engine: strict, in UTC. */
function conditionsOf({ definitionID, graph }: ConditionalDefinition, given: Variables): StartCondition[] {
  const model = modelOf(graph);
  const now = Date.now();
  const holding = entryPoints(model, now).filter(({ what }) => {
    if (what.kind !== 'conditional') return false;
    const condition = model.resolve(what.condition);
    if ('literal' in condition) return condition.literal === true;
    const outcome = evaluate(condition.compiled, given, {
      now,
      mode: 'strict',
      budget: { steps: STEPS_PER_CONDITION },
    });
    return outcome.ok && outcome.value === true;
  });
  return holding.map(({ node, trigger }) => ({ definitionID, node, trigger }));
}
