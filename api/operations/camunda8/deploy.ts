import { decodeFile, UndecodableFile } from '@perdure/lib/model-files/decode.js';
import { z } from 'zod';
import { defineOperation } from '../../commands/define-operation.js';
import { problem, type Problem } from '../../contract/problem.js';
import type { GivenFile } from '../deployments/shared/compile-bundle.js';
import { deployFiles } from '../deployments/shared/deploy-files.js';
import { camundaDeployment, toCamundaDeployment } from './shared/deployment.js';

export const deployFromModeler = defineOperation({
  operationID: 'DeployFromModeler',
  method: 'POST',
  path: '/projects/{projectID}/v2/deployments',
  role: 'editor',
  opensProject: true,
  records: {
    entry: 'within',
    says: ({ body }) => ({ details: { files: body.resources.map(({ name }) => name) } }),
  },
  summary: 'Deploy files as Camunda Modeler sends them',
  description:
    'The deployment of Camunda 8: a form with a part `resources` for each file. Has the effect of `DeployBpmnBundle`, and its answer with the members that clients of Camunda 8 read: `deploymentKey`, `tenantId`, and `deployments`. A project has no tenants: `tenantId` can only be `<default>`.',
  request: {
    body: z
      .strictObject({
        resources: z.array(z.file()).min(1).max(100),
        tenantId: z.enum(['', '<default>']).optional(),
      })
      .meta({ id: 'DeployFromModelerRequest' }),
  },
  responses: {
    201: { description: 'Deployment', schema: camundaDeployment },
    200: { description: 'Nothing is new', schema: camundaDeployment },
  },
  problems: ['INVALID_MODEL', 'CONFLICT'],
  isForm: true,
  maxBodyBytes: 20 * 1024 * 1024,
  deadlineSeconds: 120,
}).handle(async (input) => {
  const files = await decoded(input.body.resources);
  if ('kind' in files) return files;
  return deployFiles(input, { files, dryRun: false }, toCamundaDeployment);
});

async function decoded(files: readonly File[]): Promise<GivenFile[] | Problem<'BAD_REQUEST'>> {
  const given: GivenFile[] = [];
  for (const file of files) {
    if (file.name === '' || file.name.length > 255)
      return problem('BAD_REQUEST', 'The file name of a resource must have 1 to 255 characters');
    try {
      given.push({ name: file.name, content: decodeFile(new Uint8Array(await file.arrayBuffer()), file.name) });
    } catch (error) {
      if (!(error instanceof UndecodableFile)) throw error;
      return problem('BAD_REQUEST', error.message);
    }
  }
  return given;
}
