/** The causes of differences, with the durations of their instances before and after. */
import { Link } from 'react-router';
import { Badge } from '../../components/values/badge.js';
import { Card } from '../../components/basics/card.js';
import { Table, type Column } from '../../components/tables/table.js';
import { formatDuration } from '../../components/values/format-duration.js';
import { outcomes, type Backtest } from '../../features/backtests/backtest-query.js';
import styles from './backtests.module.css';

type Group = Backtest['groups'][number];

const columns: readonly Column<Group>[] = [
  {
    title: 'Instances',
    width: '6rem',
    isNumber: true,
    cell: ({ count, outcome, nodeID }) => (
      <Link to={`?outcome=${outcome}${nodeID === undefined ? '' : `&node=${encodeURIComponent(nodeID)}`}`}>
        {count.toLocaleString('en')}
      </Link>
    ),
  },
  {
    title: 'Outcome',
    width: '10rem',
    cell: ({ outcome }) => <OutcomeBadge outcome={outcome} />,
  },
  { title: 'Why', cell: ({ reason }) => <span className={styles.why}>{reason}</span> },
  { title: 'Median before', width: '8rem', cell: ({ durationBeforeMs }) => inWords(durationBeforeMs?.p50) },
  { title: 'Median after', width: '8rem', cell: ({ durationMs }) => inWords(durationMs?.p50) },
  { title: 'p95 before', width: '8rem', cell: ({ durationBeforeMs }) => inWords(durationBeforeMs?.p95) },
  { title: 'p95 after', width: '8rem', cell: ({ durationMs }) => inWords(durationMs?.p95) },
];

export function Groups({ groups }: Pick<Backtest, 'groups'>) {
  if (groups.length === 0) return null;
  return (
    <Card title="Differences">
      <Table
        label="Differences"
        columns={columns}
        rows={groups}
        rowKey={({ outcome, nodeID, reason }) => JSON.stringify([outcome, nodeID, reason])}
      />
    </Card>
  );
}

export function OutcomeBadge({ outcome }: { outcome: Group['outcome'] }) {
  const { tone, icon, word } = outcomes.find((one) => one.outcome === outcome)!;
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}

function inWords(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : formatDuration(milliseconds);
}
