/** The deliveries to a hook, newest first. A failed one can be sent again. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Badge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { Identifier } from '../../components/values/identifier.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState, sentenceOf } from '../../components/feedback/states.js';
import { useToasts } from '../../components/feedback/toast.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { useProject } from '../../frame/project/project.js';
import styles from './deliveries.module.css';
import type { Hook } from './edit-hook.js';

type Delivery = Schemas['HookDelivery'];

const refreshEveryMs = 5_000;

const outcomes = {
  PUBLISHED: { tone: 'green', icon: 'check', word: 'Published' },
  REPEATED: { tone: 'grey', icon: 'copy', word: 'Repeated' },
  IGNORED: { tone: 'grey', icon: 'minus', word: 'Ignored' },
  FAILED: { tone: 'red', icon: 'cross', word: 'Failed' },
} as const;

export function Deliveries({ hook: { hookID, enabled } }: { hook: Hook }) {
  const { id: projectID } = useProject();
  const [opened, open] = useState<Delivery>();
  const resend = useResend(hookID);
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
        columns={columnsWith({
          open,
          resend: ({ deliveryID }) => resend.mutate(deliveryID),
          isBusy: resend.isPending,
          isEnabled: enabled,
        })}
        rowKey={({ deliveryID }) => deliveryID}
        empty={
          <EmptyState title="No deliveries" icon="message">
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

/** Delivers by the expressions that the hook has now. A delivery that fails again is a result, not an error. */
function useResend(hookID: string) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  return useMutation({
    mutationFn: (deliveryID: string) =>
      unwrap(
        api.POST('/projects/{projectID}/hooks/{hookID}/deliveries/{deliveryID}/redeliver', {
          params: { path: { projectID, hookID, deliveryID } },
        }),
      ),
    onSuccess: ({ outcome, problem = '' }) => {
      if (outcome === 'FAILED') toasts.failed(`The delivery failed again: ${problem}`);
      else toasts.done(`Sent again: ${outcomes[outcome].word.toLowerCase()}.`);
    },
    onError: (error) => toasts.failed(sentenceOf(error)),
  });
}

interface RowActions {
  open(delivery: Delivery): void;
  resend(delivery: Delivery): void;
  isBusy: boolean;
  /** Whether the hook is enabled. */
  isEnabled: boolean;
}

const columnsWith = ({ open, ...sending }: RowActions): readonly Column<Delivery>[] => [
  { title: 'Received', width: '8rem', cell: ({ receivedAt }) => <Time value={receivedAt} /> },
  {
    title: 'Outcome',
    width: '8rem',
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
      publicationID === undefined ? (
        <span className={styles.problem}>{problem}</span>
      ) : (
        <Identifier value={publicationID} />
      ),
  },
  {
    title: 'Actions',
    width: '15rem',
    cell: (delivery) => (
      <span className={styles.actions}>
        <SendAgain delivery={delivery} {...sending} />
        {delivery.body !== undefined && (
          <Button kind="quiet" onClick={() => open(delivery)}>
            Show body
          </Button>
        )}
      </span>
    ),
  },
];

/** A failed delivery that cannot be sent again says why. */
function SendAgain({
  delivery,
  resend,
  isBusy,
  isEnabled,
}: Pick<RowActions, 'resend' | 'isBusy' | 'isEnabled'> & { delivery: Delivery }) {
  if (delivery.outcome !== 'FAILED') return null;
  if (!delivery.redeliverable)
    return (
      <span className={styles.lost} title="Bodies of at most 64 KiB in UTF-8 are kept, of the newest 1,000 failures.">
        Body not kept
      </span>
    );
  if (!isEnabled) return <span className={styles.lost}>Hook is disabled</span>;
  return (
    <Button disabled={isBusy} onClick={() => resend(delivery)}>
      Send again
    </Button>
  );
}
