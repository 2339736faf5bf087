import { z } from 'zod';
import { duration } from '../../../contract/duration.js';
import { modelIdentifier } from '../../../contract/schemas.js';

const nodeID = modelIdentifier.optional().describe('Absent for the instance as a whole.');

const shortest = 1;
const longest = 366 * 24 * 60 * 60;

export const targets = z
  .strictObject({ targets: z.array(z.strictObject({ nodeID, duration: z.string() })) })
  .meta({ id: 'BpmnTargets' });

export const putTargetsRequest = z
  .strictObject({
    targets: z
      .array(z.strictObject({ nodeID, duration: duration({ minimumSeconds: shortest, maximumSeconds: longest }) }))
      .max(100)
      .refine((given) => new Set(given.map((target) => target.nodeID)).size === given.length, {
        error: 'must have at most one target for each node, and one for the instance',
      }),
  })
  .meta({ id: 'PutBpmnTargetsRequest' });
