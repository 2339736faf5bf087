import { z } from 'zod';
import { businessId, givenTimestamp, timestamp, uuid, variables, givenIsTest } from '../../../contract/schemas.js';
import { instanceStatus } from '../../instances/shared/schemas.js';

export const searchRequest = z.strictObject({
  definitionID: uuid,
  /** The limit for FEEL texts. */
  predicate: z.string().min(1).max(16_384),
  status: instanceStatus.optional(),
  hasIncident: z.boolean().optional(),
  businessId: businessId.optional(),
  createdAfter: givenTimestamp.optional(),
  createdBefore: givenTimestamp.optional(),
  limit: z.int().min(1).max(200).default(20),
  cursor: z.string().max(1024).optional(),
  isTest: givenIsTest,
});

const searchMatch = z
  .strictObject({
    workflowID: z.string(),
    definitionID: uuid,
    status: instanceStatus,
    businessId: z.string().optional(),
    hasIncident: z.boolean(),
    createdAt: timestamp,
    /** When the variables were captured. */
    capturedAt: timestamp,
    /** Variables that the predicate names. */
    variables,
  })
  .meta({ id: 'BpmnInstanceSearchMatch' });

export const searchResponse = z
  .strictObject({
    matches: z.array(searchMatch),
    /** Null when the window is exhausted. */
    nextCursor: z.string().nullable(),
    /** `evaluated` and `predicateErrors` together. */
    scanned: z.int(),
    evaluated: z.int(),
    predicateErrors: z.int(),
    firstPredicateError: z.string().optional(),
    exhausted: z.boolean(),
    deadlineHit: z.boolean(),
  })
  .meta({ id: 'BpmnInstanceSearchResponse' });
