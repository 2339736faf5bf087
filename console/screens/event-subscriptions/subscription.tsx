/** One event subscription: how its deliveries are going, and its dead letters. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Banner } from '../../components/feedback/banner.js';
import { ErrorState, Loading, sentenceOf, StaleNote } from '../../components/feedback/states.js';
import { useToasts } from '../../components/feedback/toast.js';
import { Facts } from '../../components/values/facts.js';
import { Time } from '../../components/values/time.js';
import { Page } from '../../frame/layout/page.js';
import { useProject } from '../../frame/project/project.js';
import { DeadLetters } from './dead-letters.js';
import { DeleteSubscriptionDialog } from './delete-subscription.js';
import { EditSubscriptionDialog } from './edit-subscription.js';
import { shortType } from './event-types.js';
import { pendingText, StateBadge, type Subscription } from './state.js';
import styles from './subscriptions.module.css';

const refreshEveryMs = 5_000;
const parent = { label: 'Event subscriptions', to: '../event-subscriptions' };

export default function SubscriptionScreen() {
  const { id: projectID } = useProject();
  const { subscriptionID = '' } = useParams();
  const { data, error, isError, dataUpdatedAt, refetch } = useQuery({
    queryKey: [projectID, 'event subscriptions', 'one', subscriptionID],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/events/subscriptions/{subscriptionID}', {
          params: { path: { projectID, subscriptionID } },
          signal,
        }),
      ),
    refetchInterval: refreshEveryMs,
  });
  if (data === undefined)
    return (
      <Page title="Event subscription" parent={parent}>
        <Card>
          {isError ? (
            <ErrorState error={error} retry={() => void refetch()} />
          ) : (
            <Loading label="Loading the subscription" />
          )}
        </Card>
      </Page>
    );
  return (
    <Page
      title={data.name}
      parent={parent}
      place={{ name: data.name, about: 'Event subscription' }}
      marks={<StateBadge subscription={data} />}
      actions={<Actions subscription={data} />}
    >
      {isError && <StaleNote error={error} since={dataUpdatedAt} />}
      <Failure subscription={data} />
      <Facts
        facts={[
          [
            'URL',
            <code key="url" className={styles.text}>
              {data.url}
            </code>,
          ],
          ['Pending', pendingText(data)],
          ['Dead letters', data.deadLetters.toLocaleString('en')],
          ['Secret', data.secret],
          ['Events', data.types.map(shortType).join(', ')],
          ['Processes', data.processIds?.join(', ') ?? 'All'],
          ['Created by', data.createdBy],
        ]}
      />
      <DeadLetters subscription={data} />
    </Page>
  );
}

/** The last error can also be about events that expired before their delivery. */
function Failure({ subscription: { failingSince, lastError } }: { subscription: Subscription }) {
  if (failingSince === undefined && lastError === undefined) return null;
  return (
    <Banner
      tone={failingSince === undefined ? 'amber' : 'red'}
      icon="alert"
      title={failingSince === undefined ? 'Last error:' : 'Deliveries are failing.'}
    >
      {failingSince !== undefined && (
        <>
          First failure: <Time value={failingSince} />. Last error:{' '}
        </>
      )}
      {lastError}
    </Banner>
  );
}

function Actions({ subscription }: { subscription: Subscription }) {
  const [asked, ask] = useState<'edit' | 'delete'>();
  const enable = useEnable(subscription);
  const close = () => ask(undefined);
  return (
    <>
      <Button icon="edit" onClick={() => ask('edit')}>
        Edit
      </Button>
      <Button isBusy={enable.isPending} onClick={() => enable.mutate()}>
        {subscription.enabled ? 'Disable' : 'Enable'}
      </Button>
      <Button kind="danger" onClick={() => ask('delete')}>
        Delete
      </Button>
      {asked === 'edit' && <EditSubscriptionDialog subscription={subscription} onClose={close} />}
      {asked === 'delete' && <DeleteSubscriptionDialog subscription={subscription} onClose={close} />}
    </>
  );
}

/** Enables a disabled subscription, and the other way around. */
function useEnable({ subscriptionID, enabled, name }: Subscription) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.PATCH('/projects/{projectID}/events/subscriptions/{subscriptionID}', {
          params: { path: { projectID, subscriptionID } },
          body: { enabled: !enabled },
        }),
      ),
    onSuccess: () => toasts.done(enabled ? `${name} disabled. Its events wait.` : `${name} enabled.`),
    onError: (error) => toasts.failed(sentenceOf(error)),
  });
}
