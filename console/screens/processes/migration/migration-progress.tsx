/** A migration of many instances: its progress and the outcome of each. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { unwrap, api } from '../../../frame/api/client.js';
import type { Schemas } from '../../../frame/api/client.js';
import { Badge } from '../../../components/values/badge.js';
import { Button } from '../../../components/basics/button.js';
import { Card } from '../../../components/basics/card.js';
import { Identifier } from '../../../components/values/identifier.js';
import { Pager } from '../../../components/tables/pager.js';
import { ErrorState, Loading, StaleNote } from '../../../components/feedback/states.js';
import { Table } from '../../../components/tables/table.js';
import type { Column } from '../../../components/tables/table.js';
import { Time } from '../../../components/values/time.js';
import { useProject } from '../../../frame/project/project.js';
import styles from './migration-progress.module.css';

type Result = Schemas['MigratingInstance'];

const refreshEveryMs = 2_000;
const pageSize = 20;

interface MigrationProgressProps {
  migrationID: string;
  onClose(): void;
}

export function MigrationProgress({ migrationID, onClose }: MigrationProgressProps) {
  const { id: projectID } = useProject();
  const [page, setPage] = useState(1);
  const { data, error, isError, dataUpdatedAt, refetch } = useQuery({
    queryKey: [projectID, 'migration', migrationID, page],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/migrations/{migrationID}', {
          params: { path: { projectID, migrationID }, query: { page, pageSize } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.status === 'COMPLETED' ? false : refreshEveryMs),
  });
  return (
    <Card
      title="Migration"
      actions={
        <Button kind="quiet" icon="close" onClick={onClose}>
          Close
        </Button>
      }
    >
      {isError &&
        (data ? (
          <StaleNote error={error} since={dataUpdatedAt} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()} />
        ))}
      {data === undefined && !isError && <Loading lines={3} label="Loading the migration" />}
      {data && (
        <>
          <Progress migration={data} />
          <Table
            label="Instances of the migration"
            columns={columnsFor(projectID)}
            rows={data.results.data}
            rowKey={({ workflowID }) => workflowID}
          />
          {data.results.pagination.totalPages > 1 && (
            <Pager noun="instances" pagination={data.results.pagination} onPage={setPage} />
          )}
        </>
      )}
    </Card>
  );
}

function Progress({
  migration: { status, total, migrated, refused, createdBy, createdAt },
}: {
  migration: Schemas['MigrationOfInstances'];
}) {
  const pending = total - migrated - refused;
  return (
    <div className={styles.progress}>
      <progress
        aria-label="Processed instances"
        max={Math.max(1, total)}
        value={total === 0 ? 1 : migrated + refused}
      />
      <p role="status">
        {status === 'COMPLETED' ? 'Completed' : 'In progress'}: {migrated.toLocaleString('en')} migrated,{' '}
        {refused.toLocaleString('en')} refused, {pending.toLocaleString('en')} pending of {total.toLocaleString('en')}.
      </p>
      <p className={styles.by}>
        Started by {createdBy}, <Time value={createdAt} />.
      </p>
    </div>
  );
}

function columnsFor(projectID: string): readonly Column<Result>[] {
  return [
    {
      title: 'Instance',
      width: '24rem',
      cell: ({ workflowID }) => (
        <Identifier
          value={workflowID}
          longest={40}
          wrap={(text) => (
            <Link to={`/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(workflowID)}`}>
              {text}
            </Link>
          )}
        />
      ),
    },
    { title: 'Outcome', width: '9rem', cell: ({ status }) => <Outcome status={status} /> },
    { title: 'Reason', cell: ({ issues = [] }) => <span className={styles.issues}>{issues.join('; ')}</span> },
  ];
}

const outcomes = {
  PENDING: { tone: 'blue', icon: 'dot', word: 'Pending' },
  MIGRATED: { tone: 'green', icon: 'check', word: 'Migrated' },
  REFUSED: { tone: 'red', icon: 'cross', word: 'Refused' },
} as const;

function Outcome({ status }: Pick<Result, 'status'>) {
  const { tone, icon, word } = outcomes[status];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
