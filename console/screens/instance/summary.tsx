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
  return (
    <>
      <Banners />
      <InstanceFacts />
    </>
  );
}

/** Pauses in effect, and the failure of a failed instance. */
function Banners() {
  const { instance } = useInstance();
  const { status, failureReason, queued, createdAt, instanceSuspension, definitionSuspension, parentSuspension } =
    instance;
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
      {queued && (
        <Banner tone="blue" icon="dot" title="This instance has not begun.">
          Its process runs as many instances as it may. Queued since <Time value={createdAt} isExact />.
        </Banner>
      )}
      {failureReason && (
        <Banner tone="red" icon="cross" title="This instance failed.">
          {failureReason}
        </Banner>
      )}
    </>
  );
}

function InstanceFacts() {
  const { instance } = useInstance();
  const { workflowID, businessId, processId, processVersion, parentWorkflowID, restartedFrom, status } = instance;
  const { startedBy, redactedVariables, createdAt, completedAt, importedFrom } = instance;
  return (
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
        ['Parent instance', parentWorkflowID && <InstanceLink key="parent" workflowID={parentWorkflowID} />],
        ['Restart of', restartedFrom && <InstanceLink key="restarted" workflowID={restartedFrom} />],
        ['Restarted as', status === 'RUNNING' || parentWorkflowID ? undefined : <NewestRestart key="restarts" />],
        ['Imported from', importedFrom && `${importedFrom.system} (${importedFrom.id})`],
        ['Started there by', importedFrom?.startedBy],
        ['Started', <Time key="started" value={createdAt} isExact />],
        [importedFrom ? 'Imported by' : 'Started by', startedBy],
        ['Redacted', redactedVariables?.join(', ')],
        ['Duration', completedAt && formatDuration(Date.parse(completedAt) - Date.parse(createdAt))],
      ]}
    />
  );
}

function InstanceLink({ workflowID }: { workflowID: string }) {
  const { projectID } = useInstance();
  const to = `/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(workflowID)}`;
  return <Identifier value={workflowID} wrap={(text) => <Link to={to}>{text}</Link>} />;
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
