/** How long a message or signal is kept, as callers write it. */
import { z } from 'zod';
import { parseTimeToLive } from '@perdure/engine/time/time-to-live.js';
import { MAX_TIME_TO_LIVE_MS } from '../../../../store/messages/messages.js';

/**
 * A duration or an instant in a request body; the handler receives milliseconds from now, 0 for an instant in the past.
 */
export const timeToLive = z
  .string()
  .max(100)
  .transform((text, refusal) => {
    const milliseconds = parseTimeToLive(text, Date.now());
    if (milliseconds !== undefined && milliseconds <= MAX_TIME_TO_LIVE_MS) return milliseconds;
    refusal.issues.push({
      code: 'custom',
      message:
        'must be a duration such as PT1H or 1h30m, or an instant such as 2026-01-31T09:00:00Z, of at most 100 years',
      input: text,
    });
    return z.NEVER;
  });
