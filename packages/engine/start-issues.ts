/** Validation of a start at given nodes, before an instance is written. */
import { recordStart } from './behaviors/lifecycle/instance.js';
import { openScope } from './behaviors/lifecycle/scopes.js';
import { placeAll } from './behaviors/lifecycle/start-places.js';
import type { StartInput } from './contract/commands.js';
import type { Model } from './model/model.js';
import { newRun } from './new-run.js';
import { newState } from './state/state.js';

/**
 * Every reason against starting an instance at the nodes of `startAt`, by starting it on an empty state.
 * @param now epoch milliseconds
 */
export function issuesOfStart(model: Model, start: StartInput, now: number): string[] {
  const run = newRun(model, newState('start'), now);
  const root = recordStart(run, start);
  const opened = openScope(run, root, model.root);
  return [...(opened.ok ? [] : [opened.failure.message]), ...placeAll(run, start.startAt ?? [])];
}
