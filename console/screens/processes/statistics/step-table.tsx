/** The numbers of the charts in a table, the latest first. */
import { useMemo } from 'react';
import { Table, type Column } from '../../../components/tables/table.js';
import { formatDuration } from '../../../components/values/format-duration.js';
import { endedIn, sayTime, startedIn, stepMs } from '../../../features/statistics/range.js';
import type { StatisticsStep, StepLength } from '../../../features/statistics/types.js';
import { CountLink } from './count-link.js';

interface Row {
  step: StatisticsStep;
  other: StatisticsStep | undefined;
}

interface StepTableProps {
  definitionID: string;
  step: StepLength;
  steps: readonly StatisticsStep[];
  /** The compared version, at the same times. */
  other: { name: string; steps: readonly (StatisticsStep | undefined)[] } | undefined;
}

export function StepTable({ definitionID, step, steps, other }: StepTableProps) {
  const rows = useMemo(
    () => steps.map((one, index): Row => ({ step: one, other: other?.steps[index] })).toReversed(),
    [steps, other],
  );
  return (
    <Table
      label="Over time"
      columns={[...ownColumns(definitionID, step), ...(other ? otherColumns(other.name) : [])]}
      rows={rows}
      rowKey={({ step: { time } }) => time}
    />
  );
}

function ownColumns(definitionID: string, length: StepLength): Column<Row>[] {
  const windowOf = ({ time }: StatisticsStep) => [Date.parse(time), Date.parse(time) + stepMs[length]] as const;
  const ended = (step: StatisticsStep, status: string, count: number) => (
    <CountLink count={count} list="instances" filter={{ definitionID, status, ...endedIn(...windowOf(step)) }} />
  );
  return [
    { title: 'From', width: '11rem', cell: ({ step: { time } }) => sayTime(Date.parse(time), length) },
    number('Started', ({ step }) => (
      <CountLink count={step.started} list="instances" filter={{ definitionID, ...startedIn(...windowOf(step)) }} />
    )),
    number('Completed', ({ step }) => ended(step, 'COMPLETED', step.completed)),
    number('Failed', ({ step }) => ended(step, 'FAILED', step.failed)),
    number('Canceled', ({ step }) => ended(step, 'CANCELED', step.canceled)),
    number('Incidents', ({ step }) => {
      const [since, end] = windowOf(step);
      const filter = { definitionID, since: new Date(since).toISOString(), until: new Date(end - 1).toISOString() };
      return <CountLink count={step.incidents} list="incidents" filter={filter} />;
    }),
    number('Median', ({ step }) => duration(step.p50Ms)),
    number('p95', ({ step }) => duration(step.p95Ms)),
    number('p99', ({ step }) => duration(step.p99Ms)),
  ];
}

function otherColumns(name: string): Column<Row>[] {
  return [
    number(`Started, ${name}`, ({ other }) => other?.started.toLocaleString('en') ?? '–'),
    number(`Completed, ${name}`, ({ other }) => other?.completed.toLocaleString('en') ?? '–'),
    number(`Median, ${name}`, ({ other }) => duration(other?.p50Ms)),
    number(`p95, ${name}`, ({ other }) => duration(other?.p95Ms)),
  ];
}

function number(title: string, cell: Column<Row>['cell']): Column<Row> {
  return { title, width: '7.5rem', isNumber: true, cell };
}

function duration(lengthMs: number | undefined): string {
  return lengthMs === undefined ? '–' : formatDuration(lengthMs);
}
