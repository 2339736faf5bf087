/** The processes that started the most instances, and those whose instances took the longest. */
import { Link } from 'react-router';
import { Card } from '../../components/basics/card.js';
import { EmptyState } from '../../components/feedback/states.js';
import { Table, type Column } from '../../components/tables/table.js';
import { formatDuration } from '../../components/values/format-duration.js';
import type { Range } from '../../features/statistics/range.js';
import type { ProcessTrend, StatisticsTrend } from '../../features/statistics/types.js';
import { CountLink } from './count-link.js';
import styles from './dashboard.module.css';
import { endedBetween, startedBetween, statisticsOf } from './lists.js';

interface ProcessesProps {
  trend: StatisticsTrend;
  range: Range;
}

export function BusiestProcesses({ trend: { busiest, since, until }, range }: ProcessesProps) {
  const [begin, end] = [Date.parse(since), Date.parse(until)];
  const columns = [
    processColumn('count', range),
    number('Started', ({ processID, started }) => (
      <CountLink count={started} to={startedBetween(begin, end, processID)} />
    )),
    number('Failed', ({ processID, failed }) => (
      <CountLink count={failed} to={endedBetween(begin, end, { processId: processID, status: 'FAILED' })} />
    )),
  ];
  return (
    <Processes title="Busiest processes" columns={columns} processes={busiest} emptyTitle="No instance started">
      The processes that start the most instances appear here.
    </Processes>
  );
}

export function SlowestProcesses({ trend: { slowest, since, until }, range }: ProcessesProps) {
  const [begin, end] = [Date.parse(since), Date.parse(until)];
  const columns = [
    processColumn('time', range),
    number('Completed', ({ processID, completed }) => (
      <CountLink count={completed} to={endedBetween(begin, end, { processId: processID, status: 'COMPLETED' })} />
    )),
    number('Median', ({ p50Ms }) => duration(p50Ms)),
    number('p95', ({ p95Ms }) => duration(p95Ms)),
  ];
  return (
    <Processes title="Slowest processes" columns={columns} processes={slowest} emptyTitle="No instance completed">
      The processes whose completed instances took the longest appear here.
    </Processes>
  );
}

interface ListProps {
  title: string;
  columns: readonly Column<ProcessTrend>[];
  processes: readonly ProcessTrend[];
  emptyTitle: string;
  children: string;
}

function Processes({ title, columns, processes, emptyTitle, children }: ListProps) {
  return (
    <Card title={title}>
      {processes.length === 0 ? (
        <EmptyState title={emptyTitle} icon="processes">
          {children}
        </EmptyState>
      ) : (
        <div className={styles.compact}>
          <Table label={title} columns={columns} rows={processes} rowKey={({ processID }) => processID} />
        </div>
      )}
    </Card>
  );
}

function processColumn(view: 'count' | 'time', range: Range): Column<ProcessTrend> {
  return {
    title: 'Process',
    cell: ({ processID, processName }) => (
      <Link to={`../${statisticsOf(processID, view, range.id)}`} className={styles.slow}>
        {processName ?? processID}
      </Link>
    ),
  };
}

function number(title: string, cell: Column<ProcessTrend>['cell']): Column<ProcessTrend> {
  return { title, width: '6.5rem', isNumber: true, cell };
}

function duration(lengthMs: number | undefined): string {
  return lengthMs === undefined ? '–' : formatDuration(lengthMs);
}
