import type { z } from 'zod';
import { incidentIDOf, type Batch, type BatchItem } from '../../../../store/batches/batches.js';
import { commandIDOf } from '../../../../store/batches/items.js';
import { optional, optionalTime, time } from '../../../contract/wire.js';
import type { batch, batchItem } from './schemas.js';

export function toBatch(found: Batch): z.output<typeof batch> {
  const { batchID, operation, status, createdBy, itemsPerSecond, total, shown, counts } = found;
  return {
    batchID,
    operation,
    status,
    createdBy,
    createdAt: time(found.createdAt),
    completedAt: optionalTime(found.completedAt),
    reason: optional(found.reason),
    itemsPerSecond,
    [operation === 'RESOLVE' ? 'incidentFilter' : 'filter']: optional(found.filter),
    ...shown,
    total,
    counts: {
      pending: counts.PENDING,
      applied: counts.APPLIED,
      failedAgain: counts.FAILED_AGAIN,
      rejected: counts.REJECTED,
      skipped: counts.SKIPPED,
      canceled: counts.CANCELED,
    },
  };
}

export function toBatchItem(item: BatchItem): z.output<typeof batchItem> {
  const { batchID, position, workflowID, status, commandNumber } = item;
  return {
    position,
    workflowID,
    incidentID: incidentIDOf(item),
    status,
    code: optional(item.code),
    message: optional(item.message),
    issues: optional(item.issues),
    commandID: commandNumber === null ? undefined : commandIDOf(batchID, position),
    processedAt: optionalTime(item.processedAt),
  };
}
