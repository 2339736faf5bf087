import { useState } from 'react';
import { unwrap, api } from '../../../frame/api/client.js';
import type { Schemas } from '../../../frame/api/client.js';
import { useCommand } from '../../../frame/api/use-command.js';
import { StatusBadge } from '../../../components/values/badge.js';
import { Button } from '../../../components/basics/button.js';
import { TextField } from '../../../components/fields/field.js';
import { EmptyState } from '../../../components/feedback/states.js';
import type { Column } from '../../../components/tables/table.js';
import { Time } from '../../../components/values/time.js';
import { FailDialog } from '../../../features/tasks/fail-dialog.js';
import type { Failure } from '../../../features/tasks/fail-dialog.js';
import { useMay } from '../../../frame/project/project.js';
import { useInstance } from '../use-instance.js';
import { listenerText } from '../../../features/listener-text.js';
import { heldByText } from '../../../features/held-by.js';
import { CompleteDialog } from './complete-dialog.js';
import { DecisionFields, type Decision } from './decision-fields.js';
import { JobDialog } from './job-dialog.js';
import { Listing } from './listing.js';
import { NodeName } from './node-name.js';
import type { InstanceTab } from './tab.js';

type Job = Schemas['ExternalJob'];
interface Finishing {
  job: Job;
  how: 'complete' | 'fail';
}

const attributes: readonly Column<Job>[] = [
  { title: 'Node', cell: ({ nodeID }) => <NodeName nodeID={nodeID} /> },
  { title: 'Task type', width: '16%', cell: (job) => <Work job={job} /> },
  {
    title: 'Status',
    width: '8rem',
    cell: ({ status, errorMessage, cancelReason }) => (
      <span title={errorMessage ?? cancelReason}>
        <StatusBadge status={status} />
      </span>
    ),
  },
  { title: 'Worker', width: '20%', cell: (job) => <Worker job={job} /> },
  { title: 'Retries', width: '5rem', isNumber: true, cell: ({ retries }) => retries },
  { title: 'Created', width: '7rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

export const jobs: InstanceTab = { id: 'jobs', label: 'Jobs', role: 'viewer', Content: Jobs };

function Jobs() {
  const {
    projectID,
    instance: { workflowID },
    nameOf,
  } = useInstance();
  const [finishing, setFinishing] = useState<Finishing>();
  const [shown, setShown] = useState<Job>();
  const columns: readonly Column<Job>[] = [
    ...attributes,
    {
      title: 'Actions',
      width: '16rem',
      cell: (job) => <JobActions job={job} onShow={setShown} onFinish={setFinishing} />,
    },
  ];
  return (
    <>
      <Listing
        noun="jobs"
        columns={columns}
        rowKey={({ executionKey }) => executionKey}
        nodesOf={({ nodeID }) => [nodeID]}
        fetchPage={(query, signal) =>
          unwrap(
            api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/external-jobs', {
              params: { path: { projectID, workflowID }, query },
              signal,
            }),
          )
        }
        empty={
          <EmptyState title="No jobs yet" icon="jobs">
            A service task creates a job when a token reaches it; a job worker then leases it.
          </EmptyState>
        }
      />
      {shown && <JobDialog job={shown} name={nameOf(shown.nodeID)} onClose={() => setShown(undefined)} />}
      {finishing && (
        <FinishJob
          key={finishing.how}
          name={nameOf(finishing.job.nodeID)}
          {...finishing}
          onClose={() => setFinishing(undefined)}
        />
      )}
    </>
  );
}

interface JobActionsProps {
  job: Job;
  onShow(job: Job): void;
  onFinish(finishing: Finishing): void;
}

function JobActions({ job, onShow, onFinish }: JobActionsProps) {
  const { nameOf } = useInstance();
  const mayFinish = useMay('executor');
  return (
    <>
      <Button kind="quiet" aria-label={`Details of ${nameOf(job.nodeID)}`} onClick={() => onShow(job)}>
        Details
      </Button>
      {mayFinish && job.status === 'PENDING' && (
        <>
          <Button kind="quiet" onClick={() => onFinish({ job, how: 'complete' })}>
            Complete
          </Button>
          <Button kind="quiet" onClick={() => onFinish({ job, how: 'fail' })}>
            Fail
          </Button>
        </>
      )}
    </>
  );
}

function Work({ job: { taskType, listener } }: { job: Job }) {
  return (
    <>
      <code>{taskType}</code>
      {listener && ` (${listenerText(listener)})`}
    </>
  );
}

function Worker({ job: { status, lockedBy, lockExpiresAt, heldBy } }: { job: Job }) {
  if (status !== 'PENDING') return null;
  if (heldBy !== undefined) return heldByText[heldBy];
  return lockedBy === undefined ? (
    'Waiting for a job worker'
  ) : (
    <>
      <code>{lockedBy}</code>
      {lockExpiresAt && (
        <>
          , until <Time value={lockExpiresAt} />
        </>
      )}
    </>
  );
}

function FinishJob({
  job: { executionKey, nodeID, lockedBy, listener },
  how,
  name,
  onClose,
}: Finishing & { name: string; onClose(): void }) {
  const {
    projectID,
    instance: { workflowID },
    model,
  } = useInstance();
  const [decision, setDecision] = useState<Decision>({});
  const [errorMessage, setErrorMessage] = useState('');
  const path = { projectID, executionKey };
  // The job of an ad-hoc sub-process asks for a decision.
  const activities = listener ? undefined : model.adHocActivities.get(nodeID);
  const complete = useCommand(
    `${name} completed.`,
    (variables: object) =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/external-jobs/{executionKey}/complete', {
          params: { path },
          body: { workflowID, variables: { ...variables }, ...(activities && { result: decision }) },
        }),
      ),
    onClose,
  );
  const fail = useCommand(
    `Failure of ${name} reported.`,
    (failure: Failure) =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/external-jobs/{executionKey}/error', {
          params: { path },
          body: { ...failure, errorMessage, retryable: false },
        }),
      ),
    onClose,
  );
  const note =
    lockedBy === undefined ? undefined : `The worker ${lockedBy} holds this job now; what it reports later is refused.`;
  return how === 'complete' ? (
    <CompleteDialog name={name} note={note} command={complete} onClose={onClose}>
      {activities && <DecisionFields activities={activities} decision={decision} onChange={setDecision} />}
    </CompleteDialog>
  ) : (
    <FailDialog name={name} note={note} command={fail} onClose={onClose}>
      <TextField
        label="Message"
        value={errorMessage}
        maxLength={4000}
        onChange={({ target }) => setErrorMessage(target.value)}
      />
    </FailDialog>
  );
}
