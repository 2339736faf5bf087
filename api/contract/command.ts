import { z } from 'zod';
import { timestamp } from './schemas.js';

/** The outcome of a command, which an instance carries out asynchronously. */
export const command = z
  .strictObject({
    commandID: z.string(),
    status: z.enum(['PENDING', 'APPLIED', 'REJECTED']),
    code: z.string().optional(),
    message: z.string().optional(),
    /** All reasons for the rejection, where there can be more than one. */
    issues: z.array(z.string()).optional(),
    appliedAt: timestamp.optional(),
  })
  .meta({ id: 'BpmnCommand' });
