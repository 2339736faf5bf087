import { z } from 'zod';
import { timestamp } from '../../schemas.js';

/** What became of a request that an instance carries out in its own time. */
export const command = z
  .strictObject({
    commandID: z.string(),
    status: z.enum(['PENDING', 'APPLIED', 'REJECTED']),
    code: z.string().optional(),
    message: z.string().optional(),
    /** Everything that stood in its way, where it can be more than one thing. */
    issues: z.array(z.string()).optional(),
    appliedAt: timestamp.optional(),
  })
  .meta({ id: 'BpmnCommand' });
