/** The running instances of a version per node. */
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../frame/api/client.js';
import { Card } from '../../components/basics/card.js';
import { ErrorState, Loading, StaleNote } from '../../components/feedback/states.js';
import { Table } from '../../components/tables/table.js';
import type { Column } from '../../components/tables/table.js';
import { heatOf } from '../../features/diagram/heat.js';
import type { HeatRange } from '../../features/diagram/heat.js';
import { useDefinitionXml, useModel } from '../../features/diagram/use-definition.js';
import { useProject } from '../../frame/project/project.js';
import { InstanceCount } from './instance-count.js';
import styles from './nodes.module.css';
import { Swatch } from './swatch.js';
import { useHeat, useNodeCounts } from './use-node-counts.js';

type Counts = Schemas['BpmnNodeCounts'];
type Version = Schemas['BpmnProcessDefinition'];

/** Number of nodes in the table, the busiest first. The diagram shows all. */
const maxListed = 100;

export function RunningPerNode({ version: { id } }: { version: Version }) {
  const xml = useDefinitionXml(id);
  const counts = useNodeCounts(id);
  const { scale } = useHeat(counts.data);
  return (
    <Card title="Running instances per node">
      {counts.isError &&
        (counts.data ? (
          <StaleNote error={counts.error} since={counts.dataUpdatedAt} />
        ) : (
          <ErrorState error={counts.error} retry={() => void counts.refetch()} />
        ))}
      {counts.isPending && <Loading lines={3} label="Counting instances per node" />}
      {counts.data && <NodeTable definitionID={id} counts={counts.data} scale={scale} xml={xml.data} />}
    </Card>
  );
}

/** The filter of the list of instances at a node. */
export function instancesAt(definitionID: string, activeNodeID: string) {
  return { definitionID, status: 'RUNNING' as const, activeNodeID };
}

/** The label of a range of the scale. */
export function sayInstances({ from, to }: HeatRange): string {
  const range = from === to ? from.toLocaleString('en') : `${from.toLocaleString('en')}–${to.toLocaleString('en')}`;
  return `${range} ${to === 1 ? 'instance' : 'instances'}`;
}

interface NodeTableProps {
  definitionID: string;
  counts: Schemas['BpmnDefinitionNodes'];
  scale: readonly HeatRange[];
  xml: string | undefined;
}

function NodeTable({ definitionID, counts: { nodes, unplacedInstances }, scale, xml }: NodeTableProps) {
  const { id: projectID } = useProject();
  const { names } = useModel(xml);
  const fullestFirst = useMemo(
    () => nodes.toSorted((one, other) => other.activeInstances - one.activeInstances),
    [nodes],
  );
  return (
    <>
      {nodes.length > 0 ? (
        <Table
          label="Nodes"
          columns={columnsOf(projectID, definitionID, names, scale)}
          rows={fullestFirst.slice(0, maxListed)}
          rowKey={({ nodeID }) => nodeID}
        />
      ) : (
        <p className={styles.note}>
          {unplacedInstances === 0
            ? 'No instance of this version is running.'
            : 'The active nodes of the running instances are not known yet.'}
        </p>
      )}
      {nodes.length > maxListed && (
        <p className={styles.note}>
          Showing the {maxListed} busiest of {nodes.length.toLocaleString('en')} nodes; the diagram shows all of them.
        </p>
      )}
      {unplacedInstances > 0 && <UnplacedInstances count={unplacedInstances} />}
    </>
  );
}

function columnsOf(
  projectID: string,
  definitionID: string,
  names: ReadonlyMap<string, string>,
  scale: readonly HeatRange[],
): readonly Column<Counts>[] {
  return [
    {
      title: 'Node',
      cell: ({ nodeID, activeInstances }) => {
        const step = heatOf(activeInstances, scale);
        return (
          <span className={styles.node}>
            {step && <Swatch step={step} />}
            {names.get(nodeID) ?? nodeID} {names.has(nodeID) && <code>{nodeID}</code>}
          </span>
        );
      },
    },
    {
      title: 'Running',
      width: '8rem',
      isNumber: true,
      cell: ({ nodeID, activeInstances }) => (
        <InstanceCount count={activeInstances} filter={instancesAt(definitionID, nodeID)} />
      ),
    },
    {
      title: 'Incidents',
      width: '8rem',
      isNumber: true,
      cell: ({ openIncidents }) =>
        openIncidents > 0 ? (
          <Link to={`/projects/${encodeURIComponent(projectID)}/incidents`}>{openIncidents.toLocaleString('en')}</Link>
        ) : (
          0
        ),
    },
  ];
}

/** Running instances that have not started. */
function UnplacedInstances({ count }: { count: number }) {
  return (
    <p className={styles.note}>
      {count === 1
        ? 'One running instance is not shown, because it has not started yet.'
        : `${count.toLocaleString('en')} running instances are not shown, because they have not started yet.`}
    </p>
  );
}
