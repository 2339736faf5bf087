/** The event subscriptions of the project: receivers of events, and how their deliveries are going. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { Button, ButtonLink } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Banner } from '../../components/feedback/banner.js';
import { EmptyState } from '../../components/feedback/states.js';
import { PagedList } from '../../components/tables/paged-list.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { IntegrationLinks } from '../../features/integrations/integration-links.js';
import { Page } from '../../frame/layout/page.js';
import { useProject } from '../../frame/project/project.js';
import { EditSubscriptionDialog } from './edit-subscription.js';
import { pendingText, StateBadge, type Subscription } from './state.js';
import styles from './subscriptions.module.css';

const refreshEveryMs = 8_000;

const columns: readonly Column<Subscription>[] = [
  {
    title: 'Name',
    cell: ({ subscriptionID, name }) => (
      <Link className={styles.name} to={subscriptionID}>
        {name}
      </Link>
    ),
  },
  { title: 'State', width: '8rem', cell: (subscription) => <StateBadge subscription={subscription} /> },
  {
    title: 'Failing since',
    width: '8rem',
    cell: ({ failingSince }) => failingSince !== undefined && <Time value={failingSince} />,
  },
  { title: 'Pending', width: '8rem', isNumber: true, cell: pendingText },
  {
    title: 'Dead letters',
    width: '8rem',
    isNumber: true,
    cell: ({ subscriptionID, deadLetters }) =>
      deadLetters === 0 ? 0 : <Link to={subscriptionID}>{deadLetters.toLocaleString('en')}</Link>,
  },
  { title: 'Receiver', width: '18rem', cell: ({ url }) => <code title={url}>{new URL(url).host}</code> },
];

export default function EventSubscriptions() {
  const { id: projectID } = useProject();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Page
      title="Event subscriptions"
      actions={
        <Button kind="primary" icon="plus" onClick={() => setIsCreating(true)}>
          Create a subscription
        </Button>
      }
    >
      <IntegrationLinks />
      <MissingFeed />
      <Card>
        <PagedList
          noun="event subscriptions"
          queryKey={[projectID, 'event subscriptions']}
          fetchPage={(query, signal) =>
            unwrap(
              api.GET('/projects/{projectID}/events/subscriptions', { params: { path: { projectID }, query }, signal }),
            )
          }
          refreshEveryMs={refreshEveryMs}
          columns={columns}
          rowKey={({ subscriptionID }) => subscriptionID}
          empty={
            <EmptyState title="No event subscriptions yet" icon="message">
              A subscription sends events, such as a raised incident or a completed instance, to a URL of yours. Each is
              signed, and repeated for 3 days if the receiver does not answer.
            </EmptyState>
          }
        />
      </Card>
      {isCreating && <EditSubscriptionDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

/** Says what is missing in a project that keeps no events. */
function MissingFeed() {
  const { id: projectID } = useProject();
  const { data } = useQuery({
    queryKey: [projectID, 'settings'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/projects/{projectID}/settings', { params: { path: { projectID } }, signal })),
  });
  if (data === undefined || data.eventRetention) return null;
  return (
    <Banner
      tone="amber"
      icon="alert"
      title="This project has no event feed."
      action={<ButtonLink to="../settings">Settings</ButtonLink>}
    >
      Set the retention of the event feed in the settings first. Events are recorded from then on.
    </Banner>
  );
}
