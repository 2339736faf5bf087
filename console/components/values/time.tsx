import { useClock } from './clock.js';
import styles from './time.module.css';

/** An instant as relative time, with the exact time as a tooltip; or both next to each other. */
export function Time({ value, isExact = false }: { value: string | number; isExact?: boolean }) {
  const instant = new Date(value);
  const relative = useClock((nowMs) => relativeTime(instant.getTime(), nowMs));
  return (
    <time dateTime={instant.toISOString()} title={exactTime(instant)} className={styles.time}>
      {isExact ? exactTime(instant) : relative}
      {isExact && <span className={styles.relative}> {relative}</span>}
    </time>
  );
}

function relativeTime(instantMs: number, nowMs: number): string {
  const distance = Math.abs(nowMs - instantMs);
  if (distance < 5_000) return 'just now';
  const amount = largestUnit(distance);
  return instantMs <= nowMs ? `${amount} ago` : `in ${amount}`;
}

function largestUnit(distanceMs: number): string {
  const seconds = distanceMs / 1_000;
  if (seconds < 60) return `${Math.floor(seconds / 5) * 5} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

function exactTime(instant: Date): string {
  const pad = (amount: number, digits = 2) => String(amount).padStart(digits, '0');
  const day = `${instant.getFullYear()}-${pad(instant.getMonth() + 1)}-${pad(instant.getDate())}`;
  const time = [instant.getHours(), instant.getMinutes(), instant.getSeconds()].map((part) => pad(part)).join(':');
  return `${day} ${time}.${pad(instant.getMilliseconds(), 3)}`;
}
