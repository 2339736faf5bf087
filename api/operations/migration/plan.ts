/** A migration plan as it comes in, and what speaks against it. */
import type { z } from 'zod';
import type { Migration } from '../../../engine/commands.js';
import { migrationIssues } from '../../../engine/handlers/migrate.js';
import { modelOf, type Model } from '../../../engine/model.js';
import { findVersion } from '../../../store/definitions.js';
import { loadGraph } from '../../../store/graphs.js';
import type { Instance } from '../../../store/instances.js';
import { stateAt } from '../../../store/replay.js';
import type { ApiContext } from '../../context.js';
import { problem, type Problem } from '../../problem.js';
import { asVariables } from '../../variables.js';
import type { migrateInstanceRequest } from './schemas.js';

export type Plan = Omit<z.output<typeof migrateInstanceRequest>, 'reason'>;

/** The plan as the engine knows it, or why there is no such version to go to. */
export async function resolvePlan(
  { store }: ApiContext,
  { projectID, processID, definitionID }: { projectID: string; processID: string; definitionID: string },
  { targetVersion, elementMappings = [], variables }: Plan,
): Promise<Migration | { issue: string }> {
  const target = await findVersion(store, projectID, processID, targetVersion);
  if (!target) return { issue: `process ${processID} has no version ${targetVersion}` };
  if (target.definitionID === definitionID) return { issue: `version ${targetVersion} of process ${processID} is the one to migrate from` };
  return {
    target: { definitionID: target.definitionID, version: target.version, graphSha256: target.graphSha256 },
    mappings: elementMappings.map(({ sourceElementID, targetElementID }) => ({ source: sourceElementID, target: targetElementID })),
    ...(variables && { variables: asVariables(variables) }),
  };
}

/** Every reason why the instance as it stands now cannot be migrated; the instance itself decides when it is. */
export async function issuesOf({ store }: ApiContext, instance: Instance, migration: Migration): Promise<string[]> {
  const [model, target, { state }] = await Promise.all([
    modelBy(store, instance.graphSha256),
    modelBy(store, migration.target.graphSha256),
    stateAt(store, instance.workflowID),
  ]);
  return migrationIssues(model, state, target, migration, Date.now());
}

async function modelBy(store: ApiContext['store'], sha256: string): Promise<Model> {
  const graph = await loadGraph(store, sha256);
  if (!graph) throw new Error(`Graph ${sha256}, which a deployed definition points to, is not stored`);
  return modelOf(graph);
}

/** 400 with everything that stands in the way. */
export function refusedMigration(issues: readonly string[]): Problem<'BAD_REQUEST'> {
  return problem('BAD_REQUEST', `It cannot be migrated: ${issues.join('; ')}.`, { details: { issues } });
}
