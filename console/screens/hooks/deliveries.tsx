/** The deliveries to a hook, newest first. */
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Badge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { Identifier } from '../../components/values/identifier.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState } from '../../components/feedback/states.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { useProject } from '../../frame/project/project.js';
import styles from './deliveries.module.css';

type Delivery = Schemas['HookDelivery'];

const refreshEveryMs = 5_000;

const outcomes = {
  PUBLISHED: { tone: 'green', icon: 'check', word: 'Published' },
  REPEATED: { tone: 'grey', icon: 'copy', word: 'Repeated' },
  IGNORED: { tone: 'grey', icon: 'minus', word: 'Ignored' },
  FAILED: { tone: 'red', icon: 'cross', word: 'Failed' },
} as const;

export function Deliveries({ hookID }: { hookID: string }) {
  const { id: projectID } = useProject();
  const [opened, open] = useState<Delivery>();
  return (
    <>
      <PagedList
        noun="deliveries"
        queryKey={[projectID, 'hooks', 'deliveries', hookID]}
        fetchPage={(query, signal) =>
          unwrap(
            api.GET('/projects/{projectID}/hooks/{hookID}/deliveries', {
              params: { path: { projectID, hookID }, query },
              signal,
            }),
          )
        }
        refreshEveryMs={refreshEveryMs}
        columns={columnsWith(open)}
        rowKey={({ deliveryID }) => deliveryID}
        empty={
          <EmptyState title="No deliveries">
            Deliveries with the right signature are listed here for 7 days. Refused ones are in the log of the host.
          </EmptyState>
        }
      />
      {opened?.body !== undefined && (
        <Dialog title="Body of the delivery" isWide onClose={() => open(undefined)}>
          <p>{opened.problem}</p>
          <pre className={styles.body}>{opened.body}</pre>
        </Dialog>
      )}
    </>
  );
}

const columnsWith = (open: (delivery: Delivery) => void): readonly Column<Delivery>[] => [
  { title: 'Received', width: '9rem', cell: ({ receivedAt }) => <Time value={receivedAt} /> },
  {
    title: 'Outcome',
    width: '9rem',
    cell: ({ outcome }) => {
      const { tone, icon, word } = outcomes[outcome];
      return (
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
      );
    },
  },
  {
    title: 'Publication or problem',
    cell: ({ publicationID, problem }) =>
      publicationID === undefined ? problem : <Identifier value={publicationID} />,
  },
  {
    title: 'Body',
    width: '7rem',
    cell: (delivery) =>
      delivery.body !== undefined && (
        <Button kind="quiet" onClick={() => open(delivery)}>
          Show body
        </Button>
      ),
  },
];
