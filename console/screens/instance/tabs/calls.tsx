/** The instances that this one has called. */
import { Link } from 'react-router';
import { unwrap, api } from '../../../frame/api/client.js';
import type { Schemas } from '../../../frame/api/client.js';
import { IncidentBadge, StatusBadge } from '../../../components/values/badge.js';
import { Identifier } from '../../../components/values/identifier.js';
import { PagedList } from '../../../components/tables/paged-list.js';
import { EmptyState } from '../../../components/feedback/states.js';
import type { Column } from '../../../components/tables/table.js';
import { Time } from '../../../components/values/time.js';
import { useInstance } from '../use-instance.js';
import type { InstanceTab } from './tab.js';

export const calls: InstanceTab = { id: 'calls', label: 'Called instances', role: 'viewer', Content: Calls };

const columns: readonly Column<Schemas['BpmnInstance']>[] = [
  {
    title: 'Instance',
    cell: ({ workflowID }) => (
      <Identifier
        value={workflowID}
        wrap={(text) => <Link to={`../instances/${encodeURIComponent(workflowID)}`}>{text}</Link>}
      />
    ),
  },
  {
    title: 'Process',
    width: '26%',
    cell: ({ processId, processName, processVersion }) => `${processName ?? processId} v${processVersion}`,
  },
  {
    title: 'Status',
    width: '15rem',
    cell: ({ status, hasIncident }) => (
      <>
        <StatusBadge status={status} /> {hasIncident && <IncidentBadge />}
      </>
    ),
  },
  { title: 'Started', width: '8rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

function Calls() {
  const {
    projectID,
    instance: { workflowID },
    refetchInterval,
  } = useInstance();
  return (
    <PagedList
      noun="called instances"
      queryKey={[projectID, 'instance', workflowID, 'calls']}
      fetchPage={(page, signal) =>
        unwrap(
          api.GET('/projects/{projectID}/bpmn/instances', {
            params: { path: { projectID }, query: { parentWorkflowID: workflowID, ...page } },
            signal,
          }),
        )
      }
      refreshEveryMs={refetchInterval}
      columns={columns}
      rowKey={(child) => child.workflowID}
      empty={
        <EmptyState title="No child instances" icon="processes">
          Call activities start instances of other processes, which appear here.
        </EmptyState>
      }
    />
  );
}
