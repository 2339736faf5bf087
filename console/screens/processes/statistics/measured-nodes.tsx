/** The statistics of each node in a table: how often it was entered and left, or how long it took. */
import { useMemo } from 'react';
import type { Schemas } from '../../../frame/api/client.js';
import { Badge, OverTargetBadge } from '../../../components/values/badge.js';
import { Card } from '../../../components/basics/card.js';
import { Table, type Column } from '../../../components/tables/table.js';
import { formatDuration } from '../../../components/values/format-duration.js';
import { heatOf, heatScale } from '../../../features/diagram/heat.js';
import type { NodeStatistics, ProcessStatistics } from '../../../features/statistics/types.js';
import {
  changeBetween,
  missedByNode,
  sayChange,
  sayValue,
  toneOf,
  valueOf,
  type Measure,
} from '../../../features/statistics/measure.js';
import styles from '../nodes.module.css';
import { endedIn } from '../../../features/statistics/range.js';
import { CountLink } from './count-link.js';
import { Swatch } from '../swatch.js';

/** Number of nodes in the table, in descending order. The diagram shows all. */
const maxListed = 100;

interface MeasuredNodesProps {
  by: Measure;
  version: Schemas['BpmnProcessDefinition'];
  statistics: ProcessStatistics;
  compared: ProcessStatistics | undefined;
}

export function MeasuredNodes({ by, version, statistics, compared }: MeasuredNodesProps) {
  const highestFirst = useMemo(
    () => statistics.nodes.toSorted((one, other) => (valueOf(by, other) ?? 0) - (valueOf(by, one) ?? 0)),
    [by, statistics],
  );
  const columns = [
    nameColumn(by, statistics),
    ...(by === 'count' ? countColumns(version, statistics) : timeColumns(statistics)),
    ...(compared ? comparisonColumns(by, statistics, compared) : by === 'time' ? workColumns : []),
  ];
  return (
    <Card title={by === 'count' ? 'How often nodes were entered' : 'How long nodes took'}>
      {statistics.nodes.length === 0 ? (
        <p className={styles.note}>No instance of version {version.version} entered a node in this time.</p>
      ) : (
        <Table
          label="Nodes"
          columns={columns}
          rows={highestFirst.slice(0, maxListed)}
          rowKey={({ nodeID }) => nodeID}
        />
      )}
      {statistics.nodes.length > maxListed && (
        <p className={styles.note}>
          Showing the {maxListed} highest of {statistics.nodes.length.toLocaleString('en')} nodes; the diagram shows all
          of them.
        </p>
      )}
    </Card>
  );
}

function nameColumn(by: Measure, { nodes }: ProcessStatistics): Column<NodeStatistics> {
  const scale = heatScale(nodes.reduce((most, node) => Math.max(most, valueOf(by, node) ?? 0), 0));
  return {
    title: 'Node',
    cell: (node) => {
      const step = heatOf(valueOf(by, node) ?? 0, scale);
      return (
        <span className={styles.node}>
          {step && <Swatch step={step} />}
          {node.name ?? node.nodeID} {node.name !== undefined && <code>{node.nodeID}</code>}
        </span>
      );
    },
  };
}

function countColumns(
  { id: definitionID }: Schemas['BpmnProcessDefinition'],
  { since, until }: ProcessStatistics,
): Column<NodeStatistics>[] {
  const jobs = (node: NodeStatistics, status: string, count: number) => {
    // Only jobs and user tasks have waiting times, and there is no list of completed tasks.
    const isJob = node.waiting !== undefined && node.nodeType !== 'userTask';
    if (!isJob || count === 0) return count.toLocaleString('en');
    const filter = { definitionID, nodeID: node.nodeID, status, ...endedIn(Date.parse(since), Date.parse(until)) };
    return <CountLink count={count} list="jobs" filter={filter} />;
  };
  return [
    number('Entered', ({ started }) => started.toLocaleString('en')),
    number('Completed', (node) => jobs(node, 'COMPLETED', node.completed)),
    number('Failed', ({ failed }) => failed.toLocaleString('en')),
    number('Canceled', (node) => jobs(node, 'CANCELED', node.canceled)),
    number('Incidents', ({ nodeID, incidents }) => (
      <CountLink count={incidents} list="incidents" filter={{ definitionID, nodeID, since, until }} />
    )),
  ];
}

function timeColumns(statistics: ProcessStatistics): Column<NodeStatistics>[] {
  const late = missedByNode(statistics);
  return [
    number('Median', ({ p50Ms }) => spread(p50Ms)),
    number(
      'p95',
      ({ nodeID, p95Ms }) => (
        <>
          {late.has(nodeID) && <OverTargetBadge count={late.get(nodeID)!} />} {spread(p95Ms)}
        </>
      ),
      '14rem',
    ),
    number('p99', ({ p99Ms }) => spread(p99Ms)),
  ];
}

const workColumns: readonly Column<NodeStatistics>[] = [
  number('Waiting, median', ({ waiting }) => spread(waiting?.p50Ms)),
  number('Waiting, p95', ({ waiting }) => spread(waiting?.p95Ms)),
  number('Working, median', ({ working }) => spread(working?.p50Ms)),
  number('Working, p95', ({ working }) => spread(working?.p95Ms)),
];

function comparisonColumns(
  by: Measure,
  statistics: ProcessStatistics,
  compared: ProcessStatistics,
): Column<NodeStatistics>[] {
  const before = new Map(compared.nodes.map((node) => [node.nodeID, valueOf(by, node)]));
  const changeOf = changeBetween(by, statistics, compared);
  const change = (node: NodeStatistics) => {
    const changed = changeOf(node);
    if (changed === undefined) return '–';
    const tone = toneOf(by, changed);
    if (tone === 'plain') return sayChange(changed);
    return (
      <Badge tone={tone === 'worse' ? 'red' : 'green'}>
        {sayChange(changed)} {tone === 'worse' ? 'slower' : 'faster'}
      </Badge>
    );
  };
  return [
    number(`${by === 'time' ? 'p95, version' : 'Version'} ${compared.version}`, ({ nodeID }) => {
      const value = before.get(nodeID);
      return value === undefined ? '–' : sayValue(by, value);
    }),
    number(by === 'count' ? 'Change per instance' : 'Change', change, '10rem'),
  ];
}

function number(title: string, cell: Column<NodeStatistics>['cell'], width = '7.5rem'): Column<NodeStatistics> {
  return { title, width, isNumber: true, cell };
}

function spread(value: number | undefined): string {
  return value === undefined ? '–' : formatDuration(value);
}
