/** The instances that this one has called. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { answerOf, api } from '../../../api/client.js';
import type { Schemas } from '../../../api/client.js';
import { IncidentBadge, StatusBadge } from '../../../components/badge.js';
import { Identifier } from '../../../components/identifier.js';
import { Pager } from '../../../components/pager.js';
import { EmptyState, ErrorState, Loading } from '../../../components/states.js';
import { Table } from '../../../components/table.js';
import type { Column } from '../../../components/table.js';
import { Time } from '../../../components/time.js';
import { useAddress } from '../../../layout/use-address.js';
import { useInstance } from '../use-instance.js';
import type { InstanceTab } from './tab.js';

export const calls: InstanceTab = { id: 'calls', label: 'Called instances', role: 'viewer', Content: Calls };

const columns: readonly Column<Schemas['BpmnInstance']>[] = [
  { title: 'Instance', cell: ({ workflowID }) => <Identifier value={workflowID} wrap={(text) => <Link to={`../instances/${encodeURIComponent(workflowID)}`}>{text}</Link>} /> },
  { title: 'Process', width: '26%', cell: ({ processId, processName, processVersion }) => `${processName ?? processId} v${processVersion}` },
  { title: 'Status', width: '15rem', cell: ({ status, hasIncident }) => <><StatusBadge status={status} /> {hasIncident && <IncidentBadge />}</> },
  { title: 'Started', width: '8rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

/** A loop may have called thousands. */
const pageSize = 50;

function Calls() {
  const address = useAddress();
  const { projectID, instance: { workflowID }, refetchInterval } = useInstance();
  const page = Math.max(1, Math.trunc(Number(address.get('page') ?? 1)) || 1);
  const query = { parentWorkflowID: workflowID, page, pageSize };
  const { data, error, isError, refetch } = useQuery({
    queryKey: [projectID, 'instance', workflowID, 'calls', page],
    queryFn: ({ signal }) => answerOf(api.GET('/projects/{projectID}/bpmn/instances', { params: { path: { projectID }, query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
  if (data === undefined) return isError ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading label="Loading the called instances" />;
  if (data.pagination.total === 0) return <EmptyState title="It has called no other process" icon="processes">A call activity starts an instance of another process, which appears here.</EmptyState>;
  return (
    <>
      <Table label="Called instances" columns={columns} rows={data.data} rowKey={(child) => child.workflowID} />
      {data.pagination.totalPages > 1 && <Pager noun="called instances" pagination={data.pagination} onPage={(next) => address.set({ page: next === 1 ? undefined : String(next) })} />}
    </>
  );
}
