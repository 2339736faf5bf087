import { useClock } from './clock.js';
import { relativeTime, toMillisecond, toSecond } from './format-time.js';
import styles from './time.module.css';

/** An instant as relative time, or to the second with the relative time next to it. The tooltip has the milliseconds. */
export function Time({ value, isExact = false }: { value: string | number; isExact?: boolean }) {
  const instant = new Date(value);
  const relative = useClock((nowMs) => relativeTime(instant.getTime(), nowMs));
  return (
    <time dateTime={instant.toISOString()} title={toMillisecond(instant)} className={styles.time}>
      {isExact ? toSecond(instant) : relative}
      {isExact && <span className={styles.relative}> {relative}</span>}
    </time>
  );
}
