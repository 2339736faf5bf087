import { z } from 'zod';
import { pageOf, suspensionMembers, timestamp, uuid } from '../../../contract/schemas.js';
import { partialSuspensionMembers } from '../../suspension/shared/schemas.js';

const counted = z.int().describe('Number of instances, counted up to 10,000. The value 10,000 means 10,000 or more.');

export const processSummary = z
  .strictObject({
    processID: z.string(),
    processName: z.string(),
    versionCount: z.int(),
    suspendedVersionCount: z.int(),
    hasSuspendedDefinition: z.boolean(),
    runningCount: counted,
    totalCount: counted,
  })
  .meta({ id: 'BpmnProcessSummary' });

export const processSummaryPage = pageOf('BpmnProcessSummaryPaginatedResponse', processSummary);

export const processVersion = z
  .strictObject({
    id: uuid,
    resourceID: uuid,
    resourceName: z.string(),
    processID: z.string(),
    processName: z.string().optional(),
    version: z.int(),
    createdAt: timestamp,
    runningCount: counted,
    totalCount: counted,
    ...suspensionMembers,
    ...partialSuspensionMembers,
  })
  .meta({ id: 'BpmnProcessVersion' });

export const processVersionPage = pageOf('BpmnProcessVersionPaginatedResponse', processVersion);
