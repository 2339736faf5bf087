import { defineOperation } from '../../commands/define-operation.js';
import { deployFiles } from './shared/deploy-files.js';
import { deployBundleRequest, deployment } from './shared/schemas.js';

export const deployBpmnBundle = defineOperation({
  operationID: 'DeployBpmnBundle',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/deployments',
  role: 'editor',
  opensProject: true,
  records: {
    entry: 'within',
    says: ({ body }) => ({ details: { name: body.name, files: body.files.map(({ name }) => name) } }),
  },
  summary: 'Deploy several files at once',
  description:
    'Deploys BPMN, DMN, and form files and element templates (`.bpmn`, `.dmn`, `.form`, `.template.json`), all of them or none, in up to 20 MiB. Files with errors are refused with all problems of all files. What equals its newest version stays UNCHANGED and gets no new version, so the same bundle can be sent again. A process is also new if something new is bound to it by `bindingType="deployment"`. 200 without `deploymentID` means that nothing is new, or that `dryRun` only asked. An element template has no versions on the host: it replaces those with its id. CONFLICT: a project with this id is being deleted, or would have too many element templates.',
  request: { body: deployBundleRequest },
  responses: {
    201: { description: 'Deployment', schema: deployment },
    200: { description: 'Result of a dry run, or of a bundle without anything new', schema: deployment },
  },
  problems: ['INVALID_MODEL', 'CONFLICT'],
  maxBodyBytes: 20 * 1024 * 1024,
  maxBodyValues: 1_000,
  deadlineSeconds: 120,
}).handle((input) => deployFiles(input, input.body, (deployed) => deployed));
