/** One batch: its operation, its progress, and the outcome of each item. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Badge, StatusBadge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Facts } from '../../components/values/facts.js';
import { SelectField } from '../../components/fields/field.js';
import { Identifier } from '../../components/values/identifier.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState, ErrorState, Loading, sentenceOf, StaleNote } from '../../components/feedback/states.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { useToasts } from '../../components/feedback/toast.js';
import { batchQuery, forAdmins, operationNames, type Batch } from '../../features/batches/batch-query.js';
import { BatchProgress } from '../../features/batches/progress.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { Allowed, useProject } from '../../frame/project/project.js';
import styles from './batches.module.css';

type Item = Schemas['BpmnBatchItem'];

const refreshEveryMs = 2_000;

const outcomes = {
  PENDING: { tone: 'blue', icon: 'dot', word: 'Pending' },
  APPLIED: { tone: 'green', icon: 'check', word: 'Done' },
  FAILED_AGAIN: { tone: 'red', icon: 'alert', word: 'Failed again' },
  REJECTED: { tone: 'red', icon: 'cross', word: 'Rejected' },
  SKIPPED: { tone: 'grey', icon: 'minus', word: 'Skipped' },
  CANCELED: { tone: 'grey', icon: 'ban', word: 'Canceled' },
} as const;

const columns: readonly Column<Item>[] = [
  { title: 'No.', width: '5rem', isNumber: true, cell: ({ position }) => position },
  {
    title: 'Instance',
    width: '24rem',
    cell: ({ workflowID, incidentID }) => (
      <Identifier
        value={workflowID}
        longest={40}
        wrap={(text) => (
          <Link
            to={`../instances/${encodeURIComponent(workflowID)}${incidentID === undefined ? '' : '?tab=incidents'}`}
          >
            {text}
          </Link>
        )}
      />
    ),
  },
  {
    title: 'Outcome',
    width: '9rem',
    cell: ({ status }) => {
      const { tone, icon, word } = outcomes[status];
      return (
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
      );
    },
  },
  {
    title: 'Reason',
    cell: ({ message, issues }) => <span className={styles.why}>{issues?.join('; ') ?? message}</span>,
  },
];

export default function BatchScreen() {
  const { id: projectID } = useProject();
  const { batchID = '' } = useParams();
  const { data, error, isError, dataUpdatedAt, refetch } = useQuery(batchQuery(projectID, batchID));
  const parent = { label: 'Batches', to: '../batches' };
  if (data === undefined)
    return (
      <Page title="Batch" parent={parent}>
        <Card>
          {isError ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading label="Loading the batch" />}
        </Card>
      </Page>
    );
  return (
    <Page
      title={operationNames[data.operation]}
      parent={parent}
      place={{ name: operationNames[data.operation], about: 'Batch' }}
      marks={<StatusBadge status={data.status} />}
      actions={<Controls batch={data} />}
    >
      {isError && <StaleNote error={error} since={dataUpdatedAt} />}
      <Card>
        <div className={styles.progress}>
          <BatchProgress batch={data} />
          <Facts facts={factsOf(data)} />
        </div>
      </Card>
      <Items batch={data} />
    </Page>
  );
}

function factsOf(batch: Batch) {
  const { createdBy, createdAt, completedAt, reason, itemsPerSecond, filter, incidentFilter, names, migration } = batch;
  const chosen = filter ?? incidentFilter;
  return [
    ['Created by', createdBy],
    ['Created', <Time key="created" value={createdAt} />],
    ['Ended', completedAt && <Time key="ended" value={completedAt} />],
    ['Reason', reason],
    ['Chosen by', chosen ? <code key="filter">{JSON.stringify(chosen)}</code> : 'named ones'],
    ['Variables', names?.join(', ')],
    ['To version', migration?.targetVersion],
    ['Items per second', itemsPerSecond],
  ] as const;
}

function Controls({ batch: { batchID, operation, status } }: { batch: Batch }) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const control = useMutation({
    mutationFn: (verb: 'pause' | 'resume' | 'cancel') =>
      unwrap(
        api.POST(`/projects/{projectID}/bpmn/batches/{batchID}/${verb}`, {
          params: { path: { projectID, batchID } },
        }),
      ),
    onError: (error) => toasts.failed(sentenceOf(error)),
  });
  if (status === 'COMPLETED' || status === 'CANCELED') return null;
  return (
    <Allowed role={forAdmins.has(operation) ? 'admin' : 'editor'}>
      {status === 'RUNNING' ? (
        <Button icon="pause" isBusy={control.isPending} onClick={() => control.mutate('pause')}>
          Pause
        </Button>
      ) : (
        <Button icon="play" isBusy={control.isPending} onClick={() => control.mutate('resume')}>
          Resume
        </Button>
      )}
      <Button kind="danger" isBusy={control.isPending} onClick={() => control.mutate('cancel')}>
        Cancel the batch
      </Button>
    </Allowed>
  );
}

function Items({ batch: { batchID, completedAt } }: { batch: Batch }) {
  const { id: projectID } = useProject();
  const address = useAddress();
  const status = (Object.keys(outcomes) as Item['status'][]).find((one) => one === address.get('status'));
  return (
    <>
      <search className={styles.filters} aria-label="Filters">
        <SelectField
          label="Outcome"
          value={status ?? ''}
          onChange={({ target }) => address.set({ status: target.value, page: undefined })}
        >
          <option value="">Any</option>
          {Object.entries(outcomes).map(([value, { word }]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </SelectField>
      </search>
      <Card>
        <PagedList
          noun="items"
          // Fetched once more when the batch has ended.
          queryKey={[projectID, 'batch', batchID, 'items', status, completedAt === undefined]}
          fetchPage={(page, signal) =>
            unwrap(
              api.GET('/projects/{projectID}/bpmn/batches/{batchID}/items', {
                params: { path: { projectID, batchID }, query: { status, ...page } },
                signal,
              }),
            )
          }
          refreshEveryMs={completedAt === undefined && refreshEveryMs}
          columns={columns}
          rowKey={({ position }) => String(position)}
          empty={<EmptyState title="No items">No item of this batch has this outcome.</EmptyState>}
        />
      </Card>
    </>
  );
}
