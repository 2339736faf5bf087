/** Identification of the instance, and what users must know before they act on it. */
import { Link } from 'react-router';
import { Banner } from '../../components/feedback/banner.js';
import { Facts } from '../../components/values/facts.js';
import { Identifier } from '../../components/values/identifier.js';
import { formatDuration } from '../../components/values/format-duration.js';
import { Time } from '../../components/values/time.js';
import type { Schemas } from '../../frame/api/client.js';
import { NewestRestart } from './restarts.js';
import { useInstance } from './use-instance.js';

export function Summary() {
  const { projectID, instance } = useInstance();
  const {
    workflowID,
    businessId,
    processId,
    processVersion,
    parentWorkflowID,
    status,
    startedBy,
    restartedFrom,
    redactedVariables,
    createdAt,
    completedAt,
    failureReason,
    instanceSuspension,
    definitionSuspension,
    parentSuspension,
  } = instance;
  return (
    <>
      {status === 'RUNNING' && instanceSuspension && (
        <Pause what="This instance is paused" suspension={instanceSuspension} />
      )}
      {status === 'RUNNING' && definitionSuspension && (
        <Pause what="All instances of this version are paused" suspension={definitionSuspension} />
      )}
      {status === 'RUNNING' && parentSuspension && (
        <Pause what="A parent instance is paused" suspension={parentSuspension} />
      )}
      {failureReason && (
        <Banner tone="red" icon="cross" title="This instance failed.">
          {failureReason}
        </Banner>
      )}
      <Facts
        facts={[
          ['Instance', <Identifier key="id" value={workflowID} />],
          ['Business id', businessId && <Identifier key="business" value={businessId} />],
          [
            'Process',
            <>
              <code>{processId}</code> v{processVersion}
            </>,
          ],
          [
            'Parent instance',
            parentWorkflowID && (
              <Identifier
                key="parent"
                value={parentWorkflowID}
                wrap={(text) => (
                  <Link
                    to={`/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(parentWorkflowID)}`}
                  >
                    {text}
                  </Link>
                )}
              />
            ),
          ],
          [
            'Restart of',
            restartedFrom && (
              <Identifier
                key="restarted"
                value={restartedFrom}
                wrap={(text) => (
                  <Link
                    to={`/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(restartedFrom)}`}
                  >
                    {text}
                  </Link>
                )}
              />
            ),
          ],
          ['Restarted as', status === 'RUNNING' || parentWorkflowID ? undefined : <NewestRestart key="restarts" />],
          ['Started', <Time key="started" value={createdAt} isExact />],
          ['Started by', startedBy],
          ['Redacted', redactedVariables?.join(', ')],
          ['Took', completedAt && formatDuration(Date.parse(completedAt) - Date.parse(createdAt))],
        ]}
      />
    </>
  );
}

function Pause({
  what,
  suspension: { suspendedAt, suspendedBy, reason },
}: {
  what: string;
  suspension: Schemas['SuspensionEntry'];
}) {
  return (
    <Banner tone="amber" icon="pause" title={`${what}.`}>
      By {suspendedBy ?? 'unknown'}, <Time value={suspendedAt} />
      {reason ? <>: “{reason}”</> : '.'} Nothing moves until it is resumed; events that arrive are queued in order.
    </Banner>
  );
}
