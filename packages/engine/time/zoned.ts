/**
 * Dates and times in named zones, with the zone rules of FEEL. They change with the Node release (ADR 111).
 */
import { parseDateTime } from '@perdure/feel/temporal/parse.js';
import {
  namedZone,
  offsetAtInstant,
  offsetAtLocal,
  offsetBefore,
  parseZone,
  type Zone,
} from '@perdure/feel/temporal/zone.js';
import { EARLIEST_INSTANT, parseInstant } from './iso8601.js';

/** A local time, seconds optional, followed by `[Europe/Berlin]`. */
const BRACKETED = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?\[([A-Za-z0-9_/+-]{1,60})\]$/;

/** A date and time, followed by `[Europe/Berlin]` or `@Europe/Berlin`. */
const NAMED = /^([^[@]{1,40})(?:\[([^\]]{1,60})\]|@(.{1,60}))$/;
/** No date and time of a timer is longer. */
const LONGEST = 120;

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

/**
 * Like `parseZonedInstant`, but a name in brackets after an offset must be a known zone too, although the offset decides.
 */
export function parseKnownZonedInstant(text: string): number | undefined {
  const name = /\[([^[\]]*)\]$/.exec(text.slice(0, LONGEST))?.[1];
  return name !== undefined && !namedZone(name) ? undefined : parseZonedInstant(text);
}

/** The start of a cycle: an instant, and what the clocks of its zone show then. */
export interface CycleStart {
  /** Epoch milliseconds. */
  instant: number;
  /** The local time in epoch milliseconds, as if it were UTC. A time that clocks skip stays as it is written. */
  local: number;
  /** `Z`, `+01:00`, or `@Europe/Berlin`. */
  zone: string;
}

/** The forms of `parseZonedInstant` with a year of four digits; a zone must be known. Undefined for anything else. */
export function parseCycleStart(text: string): CycleStart | undefined {
  const [, written, bracketed, at] = NAMED.exec(text) ?? [];
  const name = bracketed ?? at;
  const instant = parseKnownZonedInstant(text);
  if (instant === undefined) return undefined;
  if (name === undefined) {
    const zone = /[+-]\d{2}:\d{2}$/.exec(text)?.[0] ?? 'Z';
    return { instant, local: parseInstant(`${text.slice(0, -zone.length)}Z`)!, zone };
  }
  const zone = namedZone(name)!;
  const local = parseInstant(`${written}Z`) ?? instant + offsetAtInstant(zone, Math.floor(instant / 1000)) * 1000;
  return { instant, local, zone: `@${name}` };
}

/**
 * Epoch milliseconds at which the clocks of `zone` show a local time, with the rules of `parseZonedInstant`.
 * @param local epoch milliseconds, as if it were UTC
 * @param zone as in `CycleStart`
 * @throws if this Node does not know the zone
 */
export function instantOfLocal(local: number, zone: string): number {
  if (!zone.startsWith('@')) return local + parseInstant(`1970-01-01T00:00:00${zone}`)!;
  const known = knownZone(zone);
  const seconds = Math.floor(local / 1000);
  return local - (offsetAtLocal(known, seconds) ?? offsetBefore(known, seconds)) * 1000;
}

/**
 * The time that the clocks of `zone` show at an instant, in epoch milliseconds as if it were UTC.
 * @param zone as in `CycleStart`
 * @throws if this Node does not know the zone
 */
export function localOfInstant(instant: number, zone: string): number {
  if (!zone.startsWith('@')) return instant - parseInstant(`1970-01-01T00:00:00${zone}`)!;
  return instant + offsetAtInstant(knownZone(zone), Math.floor(instant / 1000)) * 1000;
}

function knownZone(zone: string): Zone {
  const known = parseZone(zone);
  if (!known) throw new Error(`This Node does not know the zone ${zone.slice(1)}`);
  return known;
}

function withAt(_: string, minutes: string, seconds: string | undefined, zone: string): string {
  return `${minutes}${seconds ?? ':00'}@${zone}`;
}
