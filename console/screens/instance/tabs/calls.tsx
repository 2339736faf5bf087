/** The instances that this one has called. */
import { useQuery } from '@tanstack/react-query';
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

/** They come all at once; a loop may have called thousands, which are drawn in pages. */
const pageSize = 50;

function Calls() {
  const address = useAddress();
  const { projectID, instance: { workflowID }, refetchInterval } = useInstance();
  const { data, error, isError, refetch } = useQuery({
    queryKey: [projectID, 'instance', workflowID, 'children'],
    queryFn: ({ signal }) => answerOf(api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/children', { params: { path: { projectID, workflowID } }, signal })),
    refetchInterval,
  });
  if (data === undefined) return isError ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading label="Loading the called instances" />;
  if (data.children.length === 0) return <EmptyState title="It has called no other process" icon="processes">A call activity starts an instance of another process, which appears here.</EmptyState>;
  const total = data.children.length;
  const totalPages = Math.ceil(total / pageSize);
  const page = Math.min(totalPages, Math.max(1, Math.trunc(Number(address.get('page') ?? 1)) || 1));
  return (
    <>
      <Table label="Called instances" columns={columns} rows={data.children.slice((page - 1) * pageSize, page * pageSize)} rowKey={(child) => child.workflowID} />
      {totalPages > 1 && <Pager noun="called instances" pagination={{ page, pageSize, total, totalPages }} onPage={(next) => address.set({ page: next === 1 ? undefined : String(next) })} />}
    </>
  );
}
