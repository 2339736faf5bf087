/** One message or signal: its outcome, and why it matches no subscription. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { StatusBadge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { Facts } from '../../components/values/facts.js';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { Identifier } from '../../components/values/identifier.js';
import { JsonView } from '../../components/values/json-view.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import { Time } from '../../components/values/time.js';
import { useToasts } from '../../components/feedback/toast.js';
import { unwrap, api } from '../../frame/api/client.js';
import { useMay, useProject } from '../../frame/project/project.js';
import styles from './messages.module.css';
import { explain, refreshEveryMs, type Publication } from './publication.js';

export function PublicationDialog({ publicationID, onClose }: { publicationID: string; onClose(): void }) {
  const { id: projectID } = useProject();
  const mayDelete = useMay('editor');
  const toasts = useToasts();
  const path = { projectID, publicationID };
  const { data, error, isError } = useQuery({
    queryKey: [projectID, 'publications', publicationID],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/projects/{projectID}/bpmn/publications/{publicationID}', { params: { path }, signal })),
    refetchInterval: refreshEveryMs,
  });
  const remove = useMutation({
    mutationFn: () =>
      unwrap(api.DELETE('/projects/{projectID}/bpmn/publications/{publicationID}', { params: { path } })),
    onSuccess: () => {
      toasts.done('Deleted. No instance receives it.');
      onClose();
    },
  });
  return (
    <Dialog
      title={data ? `${data.type === 'message' ? 'Message' : 'Signal'} ${data.name}` : 'Details'}
      isWide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {mayDelete && data?.state === 'KEPT' && (
            <Button kind="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
              Delete
            </Button>
          )}
        </>
      }
    >
      {data ? (
        <Details publication={data} />
      ) : isError ? (
        <ErrorState error={error} />
      ) : (
        <Loading lines={4} label="Loading the details" />
      )}
      <Refusal error={remove.error} />
    </Dialog>
  );
}

function Details({ publication }: { publication: Publication }) {
  const { takenBy, correlationKeys, variables, nearMisses, endedAt, started, reached } = publication;
  return (
    <>
      <Facts
        facts={[
          ['State', <StatusBadge key="state" status={publication.state} />],
          ['Key', correlationKeys !== undefined && <code key="key">{JSON.stringify(correlationKeys)}</code>],
          ['Published', <Time key="published" value={publication.publishedAt} isExact />],
          ['Published by', publication.publishedBy ?? 'an instance'],
          ['Expires', <Time key="expires" value={publication.expiresAt} isExact />],
          ['Ended', endedAt && <Time key="ended" value={endedAt} isExact />],
          ['Given to', takenBy && <InstanceLink key="taken" workflowID={takenBy.workflowID} nodeID={takenBy.nodeID} />],
          ['Reached', reached !== undefined && `${reached} ${reached === 1 ? 'instance' : 'instances'}`],
          ['Started', started?.map(({ workflowID }) => <InstanceLink key={workflowID} workflowID={workflowID} />)],
        ]}
      />
      {nearMisses !== undefined && nearMisses.length > 0 && (
        <section aria-label="Subscriptions that it does not match">
          <h3>Does not match</h3>
          <ul className={styles.misses}>
            {nearMisses.map(({ workflowID, nodeID, differences }, index) => (
              <li key={index}>
                <code>{nodeID}</code> of <InstanceLink workflowID={workflowID} nodeID={nodeID} />:{' '}
                {differences.map(explain).join('; ')}
              </li>
            ))}
          </ul>
        </section>
      )}
      {variables !== undefined && <JsonView label="Variables" value={variables} />}
    </>
  );
}

function InstanceLink({ workflowID, nodeID }: { workflowID: string; nodeID?: string }) {
  const query = nodeID === undefined ? '' : `?node=${encodeURIComponent(nodeID)}`;
  return (
    <Identifier
      value={workflowID}
      wrap={(text) => <Link to={`../instances/${encodeURIComponent(workflowID)}${query}`}>{text}</Link>}
    />
  );
}
