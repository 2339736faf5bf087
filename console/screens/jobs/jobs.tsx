/** Job queues by task type, active workers, and all jobs. */
import { lists } from '@perdure/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Badge, StatusBadge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Identifier } from '../../components/values/identifier.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState, ErrorState, Loading, StaleNote } from '../../components/feedback/states.js';
import { Table } from '../../components/tables/table.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { DownloadList } from '../../features/download.js';
import { filterOf, isFiltered } from '../../features/filters/list-filter.js';
import { ListFilters } from '../../features/filters/list-filters.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { sortOf } from '../../frame/layout/list-order.js';
import { sortingBy } from '../../frame/layout/use-sorting.js';
import { heldByText } from '../../features/held-by.js';
import { useProject } from '../../frame/project/project.js';
import { Limits } from './limits.js';
import styles from './jobs.module.css';

type Job = Schemas['ExternalJob'];

const refreshEveryMs = 8_000;

const columns: readonly Column<Job>[] = [
  { title: 'Task type', width: '18%', cell: ({ taskType }) => <code className={styles.type}>{taskType}</code> },
  {
    title: 'Status',
    width: '8rem',
    cell: ({ status, errorMessage, cancelReason }) => (
      <span title={errorMessage ?? cancelReason}>
        <StatusBadge status={status} />
      </span>
    ),
  },
  {
    title: 'Instance',
    width: '17rem',
    cell: ({ workflowID }) => (
      <Identifier
        value={workflowID}
        longest={24}
        wrap={(text) => <Link to={`../instances/${workflowID}?tab=jobs`}>{text}</Link>}
      />
    ),
  },
  {
    title: 'Worker',
    cell: (job) => job.status === 'PENDING' && <Worker job={job} />,
  },
  { title: 'Retries', width: '5rem', isNumber: true, cell: ({ retries }) => retries },
  { title: 'Created', sort: 'createdAt', width: '7rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: 'Ended',
    sort: 'completedAt',
    width: '7rem',
    cell: ({ completedAt }) => completedAt && <Time value={completedAt} />,
  },
];

function Worker({ job: { lockedBy, heldBy } }: { job: Job }) {
  if (heldBy !== undefined) return heldByText[heldBy];
  return lockedBy === undefined ? 'Waiting for a job worker' : <code>{lockedBy}</code>;
}

const jobList = lists.ListBpmnExternalJobs;

export default function Jobs() {
  const { id: projectID } = useProject();
  const address = useAddress();
  const filter = filterOf(jobList, address);
  const sort = sortOf(address, jobList, filter);
  return (
    <Page title="Jobs" actions={<DownloadList list="bpmn/external-jobs" projectID={projectID} filter={filter} />}>
      <Card title="Queues">
        <Queues onChoose={(taskType) => address.set({ taskType, status: 'PENDING', page: undefined })} />
      </Card>
      <Limits />
      <ListFilters list={jobList} />
      <Card>
        <PagedList
          noun="jobs"
          queryKey={[projectID, 'jobs', filter, sort]}
          fetchPage={(page, signal) =>
            unwrap(
              api.GET('/projects/{projectID}/bpmn/external-jobs', {
                params: { path: { projectID }, query: { ...filter, ...sort, ...page } },
                signal,
              }),
            )
          }
          refreshEveryMs={refreshEveryMs}
          columns={columns}
          rowKey={({ executionKey }) => executionKey}
          sorting={sortingBy(address, jobList, filter)}
          empty={
            <EmptyState title={isFiltered(filter) ? 'No jobs match' : 'No jobs yet'} icon="jobs">
              A service task creates a job when a token reaches it; a job worker then leases it.
            </EmptyState>
          }
        />
      </Card>
    </Page>
  );
}

type Client = Schemas['ExternalJobWorker'];

interface Queue {
  taskType: string;
  pending: number;
  clients: Client[];
}

/** The queues by task type. Operators look for pending jobs without recent polls. */
function Queues({ onChoose }: { onChoose(taskType: string): void }) {
  const { id: projectID } = useProject();
  const params = { path: { projectID } };
  const queues = useQuery({
    queryKey: [projectID, 'queues'],
    queryFn: async ({ signal }) => {
      const [depth, workers] = await Promise.all([
        unwrap(api.GET('/projects/{projectID}/bpmn/external-jobs/queue-depth', { params, signal })),
        unwrap(
          api.GET('/projects/{projectID}/bpmn/external-jobs/workers', {
            params: { ...params, query: { pageSize: 100 } },
            signal,
          }),
        ),
      ]);
      return queuesOf(depth.items, workers.data);
    },
    refetchInterval: refreshEveryMs,
  });
  if (queues.data === undefined)
    return queues.isError ? (
      <ErrorState error={queues.error} retry={() => void queues.refetch()} />
    ) : (
      <Loading lines={3} label="Loading the queues" />
    );
  if (queues.data.length === 0)
    return (
      <EmptyState title="No pending jobs and no active workers" icon="jobs">
        Task types appear here if a job is pending or a job worker polled within the last minute.
      </EmptyState>
    );
  return (
    <>
      {queues.isError && <StaleNote error={queues.error} since={queues.dataUpdatedAt} />}
      <Table label="Queues" columns={queueColumns(onChoose)} rows={queues.data} rowKey={({ taskType }) => taskType} />
    </>
  );
}

function queueColumns(onChoose: (taskType: string) => void): readonly Column<Queue>[] {
  return [
    { title: 'Task type', width: '28%', cell: ({ taskType }) => <code className={styles.type}>{taskType}</code> },
    {
      title: 'Pending',
      width: '6rem',
      isNumber: true,
      cell: ({ pending }) => <strong>{pending.toLocaleString('en')}</strong>,
    },
    {
      title: 'Workers seen in the last minute',
      cell: ({ pending, clients }) => <Workers isNeeded={pending > 0} clients={clients} />,
    },
    {
      title: 'Actions',
      width: '9rem',
      cell: ({ taskType }) => (
        <Button kind="quiet" onClick={() => onChoose(taskType)}>
          Pending jobs
        </Button>
      ),
    },
  ];
}

function Workers({ isNeeded, clients }: { isNeeded: boolean; clients: readonly Client[] }) {
  if (clients.length > 0)
    return (
      <span className={styles.workers}>
        {clients.map(({ clientID, lastSeenAt }) => (
          <span key={clientID}>
            <code>{clientID}</code> <Time value={lastSeenAt} />
          </span>
        ))}
      </span>
    );
  return isNeeded ? (
    <Badge tone="amber" icon="alert">
      No active workers
    </Badge>
  ) : (
    <>–</>
  );
}

function queuesOf(depth: Schemas['ExternalJobQueueDepthResponse']['items'], clients: readonly Client[]): Queue[] {
  const queues = new Map(
    depth.map(({ taskType, pendingCount }) => [taskType, { taskType, pending: pendingCount, clients: [] as Client[] }]),
  );
  for (const client of clients) {
    const queue = queues.get(client.taskType) ?? { taskType: client.taskType, pending: 0, clients: [] };
    queue.clients.push(client);
    queues.set(client.taskType, queue);
  }
  return [...queues.values()].sort(
    (one, other) => other.pending - one.pending || (one.taskType < other.taskType ? -1 : 1),
  );
}
