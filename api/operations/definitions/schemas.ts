import { z } from 'zod';
import { timestamp, uuid } from '../../schemas.js';

/** One deployed version of one process. */
export const definition = z
  .strictObject({
    id: uuid,
    resourceID: uuid,
    processID: z.string(),
    processName: z.string().optional(),
    version: z.int(),
    versionTag: z.string().optional(),
    createdAt: timestamp,
    suspendedAt: timestamp.optional(),
    suspendedBy: z.string().optional(),
    suspendReason: z.string().optional(),
  })
  .meta({ id: 'BpmnDefinition' });
