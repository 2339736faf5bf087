/** Durations in requests and in environment variables. */
import { z } from 'zod';
import { parseDuration } from '@perdure/lib/duration.js';

/** A duration in a request body; the handler receives milliseconds. */
export function duration({ minimumSeconds, maximumSeconds }: { minimumSeconds: number; maximumSeconds: number }) {
  return z
    .string()
    .max(100)
    .transform((text, refusal) => {
      const milliseconds = parseDuration(text);
      if (milliseconds !== undefined && milliseconds >= minimumSeconds * 1000 && milliseconds <= maximumSeconds * 1000)
        return milliseconds;
      refusal.issues.push({
        code: 'custom',
        message: `must be a duration such as 30s, 1m30s or PT30S, from ${minimumSeconds} s to ${maximumSeconds} s`,
        input: text,
      });
      return z.NEVER;
    });
}
