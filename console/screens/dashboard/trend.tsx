/** The last day or week: charts, their numbers, and the processes that stand out. */
import { useMemo, type ReactNode } from 'react';
import { ButtonLink } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Segments } from '../../components/basics/segments.js';
import { EmptyState, ErrorState, Loading, StaleNote } from '../../components/feedback/states.js';
import { formatDuration } from '../../components/values/format-duration.js';
import { Chart, type Line } from '../../features/chart/chart.js';
import { countIncrements, durationIncrements } from '../../features/statistics/increments.js';
import { useStatisticsTrend } from '../../features/statistics/queries.js';
import { ranges, sayTime, type Range } from '../../features/statistics/range.js';
import { busySteps, endsOf } from '../../features/statistics/series.js';
import type { StatisticsStep } from '../../features/statistics/types.js';
import { useAddress, type Address } from '../../frame/layout/use-address.js';
import { HoursTable } from './hours-table.js';
import styles from './dashboard.module.css';
import { BusiestProcesses, SlowestProcesses } from './processes.js';

const [day, week] = ranges;
const options = [
  { id: day.id, label: 'Last day' },
  { id: week.id, label: 'Last week' },
];

/** @param children shown below the charts */
export function Trend({ children }: { children: ReactNode }) {
  const address = useAddress();
  const range = shownRange(address);
  const { data, error, isError, dataUpdatedAt, refetch } = useStatisticsTrend(range);
  return (
    <>
      <div className={styles.trend}>
        <h2>Trend</h2>
        <Segments
          label="Time of the trend"
          options={options}
          selected={range.id}
          onSelect={(id) => address.set({ range: id === day.id ? undefined : id })}
        />
      </div>
      {isError && data && <StaleNote error={error} since={dataUpdatedAt} />}
      {data === undefined ? (
        <Card>
          {isError ? (
            <ErrorState error={error} retry={() => void refetch()} />
          ) : (
            <Loading lines={8} label="Loading the trend" />
          )}
        </Card>
      ) : (
        <Charts steps={data.series} range={range} />
      )}
      {children}
      {data && (
        <div className={styles.columns}>
          <BusiestProcesses trend={data} range={range} />
          <SlowestProcesses trend={data} range={range} />
        </div>
      )}
    </>
  );
}

function shownRange({ get }: Pick<Address, 'get'>): Range {
  return get('range') === week.id ? week : day;
}

interface ChartsProps {
  steps: readonly StatisticsStep[];
  range: Range;
}

function Charts({ steps, range }: ChartsProps) {
  const busy = useMemo(() => busySteps(steps), [steps]);
  if (busy.length === 0)
    return (
      <Card>
        <EmptyState
          title={`No instance started or ended in the ${range.label.toLowerCase()}`}
          icon="dashboard"
          action={<ButtonLink to="../processes">Start a process</ButtonLink>}
        >
          Throughput, incidents, and durations are drawn here a few seconds after an instance has started.
        </EmptyState>
      </Card>
    );
  return (
    <>
      <div className={styles.around}>
        <div className={styles.charts}>
          <Throughput steps={steps} range={range} />
          <Durations steps={steps} range={range} />
          <Incidents steps={steps} range={range} />
        </div>
      </div>
      <Card title="Hour by hour">
        <details className={styles.numbers}>
          <summary>Show the numbers of the charts in a table</summary>
          <HoursTable steps={busy} />
        </details>
      </Card>
    </>
  );
}

function Throughput({ steps, range }: ChartsProps) {
  const lines = useMemo(
    (): Line[] => [
      { label: 'Started', color: 'blue', values: steps.map(({ started }) => started) },
      { label: 'Ended', color: 'green', values: steps.map(endsOf), isDashed: true },
    ],
    [steps],
  );
  return <CountChart title="Instances per hour" lines={lines} steps={steps} range={range} />;
}

function Incidents({ steps, range }: ChartsProps) {
  const lines = useMemo(
    (): Line[] => [{ label: 'Opened', color: 'red', values: steps.map(({ incidents }) => incidents) }],
    [steps],
  );
  return <CountChart title="Incidents per hour" lines={lines} steps={steps} range={range} />;
}

function CountChart({ title, lines, steps, range }: ChartsProps & { title: string; lines: readonly Line[] }) {
  return (
    <Card title={title}>
      <Chart
        label={labelOf(title, range)}
        times={useTimes(steps)}
        lines={lines}
        increments={countIncrements}
        format={(count) => count.toLocaleString('en')}
        formatTime={(timeMs) => sayTime(timeMs, 'hour')}
      />
    </Card>
  );
}

function Durations({ steps, range }: ChartsProps) {
  const title = 'Duration of completed instances';
  const times = useTimes(steps);
  const lines = useMemo(
    (): Line[] => [
      { label: 'Median', color: 'blue', values: steps.map(({ p50Ms }) => p50Ms ?? null) },
      { label: 'p95', color: 'amber', values: steps.map(({ p95Ms }) => p95Ms ?? null), isDashed: true },
    ],
    [steps],
  );
  return (
    <Card title={title}>
      {steps.some(({ completed }) => completed > 0) ? (
        <Chart
          label={labelOf(title, range)}
          times={times}
          lines={lines}
          increments={durationIncrements}
          format={formatDuration}
          formatTime={(timeMs) => sayTime(timeMs, 'hour')}
        />
      ) : (
        <EmptyState title="No instance completed">
          The median and the 95th percentile of durations are drawn once instances complete.
        </EmptyState>
      )}
    </Card>
  );
}

function useTimes(steps: readonly StatisticsStep[]): number[] {
  return useMemo(() => steps.map(({ time }) => Date.parse(time)), [steps]);
}

function labelOf(title: string, range: Range): string {
  return `${title}, ${range.label.toLowerCase()}. The table below has the numbers.`;
}
