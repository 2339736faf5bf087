/** The legend and the scale of the waterfall. Rows have their times in words, so screen readers skip both. */
import { Icon } from '../../../../components/basics/icon.js';
import { classes } from '../../../../components/basics/classes.js';
import { formatDuration } from '../../../../components/values/format-duration.js';
import { durationIncrements } from '../../../../features/statistics/increments.js';
import { ticksOf, type Axis } from './layout.js';
import styles from './waterfall.module.css';

const maxTicks = 5;

export function TimeAxis({ axis }: { axis: Axis }) {
  const ticks = ticksOf(axis, durationIncrements, maxTicks);
  return (
    <>
      <div className={styles.legend} aria-hidden="true">
        <Sample looks={styles.active} label="Active" />
        <Sample looks={styles.waiting} label="Waiting for a worker or a person" />
        <Sample looks={styles.working} label="Working" />
        <Sample looks={classes(styles.active, styles.open)} label="Still running" />
        <span className={styles.entry}>
          <span className={styles.red}>
            <Icon name="alert" size={12} />
          </span>{' '}
          Incident
        </span>
      </div>
      <div className={classes(styles.row, styles.head)} aria-hidden="true">
        <span className={styles.name}>Node</span>
        <span className={styles.scale}>
          {ticks.map(({ left, offsetMs }) => (
            <span key={offsetMs} className={styles.tick} style={{ left: `${left}%` }}>
              {offsetMs === 0 ? '0' : formatDuration(offsetMs)}
            </span>
          ))}
        </span>
        <span className={styles.start}>Start</span>
        <span className={styles.length}>Duration</span>
      </div>
    </>
  );
}

function Sample({ looks, label }: { looks: string | undefined; label: string }) {
  return (
    <span className={styles.entry}>
      <span className={classes(styles.sample, looks)} /> {label}
    </span>
  );
}
