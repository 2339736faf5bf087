import { Link } from 'react-router';
import { Card } from '../../components/basics/card.js';
import { Table, type Column } from '../../components/tables/table.js';
import type { ProjectStatistics } from '../../features/statistics/types.js';
import { durationMs, sayDuration } from '../../features/statistics/duration.js';
import styles from './dashboard.module.css';
import { runningLongerThan } from './lists.js';

type Age = ProjectStatistics['runningByAge'][number];

/** The number of running instances by age. */
export function RunningByAge({
  ages,
  running,
  atMs,
}: {
  ages: readonly Age[];
  running: number;
  /** The time of the count. */
  atMs: number;
}) {
  const columns: readonly Column<Age>[] = [
    { title: 'Older than', width: '7rem', cell: ({ olderThan }) => sayDuration(olderThan) },
    {
      title: 'Share',
      cell: ({ olderThan, count }) => (
        <meter
          className={styles.share}
          aria-label={`Share older than ${sayDuration(olderThan)}`}
          max={Math.max(1, running)}
          value={count}
        />
      ),
    },
    {
      title: 'Running',
      width: '7rem',
      isNumber: true,
      cell: ({ olderThan, count }) => {
        const age = durationMs(olderThan);
        const text = count.toLocaleString('en');
        if (count === 0 || age === undefined) return text;
        return <Link to={`../${runningLongerThan(age, atMs)}`}>{text}</Link>;
      },
    },
  ];
  return (
    <Card title="Running by age">
      <div className={styles.compact}>
        <Table label="Running by age" columns={columns} rows={ages} rowKey={({ olderThan }) => olderThan} />
      </div>
    </Card>
  );
}
