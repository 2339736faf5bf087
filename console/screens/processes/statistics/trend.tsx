/** Throughput and duration of a version over time, next to those of another one. */
import { useMemo } from 'react';
import type { Schemas } from '../../../frame/api/client.js';
import { Card } from '../../../components/basics/card.js';
import { formatDuration } from '../../../components/values/format-duration.js';
import { Chart, type Line } from '../../../features/chart/chart.js';
import { countIncrements, durationIncrements } from '../../../features/statistics/increments.js';
import { sayTime, type Range } from '../../../features/statistics/range.js';
import { alignedWith } from '../../../features/statistics/series.js';
import type { ProcessStatistics, StatisticsStep } from '../../../features/statistics/types.js';
import { StepTable } from './step-table.js';
import styles from './trend.module.css';

interface TrendProps {
  version: Schemas['BpmnProcessDefinition'];
  range: Range;
  statistics: ProcessStatistics;
  compared: ProcessStatistics | undefined;
}

export function Trend({ version, range, statistics, compared }: TrendProps) {
  const steps = statistics.series;
  const times = useMemo(() => steps.map(({ time }) => Date.parse(time)), [steps]);
  const other = useMemo(
    () => compared && { name: `version ${compared.version}`, steps: alignedWith(steps, compared.series) },
    [steps, compared],
  );
  const throughput = useMemo(() => throughputOf(steps, other), [steps, other]);
  const durations = useMemo(() => durationsOf(steps, other), [steps, other]);
  const named = `of version ${version.version}${other ? ` and ${other.name}` : ''}, ${range.label.toLowerCase()}`;
  const formatTime = (timeMs: number) => sayTime(timeMs, range.step);
  return (
    <>
      <Card title={`Instances per ${range.step}`}>
        <Chart
          label={`Instances per ${range.step} ${named}. The table below has the numbers.`}
          times={times}
          lines={throughput}
          increments={countIncrements}
          format={(count) => count.toLocaleString('en')}
          formatTime={formatTime}
        />
      </Card>
      <Card title="Duration of completed instances">
        <Chart
          label={`Duration of completed instances ${named}. The table below has the numbers.`}
          times={times}
          lines={durations}
          increments={durationIncrements}
          format={formatDuration}
          formatTime={formatTime}
        />
      </Card>
      <Card title="Over time">
        <details className={styles.numbers}>
          <summary>Show the numbers in a table</summary>
          <StepTable definitionID={version.id} step={range.step} steps={steps} other={other} />
        </details>
      </Card>
    </>
  );
}

/** The compared version. */
interface Other {
  name: string;
  steps: readonly (StatisticsStep | undefined)[];
}

function throughputOf(steps: readonly StatisticsStep[], other: Other | undefined): Line[] {
  const lines: Line[] = [
    { label: 'Started', color: 'blue', values: steps.map(({ started }) => started) },
    { label: 'Completed', color: 'green', values: steps.map(({ completed }) => completed) },
    { label: 'Failed', color: 'red', values: steps.map(({ failed }) => failed) },
  ];
  if (other)
    lines.push(
      dashed(`Started, ${other.name}`, 'blue', other.steps, (step) => step.started),
      dashed(`Completed, ${other.name}`, 'green', other.steps, (step) => step.completed),
    );
  return lines;
}

function durationsOf(steps: readonly StatisticsStep[], other: Other | undefined): Line[] {
  const lines: Line[] = [
    { label: 'Median', color: 'blue', values: steps.map(({ p50Ms }) => p50Ms ?? null) },
    { label: 'p95', color: 'amber', values: steps.map(({ p95Ms }) => p95Ms ?? null) },
  ];
  if (other)
    lines.push(
      dashed(`Median, ${other.name}`, 'blue', other.steps, (step) => step.p50Ms),
      dashed(`p95, ${other.name}`, 'amber', other.steps, (step) => step.p95Ms),
    );
  return lines;
}

function dashed(
  label: string,
  color: Line['color'],
  steps: Other['steps'],
  valueOf: (step: StatisticsStep) => number | undefined,
): Line {
  return { label, color, isDashed: true, values: steps.map((step) => (step && valueOf(step)) ?? null) };
}
