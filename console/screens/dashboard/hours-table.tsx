/** The numbers of the charts, the latest hour first. */
import { useMemo } from 'react';
import { Table, type Column } from '../../components/tables/table.js';
import { formatDuration } from '../../components/values/format-duration.js';
import { sayTime, stepMs } from '../../features/statistics/range.js';
import { endsOf } from '../../features/statistics/series.js';
import type { StatisticsStep } from '../../features/statistics/types.js';
import { CountLink } from './count-link.js';
import { endedBetween, raisedBetween, startedBetween } from './lists.js';

const columns: readonly Column<StatisticsStep>[] = [
  { title: 'From', width: '11rem', cell: ({ time }) => sayTime(Date.parse(time), 'hour') },
  number('Started', (step) => <CountLink count={step.started} to={startedBetween(...windowOf(step))} />),
  number('Ended', (step) => <CountLink count={endsOf(step)} to={endedBetween(...windowOf(step))} />),
  number('Failed', (step) => (
    <CountLink count={step.failed} to={endedBetween(...windowOf(step), { status: 'FAILED' })} />
  )),
  number('Incidents', (step) => <CountLink count={step.incidents} to={raisedBetween(...windowOf(step))} />),
  number('Median', ({ p50Ms }) => (p50Ms === undefined ? '–' : formatDuration(p50Ms))),
  number('p95', ({ p95Ms }) => (p95Ms === undefined ? '–' : formatDuration(p95Ms))),
];

/** @param steps without those in which nothing happened */
export function HoursTable({ steps }: { steps: readonly StatisticsStep[] }) {
  const latestFirst = useMemo(() => steps.toReversed(), [steps]);
  return <Table label="Hour by hour" columns={columns} rows={latestFirst} rowKey={({ time }) => time} />;
}

function number(title: string, cell: Column<StatisticsStep>['cell']): Column<StatisticsStep> {
  return { title, width: '7.5rem', isNumber: true, cell };
}

function windowOf({ time }: StatisticsStep): [begin: number, end: number] {
  const begin = Date.parse(time);
  return [begin, begin + stepMs.hour];
}
