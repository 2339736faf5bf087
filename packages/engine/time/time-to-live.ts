/** How long a message or signal is buffered for later subscribers. */
import { addDuration, parseDuration, parseInstant } from './iso8601.js';

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);
const DURATION_STRING = /^(?:\d{1,12}(?:\.\d{1,9})?(?:ms|[smhd]))+$/;
const PART = /(\d+(?:\.\d+)?)(ms|[smhd])/g;

/**
 * Milliseconds from `now` until an ISO 8601 duration (`PT1H`), a duration string (`1h30m`) or an instant with a time
 * zone; 0 for an instant in the past; undefined for anything else, including negative durations.
 * @param now epoch milliseconds
 */
export function parseTimeToLive(text: string, now: number): number | undefined {
  const instant = parseInstant(text);
  if (instant !== undefined) return Math.max(0, instant - now);
  const duration = parseDuration(text);
  const milliseconds = duration ? addDuration(now, duration) - now : parseDurationString(text);
  return milliseconds !== undefined && milliseconds >= 0 && Number.isSafeInteger(milliseconds)
    ? milliseconds
    : undefined;
}

function parseDurationString(text: string): number | undefined {
  if (!DURATION_STRING.test(text)) return undefined;
  let milliseconds = 0;
  for (const [, count, unit] of text.matchAll(PART)) milliseconds += Number(count) * UNIT_MS.get(unit!)!;
  return Math.round(milliseconds);
}
