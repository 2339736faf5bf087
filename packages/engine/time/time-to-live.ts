/** How long a message or signal is buffered for later subscribers. */
import { parseUnits } from '@perdure/lib/duration.js';
import { addDuration, parseDuration, parseInstant } from './iso8601.js';

/**
 * Milliseconds from `now` until an ISO 8601 duration (`PT1H`), a duration string (`1h30m`) or an instant with a time
 * zone; 0 for an instant in the past; undefined for anything else, including negative durations.
 * @param now epoch milliseconds
 */
export function parseTimeToLive(text: string, now: number): number | undefined {
  const instant = parseInstant(text);
  if (instant !== undefined) return Math.max(0, instant - now);
  const duration = parseDuration(text);
  const milliseconds = duration ? addDuration(now, duration) - now : parseUnits(text);
  return milliseconds !== undefined && milliseconds >= 0 && Number.isSafeInteger(milliseconds)
    ? milliseconds
    : undefined;
}
