/**
 * Time zones. Offsets and UTC need nothing from outside.
 *
 * A named zone is the only place where FEEL depends on its host: `Intl` provides the zone rules of the Node release, so
 * results for a zone change when governments and Node do. `Intl` is used only if an expression names such a zone.
 */
import { remember } from '../memo.js';
import { DAY_SECONDS, DAYS_PER_ERA, toEpochDay } from './calendar.js';

export type Zone = { readonly offset: number } | { readonly name: string };

export const UTC: { readonly offset: number } = Object.freeze({ offset: 0 });

export const FARTHEST_OFFSET = 14 * 3600;
const UTC_NAMES = new Set([
  'UTC',
  'Etc/UTC',
  'Etc/GMT',
  'GMT',
  'Etc/UCT',
  'UCT',
  'Zulu',
  'Etc/Zulu',
  'Universal',
  'Etc/Universal',
  'Greenwich',
  'Etc/Greenwich',
]);

/** Parses `Z`, `+02:00` (seconds optional) or `@Europe/Berlin`. `undefined` if it is invalid or unknown. */
export function parseZone(text: string): Zone | undefined {
  if (text === 'Z' || text === 'z') return UTC;
  if (text.startsWith('@')) return namedZone(text.slice(1));
  const match = /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, hours, minutes, seconds] = match;
  if (Number(minutes) > 59 || Number(seconds ?? 0) > 59) return undefined;
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0);
  return offset > FARTHEST_OFFSET ? undefined : { offset: sign === '-' ? 0 - offset : offset };
}

/** The zone of an IANA name; `undefined` if it does not exist. */
export function namedZone(name: string): Zone | undefined {
  if (UTC_NAMES.has(name)) return { name };
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name) || name.length > 60) return undefined;
  return formatterOf(name) === undefined ? undefined : { name };
}

export function sameZone(left: Zone | undefined, right: Zone | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  if ('offset' in left) return 'offset' in right && left.offset === right.offset;
  return 'name' in right && left.name === right.name;
}

/** `Z`, `+02:00` or `@Europe/Berlin`. */
export function formatZone(zone: Zone): string {
  if ('name' in zone) return `@${zone.name}`;
  if (zone.offset === 0) return 'Z';
  const size = Math.abs(zone.offset);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60];
  if (size % 60 !== 0) parts.push(size % 60);
  return (zone.offset < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** Seconds that local time is ahead of UTC at a moment in epoch seconds. */
export function offsetAtInstant(zone: Zone, epochSeconds: number): number {
  if ('offset' in zone) return zone.offset;
  if (UTC_NAMES.has(zone.name)) return 0;
  return localSecondsOf(zone.name, epochSeconds) - epochSeconds;
}

/**
 * Seconds that local time is ahead of UTC at a local time, given as if it were UTC. In an overlap the earlier of the
 * two moments is used; `undefined` in a gap, where the local time does not exist.
 */
export function offsetAtLocal(zone: Zone, localSeconds: number): number | undefined {
  if ('offset' in zone) return zone.offset;
  const before = offsetBefore(zone, localSeconds);
  const after = offsetAtInstant(zone, localSeconds + DAY_SECONDS);
  if (before === after) return before;
  return [before, after].find((offset) => offsetAtInstant(zone, localSeconds - offset) === offset);
}

/** The offset in effect before a gap or overlap around a local time. */
export function offsetBefore(zone: Zone, localSeconds: number): number {
  return offsetAtInstant(zone, localSeconds - DAY_SECONDS);
}

interface ZoneFormatter {
  formatToParts(moment: number): { type: string; value: string }[];
}

/** Cached, because creating a formatter costs far more than using it. */
function formatterOf(name: string): ZoneFormatter | undefined {
  const made = remember('zone', name, () => makeFormatter(name));
  return made === 'unknown' ? undefined : made;
}

function makeFormatter(name: string): ZoneFormatter | 'unknown' {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return 'unknown';
  }
}

/**
 * Local time at a moment, as if it were UTC. Moments outside the range of `Intl` are shifted by whole eras of 400
 * years, which repeat.
 */
function localSecondsOf(name: string, epochSeconds: number): number {
  const eraSeconds = DAYS_PER_ERA * DAY_SECONDS;
  const eras = Math.abs(epochSeconds) < 8e12 ? 0 : Math.floor(epochSeconds / eraSeconds);
  const formatter = formatterOf(name);
  if (formatter === undefined) return epochSeconds;
  const parts: Record<string, string> = {};
  for (const { type, value } of formatter.formatToParts((epochSeconds - eras * eraSeconds) * 1000)) parts[type] = value;
  const year = parts['era']?.startsWith('B') ? 1 - Number(parts['year']) : Number(parts['year']);
  const days = toEpochDay(year, Number(parts['month']), Number(parts['day']));
  const seconds = Number(parts['hour']) * 3600 + Number(parts['minute']) * 60 + Number(parts['second']);
  return days * DAY_SECONDS + seconds + eras * eraSeconds;
}
