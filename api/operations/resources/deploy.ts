import { compileResource } from '@perdure/bpmn';
import { contentKind } from '@perdure/lib/model-files/content-kind.js';
import { deployResource, findResource } from '../../../store/definitions/resources.js';
import { createdDefinitions } from '../../audit/created-definitions.js';
import { recorded } from '../../audit/recording.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { notFound, problem, type Problem } from '../../contract/problem.js';
import { refusalProblem } from '../../commands/refusal.js';
import { uuid } from '../../contract/schemas.js';
import { invalidModel, issuesOf } from './shared/model.js';
import { deployRequest } from './shared/schemas.js';

export const deployBpmnResource = defineOperation({
  operationID: 'DeployBpmnResource',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/resources/{resourceID}/deploy',
  role: 'editor',
  // The model is compiled in between, which must not hold a connection.
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Deploy a resource',
  description:
    'Makes each process of the resource the newest version of that process. A model with errors is refused with all its problems. Deploying a deployed resource again changes nothing.',
  request: { params: { resourceID: uuid }, body: deployRequest.default({}) },
  responses: { 204: { description: 'Deployed; `GET` the resource for its definitions' } },
  problems: ['INVALID_MODEL', 'CONFLICT'],
}).handle(async (input) => {
  const { params, caller, context, turns } = input;
  const { projectID, resourceID } = params;
  const resource = await findResource(context.store, projectID, resourceID);
  if (resource === undefined) return notFound(`no resource ${resourceID} in project ${projectID}`);
  const kind = contentKind(resource.xml);
  if (kind === 'DMN' || kind === 'FORM') return deployedInBundles(resourceID, kind);
  // A deployed resource was compiled before.
  const compiled = resource.deployedAt === null ? await compileResource(resource.xml, turns) : undefined;
  if (compiled && issuesOf(compiled).errors.length > 0) return invalidModel(compiled);
  return recorded(input, async (store) => {
    const outcome = await deployResource(store, {
      projectID,
      resourceID,
      xml: resource.xml,
      deployedBy: caller.subject,
      processes: compiled?.processes ?? [],
    });
    if (outcome.kind === 'refused') return refusalProblem(outcome);
    return { status: 204, audit: createdDefinitions(outcome.definitionIDs) };
  });
});

function deployedInBundles(resourceID: string, kind: 'DMN' | 'FORM'): Problem<'INVALID_MODEL'> {
  const message = `Resource ${resourceID} is a ${kind === 'DMN' ? 'DMN file' : 'form'}, which is deployed in a bundle: use POST .../bpmn/deployments.`;
  return problem('INVALID_MODEL', message, { details: { errors: [{ severity: 'error', message }], warnings: [] } });
}
