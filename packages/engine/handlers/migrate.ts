/**
 * Migrating to another version of the process. As with a modification, it is first carried out on a copy of the state,
 * so that all reasons against it are found before anything has happened.
 */
import { roomAt } from '../behaviors/lifecycle/capacity.js';
import { setLocal } from '../behaviors/data/variables.js';
import { cancelWait } from '../behaviors/waiting/waits.js';
import type { Migration } from '../contract/commands.js';
import { checkActive } from '../migration/activities.js';
import { cancelMissing, listenerMoves, moveListeners } from '../migration/execution-listeners.js';
import { listenerChanges, openListeners } from '../migration/listeners.js';
import { Mapping } from '../migration/mapping.js';
import { cancelMissingOfTasks, moveTaskListeners, taskMoves } from '../migration/task-listeners.js';
import type { Model } from '../model/model.js';
import { newRun } from '../new-run.js';
import { record, type Run } from '../run.js';
import { copyState, ROOT, type State } from '../state/state.js';
import { APPLIED, rejected, type Handler } from './handler.js';

export const migrate: Handler<'MIGRATE'> = (run, command) => {
  const { target } = command;
  if (run.state.definition?.definitionID === target.definitionID)
    return rejected('CONFLICT', `The instance already runs version ${target.version}`);
  const model = run.targets.get(target.graphSha256);
  if (!model) throw new Error(`The step needs graph ${target.graphSha256} to migrate to, which the host must provide`);
  const issues = migrationIssues(run.model, run.state, model, command, run.now);
  if (issues.length > 0) return { ...rejected('BAD_REQUEST', issues.join('; ')), issues };
  migrateTo(run, model, command);
  return APPLIED;
};

/**
 * All reasons why an instance in this state cannot continue with `target`; empty if it can. Changes nothing.
 * @param now epoch milliseconds, for names and timers that are expressions
 */
export function migrationIssues(
  model: Model,
  state: State,
  target: Model,
  migration: Migration,
  now: number,
): string[] {
  return migrateTo(newRun(model, copyState(state), now), target, migration);
}

/** Problems of the plan itself, independent of the instance. */
export function planIssues(model: Model, target: Model, { mappings }: Migration): string[] {
  return new Mapping(model, target, mappings).issues;
}

function migrateTo(run: Run, target: Model, { mappings, variables, target: definition }: Migration): string[] {
  const mapping = new Mapping(run.model, target, mappings);
  checkActive(run, mapping);
  const changes = listenerChanges(run, mapping);
  const moves = listenerMoves(run, mapping);
  const ofTasks = taskMoves(run, mapping);
  if (mapping.issues.length > 0) return mapping.issues;
  if (variables) {
    const room = roomAt(run, run.state.elements[ROOT]!, variables);
    if (!room.ok) return [room.failure.message];
    setLocal(run, run.state.elements[ROOT]!, variables);
  }
  for (const wait of changes.closed) cancelWait(run, wait, 'the instance was migrated');
  cancelMissing(run, moves);
  cancelMissingOfTasks(run, ofTasks);
  const { definitionID, version, graphSha256 } = definition;
  record(run, { kind: 'INSTANCE_MIGRATED', target: { definitionID, version, graphSha256 }, ...mapping.renamings() });
  moveListeners(run, moves);
  moveTaskListeners(run, ofTasks);
  run.model = target;
  return openListeners(run, changes);
}
