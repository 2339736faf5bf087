/** Durations as callers write them: ISO 8601 (`PT30S`) or numbers with units (`1h30m`, `500ms`). */

const millisecondsPerUnit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const units = /^(?:\d{1,12}(?:\.\d{1,9})?(?:ms|s|m|h|d))+$/;
const unitParts = /(\d{1,12}(?:\.\d{1,9})?)(ms|s|m|h|d)/g;
/** Weeks and smaller units: a month or a year has no fixed length. */
const iso =
  /^P(?=.)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,6})?)S)?)?$/;

/** The milliseconds of numbers with units; undefined for anything else. */
export function parseUnits(text: string): number | undefined {
  if (!units.test(text)) return undefined;
  return Math.round([...text.matchAll(unitParts)].reduce((sum, part) => sum + partMilliseconds(part), 0));
}

/** The length in milliseconds, never negative; undefined when the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  return parseUnits(text) ?? parseISO(text);
}

function parseISO(text: string): number | undefined {
  const match = iso.exec(text);
  if (match === null) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((digits) => Number(digits ?? 0));
  return Math.round((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1000);
}

/** ISO 8601 with days and smaller units: `P30D`, `PT1H30M`, `PT0S`. */
export function formatDuration(milliseconds: number): string {
  const days = Math.floor(milliseconds / millisecondsPerUnit.d);
  const hours = Math.floor((milliseconds % millisecondsPerUnit.d) / millisecondsPerUnit.h);
  const minutes = Math.floor((milliseconds % millisecondsPerUnit.h) / millisecondsPerUnit.m);
  const seconds = (milliseconds % millisecondsPerUnit.m) / 1000;
  const part = (count: number, unit: string) => (count === 0 ? '' : `${count}${unit}`);
  const time = `${part(hours, 'H')}${part(minutes, 'M')}${part(seconds, 'S')}`;
  if (days === 0 && time === '') return 'PT0S';
  return `P${part(days, 'D')}${time === '' ? '' : `T${time}`}`;
}

function partMilliseconds([, digits, unit]: RegExpMatchArray): number {
  return Number(digits) * millisecondsPerUnit[unit as keyof typeof millisecondsPerUnit];
}
