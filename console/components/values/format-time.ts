/** Times as text, in the time zone of the browser. Every exact time of the console is written here. */

/** `2026-03-09`. */
export function dayOf(instant: Date): string {
  return [pad(instant.getFullYear(), 4), pad(instant.getMonth() + 1), pad(instant.getDate())].join('-');
}

/** `08:05:02`. */
export function timeOfDay(instant: Date): string {
  return [instant.getHours(), instant.getMinutes(), instant.getSeconds()].map((part) => pad(part)).join(':');
}

/** `2026-03-09 08:05:02`. */
export function toSecond(instant: Date): string {
  return `${dayOf(instant)} ${timeOfDay(instant)}`;
}

/** `2026-03-09 08:05:02.007`. For tooltips: two steps of an instance are often in the same second. */
export function toMillisecond(instant: Date): string {
  return `${toSecond(instant)}.${pad(instant.getMilliseconds(), 3)}`;
}

/** `just now`, `25 s ago`, `in 3 min`. */
export function relativeTime(instantMs: number, nowMs: number): string {
  const distance = Math.abs(nowMs - instantMs);
  if (distance < 5_000) return 'just now';
  const amount = largestUnit(distance);
  return instantMs <= nowMs ? `${amount} ago` : `in ${amount}`;
}

/** Seconds in steps of five, so that a page does not change every second. */
function largestUnit(distanceMs: number): string {
  const seconds = distanceMs / 1_000;
  if (seconds < 60) return `${Math.floor(seconds / 5) * 5} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

function pad(amount: number, digits = 2): string {
  return String(amount).padStart(digits, '0');
}
