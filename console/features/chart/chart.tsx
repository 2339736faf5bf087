/** A chart over time, loaded on demand. Screen readers cannot read it, so show its numbers in a table as well. */
import { lazy, Suspense } from 'react';
import { Loading } from '../../components/feedback/states.js';
import styles from './chart.module.css';
import type { ChartColor } from './colors.js';

export interface Line {
  label: string;
  color: ChartColor;
  /** One for each time; null leaves a gap. */
  values: readonly (number | null)[];
  isDashed?: boolean;
}

export interface ChartProps {
  /** The accessible name of the picture. */
  label: string;
  /** Milliseconds since 1970, ascending. */
  times: readonly number[];
  lines: readonly Line[];
  /** Distances between the values on the axis, ascending. */
  increments: readonly number[];
  /** A value, for the axis and the legend. */
  format(value: number): string;
  /** A time, for the legend. */
  formatTime(timeMs: number): string;
}

const TimeChart = lazy(() => import('./time-chart.js'));

export function Chart(props: ChartProps) {
  return (
    <div className={styles.room}>
      <Suspense fallback={<Loading lines={4} label="Loading the chart" />}>
        <TimeChart {...props} />
      </Suspense>
    </div>
  );
}
