import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { fieldLines } from '../../lists/fields.js';
import { show } from '../../terminal.js';
import { deployedFiles } from './deployed-files.js';

export const showDeployment: Command = {
  name: 'deployments show',
  role: 'viewer',
  operands: 'DEPLOYMENT_ID',
  summary: 'Show a deployment with its files',
  examples: ['perdure deployments show 3f0c9a52-7d1e-4a55-9c39-6f2b8f1f0f11'],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run({ operands, terminal, host }) {
    const { client, projectID } = await host();
    const params = { path: { projectID, deploymentID: operands[0]! } };
    const found = await unwrap<Schemas['BpmnDeployment']>(
      client.GET('/projects/{projectID}/bpmn/deployments/{deploymentID}', { params }),
    );
    const { deploymentID, name, createdAt, createdBy, reason, files } = found;
    show(terminal, found, () => [
      ...fieldLines({ Deployment: deploymentID, Name: name, Deployed: createdAt, By: createdBy, Reason: reason }),
      ...deployedFiles(files),
    ]);
    return exitCodes.done;
  },
};
