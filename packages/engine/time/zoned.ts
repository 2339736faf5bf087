/**
 * Dates and times in named zones, with the zone rules of FEEL. They change with the Node release (ADR 111).
 */
import { parseDateTime } from '@perdure/feel/temporal/parse.js';
import { EARLIEST_INSTANT, parseInstant } from './iso8601.js';

/** A local time, seconds optional, followed by `[Europe/Berlin]`. */
const BRACKETED = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?\[([A-Za-z0-9_/+-]{1,60})\]$/;

/**
 * Epoch milliseconds of an ISO 8601 date and time with an offset, or with the name of a zone as FEEL
 * (`2026-01-31T09:00:00@Europe/Berlin`) or Java (`2026-01-31T09:00:00[Europe/Berlin]`) writes it; undefined for
 * anything else. A time that clocks skip moves forward by what they skip; of one that occurs twice, the earlier counts.
 */
export function parseZonedInstant(text: string): number | undefined {
  const known = parseInstant(text);
  if (known !== undefined) return known;
  const instant = instantOfFeel(text.replace(BRACKETED, withAt));
  return instant === undefined || instant < EARLIEST_INSTANT ? undefined : instant;
}

/** FEEL writes a date and time in a named zone as `2026-01-31T09:00:00@Europe/Berlin`. */
export function instantOfFeel(text: string): number | undefined {
  const found = parseDateTime(text);
  return found?.time.zone && Number(found.epochNanos / 1_000_000n);
}

/** Why a cycle such as `R/2026-01-31T09:00:00[Europe/Berlin]/P1D` is refused; undefined if it names no zone. */
export function zoneProblemOf(cycle: string): string | undefined {
  return /^R\d{0,9}\/[\dT:.+-]{1,40}Z?[[@]/.test(cycle)
    ? 'an ISO 8601 repetition whose start has an offset and no named zone, such as R/2026-01-31T09:00:00+01:00/P1D, because cycles count in UTC'
    : undefined;
}

function withAt(_: string, minutes: string, seconds: string | undefined, zone: string): string {
  return `${minutes}${seconds ?? ':00'}@${zone}`;
}
