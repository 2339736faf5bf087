import { compileResource } from '@perdure/bpmn';
import type { Turns } from '@perdure/lib/fair-turns.js';
import { definitionsOfResource } from '../../../store/definitions/definitions.js';
import { findResource, type Resource } from '../../../store/definitions/resources.js';
import { writeTestedDraft } from '../../../store/definitions/tested-draft.js';
import { testProjectOf } from '../../../store/projects/tests.js';
import { defineOperation } from '../../commands/define-operation.js';
import { variableNames } from '../../contract/audit/recording.js';
import { isProblem, notFound, type Problem } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { startedInstance } from '../instances/shared/schemas.js';
import { startOnce } from '../instances/shared/start-instance.js';
import { chooseProcess, invalidModel, issuesOf } from './shared/model.js';
import { startTestInstanceRequest } from './shared/schemas.js';
import type { Database } from '../../../store/sql/database.js';

export const startBpmnTestInstance = defineOperation({
  operationID: 'StartBpmnTestInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/resources/{resourceID}/test',
  role: 'editor',
  records: { entry: 'within', says: variableNames },
  summary: 'Start a test instance of a resource',
  description:
    'Runs a process of exactly this resource, even when a newer version is deployed. A draft is compiled as it is, and its instance is a test: it is in lists, polls, and searches only with `isTest`, ' +
    'and receives only messages and signals that are published with `isTest`. It calls deployed processes and decisions. Changing or deploying the draft changes nothing for it. It is deleted a day after its end.',
  request: { params: { resourceID: uuid }, body: startTestInstanceRequest.default({}) },
  responses: { 201: { description: 'Instance started', schema: startedInstance } },
  problems: ['CONFLICT', 'INVALID_MODEL', 'DEFINITION_SUSPENDED', 'BUSINESS_ID_TAKEN', 'LIMIT_REACHED'],
  accepts: ['Idempotency-Key'],
}).handle(async ({ params, body, caller, headers, traceContext, audit, context, turns }) => {
  const { projectID, resourceID } = params;
  const resource = await findResource(context.store, projectID, resourceID);
  if (resource === undefined) return notFound(`no resource ${resourceID} in project ${projectID}`);
  const tested =
    resource.deployedAt === null
      ? await testedDraft(context.store, resource, { processID: body.processID, testedBy: caller.subject, turns })
      : await deployedProcess(context.store, resource, body.processID);
  if (isProblem(tested)) return tested;
  const request = {
    ...tested,
    variables: body.variables ?? {},
    businessID: body.businessId,
    startedBy: caller.subject,
    traceContext,
    audit,
  };
  return startOnce(context, request, { idempotency: headers.idempotency });
});

/** The version that the test runs, and the project of the instance. */
interface Tested {
  readonly projectID: string;
  readonly definitionID: string;
}

async function deployedProcess(
  store: Database,
  { projectID, resourceID }: Resource,
  processID: string | undefined,
): Promise<Tested | Problem<'BAD_REQUEST'>> {
  const chosen = chooseProcess(await definitionsOfResource(store, projectID, resourceID), processID);
  return isProblem(chosen) ? chosen : { projectID, definitionID: chosen.definitionID };
}

async function testedDraft(
  store: Database,
  draft: Resource,
  { processID, testedBy, turns }: { processID: string | undefined; testedBy: string; turns: Turns },
): Promise<Tested | Problem<'BAD_REQUEST' | 'INVALID_MODEL' | 'NOT_FOUND'>> {
  const compiled = await compileResource(draft.xml, turns);
  if (issuesOf(compiled).errors.length > 0) return invalidModel(compiled);
  const chosen = chooseProcess(compiled.processes, processID);
  if (isProblem(chosen)) return chosen;
  const definitionIDs = await writeTestedDraft(store, draft, compiled.processes, testedBy);
  if (definitionIDs === undefined) return notFound(`project ${draft.projectID} has been deleted`);
  return { projectID: testProjectOf(draft.projectID), definitionID: definitionIDs.get(chosen.processID)! };
}
