/** Finds the issues of a migration plan. */
import type { Migration } from '@perdure/engine/contract/commands.js';
import { migrationIssues, planIssues } from '@perdure/engine/handlers/migrate.js';
import { queuedMigrationIssues } from '@perdure/engine/queued-start.js';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import { loadGraph } from '../../../../store/steps/graphs.js';
import type { Instance } from '../../../../store/instances/instances.js';
import { findQueued } from '../../../../store/processes/queued-commands.js';
import { stateAt } from '../../../../store/steps/replay.js';
import type { ApiContext } from '../../../context.js';
import { problem, type Problem } from '../../../contract/problem.js';

/**
 * Every reason why the instance cannot be migrated in its current state. The instance itself decides when the migration
 * runs.
 */
export async function issuesOf(context: ApiContext, instance: Instance, migration: Migration): Promise<string[]> {
  const models = await modelsOf(context, instance.graphSha256, migration);
  return issuesBetween(context, models, instance, migration);
}

/** The models to migrate from and to. */
export interface Models {
  source: Model;
  target: Model;
}

/** @param graphSha256 content address of the graph of the source version */
export async function modelsOf({ store }: ApiContext, graphSha256: string, migration: Migration): Promise<Models> {
  const [source, target] = await Promise.all([
    modelBy(store, graphSha256),
    modelBy(store, migration.target.graphSha256),
  ]);
  return { source, target };
}

/** Like `issuesOf`, for one of many instances of the same version. */
export async function issuesBetween(
  { store }: ApiContext,
  { source, target }: Models,
  { projectID, workflowID }: Pick<Instance, 'projectID' | 'workflowID'>,
  migration: Migration,
): Promise<string[]> {
  const { state, last } = await stateAt(store, workflowID);
  const queued = last === 0 ? await findQueued(store, { projectID, workflowID }) : undefined;
  if (queued) return queuedMigrationIssues(source.graph, target.graph, queued.start, migration, Date.now());
  return migrationIssues(source, state, target, migration, Date.now());
}

/** The issues of the plan that do not depend on an instance. */
export function issuesOfPlan({ source, target }: Models, migration: Migration): string[] {
  return planIssues(source, target, migration);
}

async function modelBy(store: ApiContext['store'], sha256: string): Promise<Model> {
  const graph = await loadGraph(store, sha256);
  if (!graph) throw new Error(`Graph ${sha256} is not stored, but a deployed definition refers to it`);
  return modelOf(graph);
}

/** 400 with every issue. */
export function refusedMigration(issues: readonly string[]): Problem<'BAD_REQUEST'> {
  return problem('BAD_REQUEST', `Cannot migrate the instance: ${issues.join('; ')}`, { details: { issues } });
}
