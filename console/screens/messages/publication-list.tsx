/** Messages and signals, newest first, each with its details in a dialog. */
import { useState } from 'react';
import { Link } from 'react-router';
import { StatusBadge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Identifier } from '../../components/values/identifier.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState } from '../../components/feedback/states.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { unwrap, api } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';
import styles from './messages.module.css';
import { PublicationDialog } from './publication-dialog.js';
import { refreshEveryMs, type Publication } from './publication.js';

export function PublicationList({
  name,
  state,
}: {
  name: string | undefined;
  state: Publication['state'] | undefined;
}) {
  const { id: projectID } = useProject();
  const [opened, setOpened] = useState<string>();
  const columns: readonly Column<Publication>[] = [
    { title: 'Name', cell: ({ name: called }) => <span className={styles.text}>{called}</span> },
    { title: 'Type', width: '6rem', cell: ({ type }) => (type === 'message' ? 'Message' : 'Signal') },
    {
      title: 'Key',
      width: '18%',
      cell: ({ correlationKeys }) =>
        correlationKeys !== undefined && <code className={styles.text}>{JSON.stringify(correlationKeys)}</code>,
    },
    { title: 'State', width: '8rem', cell: ({ state: current }) => <StatusBadge status={current} /> },
    {
      title: 'Received by',
      width: '14rem',
      cell: ({ takenBy, reached }) =>
        takenBy ? (
          <Identifier
            value={takenBy.workflowID}
            longest={20}
            wrap={(text) => <Link to={`../instances/${encodeURIComponent(takenBy.workflowID)}`}>{text}</Link>}
          />
        ) : (
          reached !== undefined && `${reached} ${reached === 1 ? 'instance' : 'instances'}`
        ),
    },
    { title: 'Published', width: '7rem', cell: ({ publishedAt }) => <Time value={publishedAt} /> },
    {
      title: 'Details',
      width: '6rem',
      cell: ({ publicationID, name: called }) => (
        <Button kind="quiet" aria-label={`Details of ${called}`} onClick={() => setOpened(publicationID)}>
          Details
        </Button>
      ),
    },
  ];
  return (
    <>
      <PagedList
        noun="publications"
        queryKey={[projectID, 'publications', name, state]}
        fetchPage={(query, signal) =>
          unwrap(
            api.GET('/projects/{projectID}/bpmn/publications', {
              params: { path: { projectID }, query: { ...query, name, state } },
              signal,
            }),
          )
        }
        refreshEveryMs={refreshEveryMs}
        columns={columns}
        rowKey={({ publicationID }) => publicationID}
        empty={
          <EmptyState title="No messages or signals" icon="message">
            Published messages and signals appear here. They are listed until 24 hours after their end.
          </EmptyState>
        }
      />
      {opened !== undefined && <PublicationDialog publicationID={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
