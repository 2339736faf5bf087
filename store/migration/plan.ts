/** Resolves the plan of a migration against the versions of a process. */
import type { Migration } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { findVersion } from '../definitions/definitions.js';
import { ordinaryProjectOf } from '../projects/tests.js';
import type { Queryable } from '../sql/database.js';

export interface MigrationPlan {
  targetVersion: number;
  elementMappings?: { sourceElementID: string; targetElementID: string }[] | undefined;
  variables?: Variables | undefined;
}

export interface Source {
  projectID: string;
  processID: string;
  definitionID: string;
}

/** The plan in the form of the engine, or the issue with its target version. Tests migrate to deployed versions too. */
export async function resolvePlan(
  database: Queryable,
  { projectID, processID, definitionID }: Source,
  { targetVersion, elementMappings = [], variables }: MigrationPlan,
): Promise<Migration | { issue: string; isTarget: boolean }> {
  const target = await findVersion(database, ordinaryProjectOf(projectID), processID, targetVersion);
  if (!target) return { issue: `Process ${processID} has no version ${targetVersion}`, isTarget: false };
  if (target.definitionID === definitionID)
    return {
      issue: `Version ${targetVersion} of process ${processID} is both the source and the target`,
      isTarget: true,
    };
  return {
    target: { definitionID: target.definitionID, version: target.version, graphSha256: target.graphSha256 },
    mappings: elementMappings.map(({ sourceElementID, targetElementID }) => ({
      source: sourceElementID,
      target: targetElementID,
    })),
    ...(variables && { variables }),
  };
}
