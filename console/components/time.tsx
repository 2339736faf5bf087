import { useClock } from './clock.js';
import styles from './time.module.css';

/** An instant: how long ago, and exactly when on pointing; or both where there is room. */
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

/** Milliseconds as people say them: `840 ms`, `3.2 s`, `4 min 10 s`, `2 h 5 min`, `3 d 4 h`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  const seconds = durationMs / 1_000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ] as const;
  const first = parts.findIndex(([amount]) => amount > 0);
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ');
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
  return `${day} ${pad(instant.getHours())}:${pad(instant.getMinutes())}:${pad(instant.getSeconds())}.${pad(instant.getMilliseconds(), 3)}`;
}
