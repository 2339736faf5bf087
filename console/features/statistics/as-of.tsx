import { Badge } from '../../components/values/badge.js';
import { Time } from '../../components/values/time.js';
import styles from './as-of.module.css';

/** Counts usually lag by a few seconds. */
const maxBehindMs = 5 * 60_000;

/** The time up to which statistics count. */
export function AsOf({ value }: { value: string }) {
  const instant = Date.parse(value);
  // Until a worker has counted existing histories, the API returns 1970.
  if (instant === 0)
    return (
      <Badge tone="amber" icon="alert">
        Earlier histories are being counted; the numbers are incomplete
      </Badge>
    );
  if (Date.now() - instant > maxBehindMs)
    return (
      <Badge tone="amber" icon="alert">
        Counts only what happened until <Time value={value} />
      </Badge>
    );
  return (
    <span className={styles.asOf}>
      As of <Time value={value} />
    </span>
  );
}
