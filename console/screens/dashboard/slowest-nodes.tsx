import { Link } from 'react-router';
import { Card } from '../../components/basics/card.js';
import { EmptyState } from '../../components/feedback/states.js';
import { Table, type Column } from '../../components/tables/table.js';
import { formatDuration } from '../../components/values/format-duration.js';
import type { ProjectStatistics } from '../../features/statistics/types.js';
import styles from './dashboard.module.css';

type SlowNode = ProjectStatistics['slowestNodes'][number];

const columns: readonly Column<SlowNode>[] = [
  {
    title: 'Node',
    cell: ({ processID, nodeID }) => (
      <Link to={`../processes/${encodeURIComponent(processID)}?view=time&range=24h`} className={styles.slow}>
        {nodeID} <span className={styles.of}>{processID}</span>
      </Link>
    ),
  },
  { title: 'Completed', width: '7rem', isNumber: true, cell: ({ completed }) => completed.toLocaleString('en') },
  {
    title: 'p95',
    width: '9rem',
    isNumber: true,
    cell: ({ p95Ms }) => (p95Ms === undefined ? '–' : formatDuration(p95Ms)),
  },
];

export function SlowestNodes({ nodes }: { nodes: readonly SlowNode[] }) {
  return (
    <Card title="Slowest nodes in the last 24 hours">
      {nodes.length === 0 ? (
        <EmptyState title="No node completed">
          The slowest nodes appear here once instances have completed some.
        </EmptyState>
      ) : (
        <div className={styles.compact}>
          <Table
            label="Slowest nodes"
            columns={columns}
            rows={nodes}
            rowKey={({ processID, nodeID }) => JSON.stringify([processID, nodeID])}
          />
        </div>
      )}
    </Card>
  );
}
