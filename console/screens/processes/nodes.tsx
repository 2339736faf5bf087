/** The running instances of a version per node: on its diagram, in a scale of colors with numbers, and in a table. */
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Schemas } from '../../frame/api/client.js';
import { Card } from '../../components/card.js';
import { classes } from '../../components/classes.js';
import { ErrorState, Loading, StaleNote } from '../../components/states.js';
import { Table } from '../../components/table.js';
import type { Column } from '../../components/table.js';
import { Diagram } from '../../features/diagram/diagram.js';
import { DiagramRoom } from '../../features/diagram/diagram-room.js';
import { heatLooks, heatOf } from '../../features/diagram/heat.js';
import type { HeatRange, HeatStep } from '../../features/diagram/heat.js';
import { useDefinitionXml, useModel } from '../../features/diagram/use-definition.js';
import { useProject } from '../../frame/project/project.js';
import { InstanceCount } from './instance-count.js';
import styles from './nodes.module.css';
import { useHeat, useNodeCounts } from './use-node-counts.js';

type Counts = Schemas['BpmnNodeCounts'];
type Version = Schemas['BpmnProcessDefinition'];

/** The fullest; the others are on the diagram. */
const mostListed = 100;

export function NodesOfVersion({ version: { id, processID, processName, version } }: { version: Version }) {
  const { id: projectID } = useProject();
  const navigate = useNavigate();
  const xml = useDefinitionXml(id);
  const counts = useNodeCounts(id);
  const { scale, marks } = useHeat(counts.data);
  const open = (nodeID: string | undefined) => {
    if (nodeID !== undefined && marks.get(nodeID)?.instances)
      void navigate(
        `/projects/${encodeURIComponent(projectID)}/instances?${new URLSearchParams(instancesAt(id, nodeID))}`,
      );
  };
  return (
    <>
      <Card title={`Version ${version}`}>
        <DiagramRoom>
          {xml.data && (
            <Diagram
              xml={xml.data}
              marks={marks}
              onSelect={open}
              label={`Diagram of ${processName || processID}, version ${version}`}
            />
          )}
          {xml.isPending && <Loading lines={3} label="Loading the diagram" />}
          {xml.isError && <ErrorState error={xml.error} retry={() => void xml.refetch()} />}
        </DiagramRoom>
        {scale.length > 0 && <Legend scale={scale} />}
      </Card>
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
    </>
  );
}

/** The filter of the list of instances that shows those at a node. */
function instancesAt(definitionID: string, activeNodeID: string) {
  return { definitionID, status: 'RUNNING' as const, activeNodeID };
}

function Legend({ scale }: { scale: readonly HeatRange[] }) {
  return (
    <ul className={styles.legend} aria-label="Colors of the diagram">
      {scale.map(({ step, from, to }) => (
        <li key={step}>
          <Swatch step={step} />
          {from === to ? from.toLocaleString('en') : `${from.toLocaleString('en')}–${to.toLocaleString('en')}`}{' '}
          {to === 1 ? 'instance' : 'instances'}
        </li>
      ))}
    </ul>
  );
}

function Swatch({ step }: { step: HeatStep }) {
  return <span className={classes(styles.swatch, heatLooks[step])} aria-hidden />;
}

function NodeTable({
  definitionID,
  counts: { nodes, unplacedInstances },
  scale,
  xml,
}: {
  definitionID: string;
  counts: Schemas['BpmnDefinitionNodes'];
  scale: readonly HeatRange[];
  xml: string | undefined;
}) {
  const { id: projectID } = useProject();
  const { names } = useModel(xml);
  const fullestFirst = useMemo(
    () => nodes.toSorted((one, other) => other.activeInstances - one.activeInstances),
    [nodes],
  );
  const columns: readonly Column<Counts>[] = [
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
  return (
    <>
      {nodes.length > 0 ? (
        <Table
          label="Nodes"
          columns={columns}
          rows={fullestFirst.slice(0, mostListed)}
          rowKey={({ nodeID }) => nodeID}
        />
      ) : (
        <p className={styles.note}>
          {unplacedInstances === 0
            ? 'No instance of this version is running.'
            : 'The active nodes of the running instances are not known yet.'}
        </p>
      )}
      {nodes.length > mostListed && (
        <p className={styles.note}>
          Showing the {mostListed} busiest of {nodes.length.toLocaleString('en')} nodes; the diagram shows all of them.
        </p>
      )}
      {unplacedInstances > 0 && (
        <p className={styles.note}>
          {unplacedInstances === 1
            ? 'One running instance is'
            : `${unplacedInstances.toLocaleString('en')} running instances are`}{' '}
          not shown, because {unplacedInstances === 1 ? 'that instance has' : 'those instances have'} not started yet,
          or {unplacedInstances === 1 ? 'has' : 'have'} been idle since the host was upgraded.
        </p>
      )}
    </>
  );
}
