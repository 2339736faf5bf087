import { z } from 'zod';
import { batchOperations, batchStatuses, itemStatuses } from '../../../../store/batches/batches.js';
import { pageOf, reason, timestamp, uuid } from '../../../contract/schemas.js';
import { elementMapping } from '../../migration/shared/schemas.js';
import { batchIncidentFilter, batchInstanceFilter } from './request.js';

const names = z.array(z.string()).optional();

export const batch = z
  .strictObject({
    batchID: uuid,
    operation: z.enum(batchOperations),
    status: z.enum(batchStatuses),
    createdBy: z.string(),
    createdAt: timestamp,
    completedAt: timestamp.optional(),
    reason: z.string().optional(),
    itemsPerSecond: z.int(),
    filter: batchInstanceFilter.optional(),
    incidentFilter: batchIncidentFilter.optional(),
    /** The names of the variables that it sets. */
    names,
    migration: z
      .strictObject({ targetVersion: z.int(), elementMappings: z.array(elementMapping).optional(), names })
      .optional(),
    instructions: z
      .array(z.strictObject({ type: z.enum(['START_BEFORE_NODE', 'CANCEL_TOKEN']), nodeID: z.string(), names }))
      .optional(),
    /** The node whose timers it fires. */
    nodeID: z.string().optional(),
    total: z.int(),
    counts: z.strictObject({
      pending: z.int(),
      applied: z.int(),
      failedAgain: z.int(),
      rejected: z.int(),
      skipped: z.int(),
      canceled: z.int(),
    }),
  })
  .meta({ id: 'BpmnBatch' });

export const batchPage = pageOf('BpmnBatchPaginatedResponse', batch);

export const batchItem = z
  .strictObject({
    position: z.int(),
    workflowID: z.string(),
    /** The incident to resolve; the new one if the activity failed again. */
    incidentID: z.string().optional(),
    status: z.enum(itemStatuses),
    code: z.string().optional(),
    message: z.string().optional(),
    issues: z.array(z.string()).optional(),
    commandID: uuid.optional(),
    processedAt: timestamp.optional(),
  })
  .meta({ id: 'BpmnBatchItem' });

export const batchItemPage = pageOf('BpmnBatchItemPaginatedResponse', batchItem);

export const acceptedBatch = z.strictObject({ batchID: uuid, total: z.int() }).meta({ id: 'AcceptedBpmnBatch' });

export const previewedBatch = z
  .strictObject({
    total: z.int(),
    /** The first 20. */
    workflowIDs: z.array(z.string()).optional(),
    incidentIDs: z.array(z.string()).optional(),
  })
  .meta({ id: 'PreviewedBpmnBatch' });

export const controlBatchRequest = z.strictObject({ reason }).meta({ id: 'ControlBpmnBatchRequest' });
