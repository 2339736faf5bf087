/** Open subscriptions for messages and signals, oldest first. */
import { Link } from 'react-router';
import { Identifier } from '../../components/values/identifier.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState } from '../../components/feedback/states.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';
import styles from './messages.module.css';
import { refreshEveryMs } from './publication.js';

type Subscription = Schemas['BpmnSubscription'];

const columns: readonly Column<Subscription>[] = [
  { title: 'Name', cell: ({ name }) => <span className={styles.text}>{name}</span> },
  { title: 'Type', width: '6rem', cell: ({ type }) => (type === 'message' ? 'Message' : 'Signal') },
  {
    title: 'Key',
    width: '18%',
    cell: ({ correlationKeys }) =>
      correlationKeys !== undefined && <code className={styles.text}>{JSON.stringify(correlationKeys)}</code>,
  },
  {
    title: 'Subscriber',
    width: '18rem',
    cell: ({ workflowID, nodeID, processId }) =>
      workflowID === undefined ? (
        <>
          Starts <code>{processId}</code>
        </>
      ) : (
        <Identifier
          value={workflowID}
          longest={20}
          wrap={(text) => (
            <Link to={`../instances/${encodeURIComponent(workflowID)}?node=${encodeURIComponent(nodeID)}`}>{text}</Link>
          )}
        />
      ),
  },
  { title: 'Kept with another key', width: '9rem', isNumber: true, cell: ({ keptUnmatched }) => keptUnmatched },
  { title: 'Since', width: '7rem', cell: ({ openedAt }) => <Time value={openedAt} /> },
];

export function SubscriptionList({ name }: { name: string | undefined }) {
  const { id: projectID } = useProject();
  return (
    <PagedList
      noun="subscriptions"
      queryKey={[projectID, 'subscriptions', name]}
      fetchPage={(query, signal) =>
        unwrap(
          api.GET('/projects/{projectID}/bpmn/subscriptions', {
            params: { path: { projectID }, query: { ...query, name } },
            signal,
          }),
        )
      }
      refreshEveryMs={refreshEveryMs}
      columns={columns}
      rowKey={({ workflowID, definitionID, nodeID, type, name: called, openedAt }) =>
        [workflowID ?? definitionID, nodeID, type, called, openedAt].join(' ')
      }
      empty={
        <EmptyState title="No open subscriptions" icon="message">
          Instances appear here when they wait for a message or a signal.
        </EmptyState>
      }
    />
  );
}
