import { z } from 'zod';
import { duration } from '../../../contract/duration.js';
import { pageOf, reason, timestamp } from '../../../contract/schemas.js';

/** Any text, URL-encoded. */
export const taskType = z.string().min(1).max(255);

const maxCount = 100_000;
const count = z.int().min(1).max(maxCount);

export const limit = z
  .strictObject({
    taskType: z.string(),
    /** How many jobs of a key are leased at once. */
    concurrent: z.int().optional(),
    /** How many jobs of a key are leased in any window of this duration. */
    rate: z.strictObject({ count: z.int(), per: z.string() }).optional(),
    /** Jobs that are leased now. */
    leased: z.int(),
    /** Available jobs whose key is used up, counted to 10,000. */
    held: z.int(),
    /** Only for admins: the 20 keys with the most held jobs. Without `key`: the jobs without a key. */
    keys: z
      .array(
        z
          .strictObject({
            key: z.union([z.string(), z.number(), z.boolean()]).optional(),
            leased: z.int(),
            held: z.int(),
          })
          .meta({ id: 'LimitKey' }),
      )
      .optional(),
    updatedBy: z.string(),
    updatedAt: timestamp,
  })
  .meta({ id: 'Limit' });

export const limitPage = pageOf('LimitPaginatedResponse', limit);

export const putLimitRequest = z
  .strictObject({
    concurrent: count.optional(),
    rate: z.strictObject({ count, per: duration({ minimumSeconds: 1, maximumSeconds: 86_400 }) }).optional(),
    reason,
  })
  .refine(({ concurrent, rate }) => concurrent !== undefined || rate !== undefined, {
    path: ['concurrent'],
    error: 'at least one of concurrent and rate is required',
  })
  .meta({ id: 'PutLimitRequest' });
