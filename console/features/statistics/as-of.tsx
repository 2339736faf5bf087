import { Badge } from '../../components/values/badge.js';
import { Time } from '../../components/values/time.js';
import styles from './as-of.module.css';

/** Counts usually include everything until some seconds ago. */
const maxBehindMs = 5 * 60_000;

/** Until when statistics count. */
export function AsOf({ value }: { value: string }) {
  const instant = Date.parse(value);
  // After an upgrade, a worker counts the histories that were there before; until then the API says 1970.
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
      Counted until <Time value={value} />
    </span>
  );
}
