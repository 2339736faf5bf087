/** Limits of task types, with the jobs that are leased and held back. */
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { EmptyState } from '../../components/feedback/states.js';
import { PagedList } from '../../components/tables/paged-list.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { useMay, useProject } from '../../frame/project/project.js';
import { PutLimitDialog, RemoveLimitDialog } from './limit-dialogs.js';
import styles from './jobs.module.css';

type Limit = Schemas['Limit'];

const refreshEveryMs = 8_000;
/** Counted to this number. */
const maxHeld = 10_000;

type Asked = { kind: 'put'; limit?: Limit } | { kind: 'remove'; limit: Limit };

export function Limits() {
  const { id: projectID } = useProject();
  const mayChange = useMay('admin');
  const [asked, ask] = useState<Asked>();
  const close = () => ask(undefined);
  return (
    <Card
      title="Limits"
      actions={
        mayChange && (
          <Button icon="plus" onClick={() => ask({ kind: 'put' })}>
            Add a limit
          </Button>
        )
      }
    >
      <PagedList
        noun="limits"
        queryKey={[projectID, 'limits']}
        pageParameter="limitsPage"
        fetchPage={(query, signal) =>
          unwrap(api.GET('/projects/{projectID}/limits', { params: { path: { projectID }, query }, signal }))
        }
        refreshEveryMs={refreshEveryMs}
        columns={columnsFor(mayChange, ask)}
        rowKey={({ taskType }) => taskType}
        empty={
          <EmptyState title="No limits" icon="jobs">
            A limit bounds how many jobs of a task type are leased at once, or in any window of time.
          </EmptyState>
        }
      />
      {asked?.kind === 'put' && <PutLimitDialog limit={asked.limit} onClose={close} />}
      {asked?.kind === 'remove' && <RemoveLimitDialog limit={asked.limit} onClose={close} />}
    </Card>
  );
}

function columnsFor(mayChange: boolean, ask: (asked: Asked) => void): readonly Column<Limit>[] {
  return [
    { title: 'Task type', width: '20%', cell: ({ taskType }) => <code className={styles.type}>{taskType}</code> },
    {
      title: 'Concurrency',
      width: '7rem',
      isNumber: true,
      cell: ({ concurrent }) => concurrent?.toLocaleString('en') ?? '–',
    },
    {
      title: 'Rate',
      width: '9rem',
      cell: ({ rate }) => (rate ? `${rate.count.toLocaleString('en')} per ${rate.per}` : '–'),
    },
    { title: 'Leased', width: '5rem', isNumber: true, cell: ({ leased }) => leased.toLocaleString('en') },
    { title: 'Held back', width: '6rem', isNumber: true, cell: ({ held }) => <strong>{countOf(held)}</strong> },
    ...(mayChange ? adminColumns(ask) : [updated]),
  ];
}

const updated: Column<Limit> = {
  title: 'Updated',
  cell: ({ updatedBy, updatedAt }) => (
    <>
      <Time value={updatedAt} /> by {updatedBy}
    </>
  ),
};

function adminColumns(ask: (asked: Asked) => void): Column<Limit>[] {
  return [
    { title: 'Keys with the most held jobs', cell: ({ keys = [] }) => <Keys keys={keys} /> },
    {
      title: 'Actions',
      width: '12rem',
      cell: (limit) => (
        <span className={styles.buttons}>
          <Button aria-label={`Edit the limit of ${limit.taskType}`} onClick={() => ask({ kind: 'put', limit })}>
            Edit
          </Button>
          <Button aria-label={`Remove the limit of ${limit.taskType}`} onClick={() => ask({ kind: 'remove', limit })}>
            Remove
          </Button>
        </span>
      ),
    },
  ];
}

function Keys({ keys }: { keys: readonly Schemas['LimitKey'][] }) {
  return (
    <span className={styles.workers}>
      {keys.map(({ key, leased, held }) => (
        <span key={JSON.stringify(key) ?? ''}>
          {key === undefined ? 'no key' : <code className={styles.type}>{JSON.stringify(key)}</code>}: {leased} leased,{' '}
          {countOf(held)} held back
        </span>
      ))}
    </span>
  );
}

function countOf(held: number): string {
  return held >= maxHeld ? `${maxHeld.toLocaleString('en')} or more` : held.toLocaleString('en');
}
