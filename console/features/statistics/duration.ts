import { formatDuration } from '../../components/values/format-duration.js';

const pattern = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** An ISO 8601 duration of days and smaller units in milliseconds, or undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const parts = pattern.exec(text);
  if (parts === null) return undefined;
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
}

/** Formats an ISO 8601 duration for people: `PT36H` as `1 d 12 h`. */
export function sayDuration(text: string): string {
  const length = durationMs(text);
  return length ? formatDuration(length) : text;
}

/** An ISO 8601 duration with units as people type them: `P1DT12H` as `1d12h`. The API accepts both. */
export function asWritten(text: string): string {
  return text.replaceAll(/[PT]/g, '').toLowerCase();
}
