/** Three views of a version's diagram: running instances, frequency, and duration of nodes. */
import { useNavigate } from 'react-router';
import type { Schemas } from '../../frame/api/client.js';
import { Tabs } from '../../components/basics/tabs.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import { instancesAt, RunningPerNode, sayInstances } from './nodes.js';
import { StatisticsOfVersion } from './statistics/statistics.js';
import { useHeat, useNodeCounts } from './use-node-counts.js';
import { VersionDiagram } from './version-diagram.js';
import styles from './views.module.css';

type Version = Schemas['BpmnProcessDefinition'];

const tabs = [
  { id: 'now', label: 'Now' },
  { id: 'count', label: 'Count' },
  { id: 'time', label: 'Time' },
] as const;

export function ViewsOfVersion({ version }: { version: Version }) {
  const address = useAddress();
  const view = tabs.find(({ id }) => id === address.get('view'))?.id ?? 'now';
  return (
    <Tabs
      label="View of the diagram"
      tabs={tabs}
      selected={view}
      onSelect={(id) => address.set({ view: id === 'now' ? undefined : id })}
    >
      {view === 'now' ? <Now version={version} /> : <StatisticsOfVersion version={version} by={view} />}
    </Tabs>
  );
}

function Now({ version }: { version: Version }) {
  const { id: projectID } = useProject();
  const navigate = useNavigate();
  const { scale, marks } = useHeat(useNodeCounts(version.id).data);
  const open = (nodeID: string | undefined) => {
    if (nodeID !== undefined && marks.get(nodeID)?.instances)
      void navigate(
        `/projects/${encodeURIComponent(projectID)}/instances?${new URLSearchParams(instancesAt(version.id, nodeID))}`,
      );
  };
  return (
    <div className={styles.view}>
      <VersionDiagram version={version} marks={marks} scale={scale} sayRange={sayInstances} onSelect={open} />
      <RunningPerNode version={version} />
    </div>
  );
}
