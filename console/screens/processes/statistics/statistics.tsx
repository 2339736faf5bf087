/** Statistics of a version: on its diagram, per node, over time, and next to another version. */
import { useMemo } from 'react';
import type { Schemas } from '../../../frame/api/client.js';
import { ErrorState, Loading, StaleNote } from '../../../components/feedback/states.js';
import { AsOf } from '../../../features/statistics/as-of.js';
import type { FlowLabel } from '../../../features/diagram/node-marks.js';
import {
  labelFlows,
  measureNodes,
  sayRange,
  type Measure,
  type Measured,
} from '../../../features/statistics/measure.js';
import { useVersionStatistics } from '../../../features/statistics/queries.js';
import { rangeOf } from '../../../features/statistics/range.js';
import { useAddress } from '../../../frame/layout/use-address.js';
import { CompareField, comparedVersion } from './compare-field.js';
import { MeasuredNodes } from './measured-nodes.js';
import { RangeField } from './range-field.js';
import { Targets } from './targets.js';
import { Trend } from './trend.js';
import { VersionDiagram } from '../version-diagram.js';
import styles from '../views.module.css';

const nothing: Measured = { scale: [], marks: new Map() };
const noLabels: ReadonlyMap<string, FlowLabel> = new Map();

export function StatisticsOfVersion({ version, by }: { version: Schemas['BpmnProcessDefinition']; by: Measure }) {
  const address = useAddress();
  const range = rangeOf(address.get('range'));
  const other = comparedVersion(address, version.version);
  const statistics = useVersionStatistics(version.processID, version.version, range);
  const comparison = useVersionStatistics(version.processID, other, range);
  const { data } = statistics;
  const compared = other === undefined ? undefined : comparison.data;
  const { scale, marks } = useMemo(() => (data ? measureNodes(by, data, compared) : nothing), [by, data, compared]);
  const flowLabels = useMemo(() => (data && by === 'count' ? labelFlows(data) : noLabels), [by, data]);
  return (
    <div className={styles.view}>
      <search className={styles.choices} aria-label="Statistics">
        <RangeField />
        <CompareField version={version} />
        {data && <AsOf value={data.asOf} />}
      </search>
      <Failure of={statistics} />
      {other !== undefined && <Failure of={comparison} />}
      <VersionDiagram
        version={version}
        marks={marks}
        flowLabels={flowLabels}
        scale={scale}
        sayRange={(heat) => sayRange(by, heat)}
      />
      {data === undefined && !statistics.isError && <Loading lines={4} label="Loading statistics" />}
      {data && <MeasuredNodes by={by} version={version} statistics={data} compared={compared} />}
      {data && by === 'time' && <Targets version={version} statistics={data} />}
      {data && <Trend version={version} range={range} statistics={data} compared={compared} />}
    </div>
  );
}

function Failure({
  of: { isError, error, data, dataUpdatedAt, refetch },
}: {
  of: ReturnType<typeof useVersionStatistics>;
}) {
  if (!isError) return null;
  if (data) return <StaleNote error={error} since={dataUpdatedAt} />;
  return <ErrorState error={error} retry={() => void refetch()} />;
}
