/** Events that the receiver did not accept within 3 days, newest first. They can be sent again. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { EmptyState, sentenceOf } from '../../components/feedback/states.js';
import { useToasts } from '../../components/feedback/toast.js';
import { PagedList } from '../../components/tables/paged-list.js';
import type { Column } from '../../components/tables/table.js';
import { Identifier } from '../../components/values/identifier.js';
import { JsonView } from '../../components/values/json-view.js';
import { Time } from '../../components/values/time.js';
import { useProject } from '../../frame/project/project.js';
import { shortType } from './event-types.js';
import type { Subscription } from './state.js';
import styles from './subscriptions.module.css';

type DeadLetter = Schemas['DeadLetter'];

const refreshEveryMs = 8_000;

export function DeadLetters({ subscription: { subscriptionID, deadLetters } }: { subscription: Subscription }) {
  const { id: projectID } = useProject();
  const [opened, open] = useState<DeadLetter>();
  const resend = useResend(subscriptionID);
  return (
    <Card
      title="Dead letters"
      actions={
        deadLetters > 0 && (
          <Button isBusy={resend.isPending} onClick={() => resend.mutate(undefined)}>
            Send all again
          </Button>
        )
      }
    >
      <PagedList
        noun="dead letters"
        queryKey={[projectID, 'event subscriptions', 'dead letters', subscriptionID]}
        fetchPage={(query, signal) =>
          unwrap(
            api.GET('/projects/{projectID}/events/subscriptions/{subscriptionID}/dead-letters', {
              params: { path: { projectID, subscriptionID }, query },
              signal,
            }),
          )
        }
        refreshEveryMs={refreshEveryMs}
        columns={columnsWith({ open, resend: ({ event }) => resend.mutate([event.id]), isBusy: resend.isPending })}
        rowKey={({ event }) => event.id}
        empty={
          <EmptyState title="No dead letters" icon="check">
            An event that the receiver does not accept within 3 days is listed here, for as long as the project keeps
            events.
          </EmptyState>
        }
      />
      {opened && (
        <Dialog title={`Event ${opened.event.id}`} isWide onClose={() => open(undefined)}>
          <JsonView label="Event" value={opened.event} openDepth={2} />
        </Dialog>
      )}
    </Card>
  );
}

interface RowActions {
  open(letter: DeadLetter): void;
  resend(letter: DeadLetter): void;
  isBusy: boolean;
}

const columnsWith = ({ open, resend, isBusy }: RowActions): readonly Column<DeadLetter>[] => [
  {
    title: 'Event',
    width: '18rem',
    cell: ({ event }) => (
      <span className={styles.event}>
        <code>{shortType(event.type)}</code>
        <Subject event={event} />
      </span>
    ),
  },
  { title: 'Happened', width: '7rem', cell: ({ event }) => <Time value={event.time} /> },
  { title: 'Last error', cell: ({ lastError }) => <span className={styles.error}>{lastError}</span> },
  { title: 'Attempts', width: '6rem', isNumber: true, cell: ({ attempts }) => attempts },
  { title: 'Given up', width: '7rem', cell: ({ deadAt }) => <Time value={deadAt} /> },
  {
    title: 'Actions',
    width: '13rem',
    cell: (letter) => (
      <span className={styles.actions}>
        <Button disabled={isBusy} aria-label={`Send again: event ${letter.event.id}`} onClick={() => resend(letter)}>
          Send again
        </Button>
        <Button kind="quiet" aria-label={`Show event ${letter.event.id}`} onClick={() => open(letter)}>
          Show
        </Button>
      </span>
    ),
  },
];

/** Linked if it is an instance. */
function Subject({ event: { type, subject } }: Pick<DeadLetter, 'event'>) {
  const { id: projectID } = useProject();
  const address = `/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(subject)}`;
  return (
    <Identifier
      value={subject}
      longest={30}
      wrap={shortType(type).startsWith('instance.') ? (text) => <Link to={address}>{text}</Link> : undefined}
    />
  );
}

/** @returns sends the events with these ids again, or the oldest 10,000 */
function useResend(subscriptionID: string) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  return useMutation({
    mutationFn: (ids: string[] | undefined) =>
      unwrap(
        api.POST('/projects/{projectID}/events/subscriptions/{subscriptionID}/redeliver', {
          params: { path: { projectID, subscriptionID } },
          body: ids === undefined ? {} : { ids },
        }),
      ),
    onSuccess: () => toasts.done('Queued. The events are pending until the receiver accepts them.'),
    onError: (error) => toasts.failed(sentenceOf(error)),
  });
}
