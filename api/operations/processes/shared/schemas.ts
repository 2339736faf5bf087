import { z } from 'zod';
import { DEFAULT_SETTINGS, fullness, uniqueness } from '../../../../store/processes/settings.js';
import { isEmptyExpression, pageOf, reason, suspensionMembers, timestamp, uuid } from '../../../contract/schemas.js';
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

const settings = {
  uniqueBusinessId: z.enum(uniqueness),
  concurrentInstances: z.int().min(1).max(100_000),
  concurrencyKey: z
    .string()
    .max(16_384)
    .refine((text) => !isEmptyExpression(text), { error: 'is empty' })
    .describe('FEEL over the start variables. A text, a number, or a boolean; null is the group without a key'),
  whenFull: z.enum(fullness),
  maxQueued: z.int().min(1).max(1_000_000),
};

export const processSettings = z
  .strictObject({
    uniqueBusinessId: settings.uniqueBusinessId,
    concurrentInstances: settings.concurrentInstances.optional(),
    concurrencyKey: z.string().optional(),
    whenFull: settings.whenFull,
    maxQueued: settings.maxQueued,
  })
  .meta({ id: 'BpmnProcessSettings' });

export const putProcessSettingsRequest = z
  .strictObject({
    uniqueBusinessId: settings.uniqueBusinessId.default(DEFAULT_SETTINGS.uniqueBusinessID),
    concurrentInstances: settings.concurrentInstances.optional(),
    concurrencyKey: settings.concurrencyKey.optional(),
    whenFull: settings.whenFull.default(DEFAULT_SETTINGS.whenFull),
    maxQueued: settings.maxQueued.default(DEFAULT_SETTINGS.maxQueued),
    reason,
  })
  .meta({ id: 'PutBpmnProcessSettingsRequest' });
