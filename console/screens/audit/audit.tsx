/** The audit log of the project, newest first. */
import { lists } from '@perdure/client';
import { useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { OutcomeBadge } from '../../components/values/outcome-badge.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState } from '../../components/feedback/states.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { DownloadList } from '../../features/download.js';
import { filterOf } from '../../features/filters/list-filter.js';
import { ListFilters } from '../../features/filters/list-filters.js';
import { unwrap, api } from '../../frame/api/client.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import styles from './audit.module.css';
import { EntryDialog } from './entry-dialog.js';
import { actorOf, Subject, type Entry } from './entry.js';
import { inWords, recordedOperations } from './operations.js';

const refreshEveryMs = 8_000;
/** The list, with a choice of the operations that are recorded. */
const auditList = {
  filters: lists.ListAuditEntries.filters.map((filter) =>
    filter.name === 'operation'
      ? {
          ...filter,
          kind: 'enum' as const,
          values: recordedOperations.map((value) => ({ value, label: inWords(value) })),
        }
      : filter,
  ),
};

export default function Audit() {
  const { id: projectID } = useProject();
  const [opened, open] = useState<Entry>();
  const filter = filterOf(auditList, useAddress());
  return (
    <Page title="Audit log" actions={<DownloadList list="audit" projectID={projectID} filter={filter} />}>
      <ListFilters list={auditList} />
      <Card>
        <PagedList
          noun="changes"
          queryKey={[projectID, 'audit', filter]}
          fetchPage={(page, signal) =>
            unwrap(
              api.GET('/projects/{projectID}/audit', {
                params: { path: { projectID }, query: { ...filter, ...page } },
                signal,
              }),
            )
          }
          refreshEveryMs={refreshEveryMs}
          columns={columnsWith(open)}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="No changes">
              Every change is recorded here: deployments, starts, work of people, and actions of operators and admins.
            </EmptyState>
          }
        />
      </Card>
      {opened !== undefined && <EntryDialog entry={opened} onClose={() => open(undefined)} />}
    </Page>
  );
}

const columnsWith = (open: (entry: Entry) => void): readonly Column<Entry>[] => [
  { title: 'Operation', width: '20%', cell: ({ operation }) => <span title={operation}>{inWords(operation)}</span> },
  { title: 'Actor', width: '16%', cell: (entry) => <span className={styles.text}>{actorOf(entry)}</span> },
  { title: 'Subject', cell: (entry) => <Subject entry={entry} /> },
  { title: 'Reason', width: '22%', cell: ({ reason }) => <span className={styles.text}>{reason}</span> },
  { title: 'Time', width: '7rem', cell: ({ time }) => <Time value={time} /> },
  { title: 'Outcome', width: '7.5rem', cell: ({ outcome, code }) => <OutcomeBadge outcome={outcome} title={code} /> },
  {
    title: 'Details',
    width: '6rem',
    cell: (entry) => (
      <Button kind="quiet" aria-label={`Details of ${inWords(entry.operation)}`} onClick={() => open(entry)}>
        Details
      </Button>
    ),
  },
];
