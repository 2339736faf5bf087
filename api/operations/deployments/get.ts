import { findDeployment } from '../../../store/definitions/deployments.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { toDeployment } from './shared/deployment.js';
import { deployment } from './shared/schemas.js';

export const getBpmnDeployment = defineOperation({
  operationID: 'GetBpmnDeployment',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/deployments/{deploymentID}',
  role: 'viewer',
  summary: 'Get a deployment',
  request: { params: { deploymentID: uuid } },
  responses: { 200: { description: 'Deployment', schema: deployment } },
  problems: [],
}).handle(async ({ params: { projectID, deploymentID }, context }) => {
  const found = await findDeployment(context.store, projectID, deploymentID);
  return found === undefined
    ? notFound(`no deployment ${deploymentID} in project ${projectID}`)
    : { status: 200, body: toDeployment(found) };
});
