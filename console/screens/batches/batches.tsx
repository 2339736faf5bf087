/** Batches of the project with their progress, newest first. */
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { StatusBadge } from '../../components/values/badge.js';
import { Card } from '../../components/basics/card.js';
import { SelectField } from '../../components/fields/field.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState } from '../../components/feedback/states.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { operationNames, type Batch, type Operation } from '../../features/batches/batch-query.js';
import { outcomesOf } from '../../features/batches/progress.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import styles from './batches.module.css';

const refreshEveryMs = 4_000;
const statuses = ['RUNNING', 'PAUSED', 'COMPLETED', 'CANCELED'] as const;

const columns: readonly Column<Batch>[] = [
  {
    title: 'Operation',
    width: '12rem',
    cell: ({ batchID, operation }) => <Link to={batchID}>{operationNames[operation]}</Link>,
  },
  { title: 'Status', width: '8rem', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Items', cell: (batch) => outcomesOf(batch) },
  { title: 'Reason', cell: ({ reason }) => <span className={styles.why}>{reason}</span> },
  { title: 'Created by', width: '10rem', cell: ({ createdBy }) => createdBy },
  { title: 'Created', width: '7rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

export default function Batches() {
  const { id: projectID } = useProject();
  const address = useAddress();
  const filter = {
    operation: (Object.keys(operationNames) as Operation[]).find((name) => name === address.get('operation')),
    status: statuses.find((status) => status === address.get('status')),
  };
  return (
    <Page title="Batches">
      <search className={styles.filters} aria-label="Filters">
        <SelectField
          label="Operation"
          value={filter.operation ?? ''}
          onChange={({ target }) => address.set({ operation: target.value, page: undefined })}
        >
          <option value="">Any</option>
          {Object.entries(operationNames).map(([operation, name]) => (
            <option key={operation} value={operation}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Status"
          value={filter.status ?? ''}
          onChange={({ target }) => address.set({ status: target.value, page: undefined })}
        >
          <option value="">Any</option>
          <option value="RUNNING">Running</option>
          <option value="PAUSED">Paused</option>
          <option value="COMPLETED">Completed</option>
          <option value="CANCELED">Canceled</option>
        </SelectField>
      </search>
      <Card>
        <PagedList
          noun="batches"
          queryKey={[projectID, 'batches', filter]}
          fetchPage={(page, signal) =>
            unwrap(
              api.GET('/projects/{projectID}/bpmn/batches', {
                params: { path: { projectID }, query: { ...filter, ...page } },
                signal,
              }),
            )
          }
          refreshEveryMs={refreshEveryMs}
          columns={columns}
          rowKey={({ batchID }) => batchID}
          empty={
            <EmptyState title="No batches">
              A batch applies one operation to many instances. Filter the list of instances, then choose “Create a
              batch”.
            </EmptyState>
          }
        />
      </Card>
    </Page>
  );
}
