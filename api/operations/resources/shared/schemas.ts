import { z } from 'zod';
import {
  reason,
  businessId,
  modelIdentifier,
  omitted,
  pageOf,
  suspensionMembers,
  timestamp,
  uuid,
} from '../../../contract/schemas.js';
import { givenVariables } from '../../../contract/variables.js';

/** One problem of a model. */
export const validationIssue = z
  .strictObject({ severity: z.enum(['error', 'warning']), elementID: z.string().optional(), message: z.string() })
  .meta({ id: 'BpmnValidationIssue' });

export const validateResponse = z
  .strictObject({ errors: z.array(validationIssue), warnings: z.array(validationIssue) })
  .meta({ id: 'BpmnValidateResponse' });

const resourceMembers = {
  id: uuid,
  name: z.string(),
  xml: z.string(),
  definitionsID: z.string(),
  isDeployed: z.boolean(),
  deployedAt: timestamp.optional(),
  createdBy: z.string(),
  createdAt: timestamp,
};

export const resource = z
  .strictObject({ ...resourceMembers, xmlOmitted: omitted('`xml` is empty') })
  .meta({ id: 'BpmnResource' });

/** A process that a deployed resource defines. */
export const processDefinition = z
  .strictObject({
    id: uuid,
    resourceID: uuid,
    processID: z.string(),
    processName: z.string().optional(),
    version: z.int(),
    createdAt: timestamp,
    ...suspensionMembers,
  })
  .meta({ id: 'BpmnProcessDefinition' });

export const resourceDetail = z
  .strictObject({
    ...resourceMembers,
    /** Whether one of its processes is suspended. */
    hasSuspendedDefinition: z.boolean(),
    processes: z.array(processDefinition).optional(),
    /** Problems that would prevent the deployment of a draft. */
    warnings: z.array(validationIssue).optional(),
  })
  .meta({ id: 'BpmnResourceDetail' });

export const resourcePage = pageOf('BpmnResourcePaginatedResponse', resource);

export const resourceSummary = z
  .strictObject({
    definitionsID: z.string(),
    latestResourceID: uuid,
    name: z.string(),
    versionCount: z.int(),
    isDeployed: z.boolean(),
    /** Whether a process of one of its revisions is suspended. */
    hasSuspendedDefinition: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: 'BpmnResourceSummary' });

export const resourceSummaryPage = pageOf('BpmnResourceSummaryPaginatedResponse', resourceSummary);

export const createResourceRequest = z
  .strictObject({ name: z.string().trim().min(1).max(255), xml: z.string().min(1) })
  .meta({ id: 'CreateBpmnResourceRequest' });

export const deployRequest = z.strictObject({ reason }).meta({ id: 'DeployBpmnResourceRequest' });

export const validateRequest = z.strictObject({ xml: z.string() }).meta({ id: 'ValidateBpmnResourceRequest' });

export const startTestInstanceRequest = z
  .strictObject({
    processID: modelIdentifier.optional(),
    variables: givenVariables.optional(),
    businessId: businessId.optional(),
  })
  .meta({ id: 'StartBpmnTestInstanceRequest' });
