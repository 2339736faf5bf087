import { z } from 'zod';
import { pageOf, timestamp, uuid } from '../../../contract/schemas.js';
import { validationIssue } from '../../resources/shared/schemas.js';

const fileState = z.enum(['CREATED', 'UNCHANGED']);

/** Result for one file of a deployment. */
const deployedFile = z
  .strictObject({
    name: z.string(),
    kind: z.enum(['BPMN', 'DMN', 'FORM', 'TEMPLATE']),
    state: fileState,
    resourceID: uuid.optional(),
    definitionID: uuid.optional(),
    formID: z.string().optional(),
    version: z.int().optional(),
    /** Of element templates, each once. */
    templateIDs: z.array(z.string()).optional(),
    processes: z
      .array(
        z.strictObject({ processID: z.string(), definitionID: uuid.optional(), version: z.int(), state: fileState }),
      )
      .optional(),
    /** Only in the answer to the deployment. */
    warnings: z.array(validationIssue).optional(),
  })
  .meta({ id: 'BpmnDeployedFile' });

/** Without `deploymentID` if nothing was deployed. */
export const deployment = z
  .strictObject({
    deploymentID: uuid.optional(),
    name: z.string().optional(),
    createdBy: z.string(),
    createdAt: timestamp,
    reason: z.string().optional(),
    files: z.array(deployedFile),
  })
  .meta({ id: 'BpmnDeployment' });

export const deploymentPage = pageOf('BpmnDeploymentPaginatedResponse', deployment);

export const deployBundleRequest = z
  .strictObject({
    name: z.string().max(255).optional(),
    files: z
      .array(z.strictObject({ name: z.string().min(1).max(255), content: z.string() }))
      .min(1)
      .max(100),
    reason: z.string().max(1000).optional(),
    dryRun: z.boolean().default(false),
  })
  .meta({ id: 'DeployBpmnBundleRequest' });
