/** Validation of `startAt` before an instance is written: all of its nodes, or none. */
import { modelOf } from '@perdure/engine/model/model.js';
import { issuesOfStart } from '@perdure/engine/start-issues.js';
import { versionToStart, type StartRequest } from '../../../../store/instances/start.js';
import type { Queryable } from '../../../../store/sql/database.js';
import { notFound, problem, type Problem } from '../../../contract/problem.js';
import { graphOf } from './find-instance.js';

/** @returns the version whose nodes were checked, even if a newer one is deployed afterward; or the problem */
export async function checkPlaces(
  database: Queryable,
  request: StartRequest,
): Promise<{ definitionID: string } | Problem<'BAD_REQUEST' | 'NOT_FOUND'>> {
  const { projectID, variables, startAt = [] } = request;
  const version = await versionToStart(database, projectID, request);
  if (version === undefined) return notFound(`project ${projectID} has no such version of a process`);
  const model = modelOf(await graphOf(database, version.graphSha256));
  const issues = issuesOfStart(model, { variables, startAt }, Date.now());
  if (issues.length === 0) return { definitionID: version.definitionID };
  return problem('BAD_REQUEST', `The instance cannot start at these nodes: ${issues.join('; ')}`, {
    details: { issues },
  });
}
