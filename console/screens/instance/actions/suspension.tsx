/** Suspends and resumes an instance. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../../frame/api/client.js';
import type { Schemas } from '../../../frame/api/client.js';
import { useCommand } from '../../../frame/api/use-command.js';
import { FormDialog } from '../../../components/dialogs/form-dialog.js';
import { ErrorState, Loading } from '../../../components/feedback/states.js';
import { Time } from '../../../components/values/time.js';
import { useInstance } from '../use-instance.js';
import type { Action } from './action.js';
import { asked, Reason } from '../../../components/fields/reason.js';
import styles from './suspension.module.css';

export const suspend: Action = {
  label: 'Suspend',
  icon: 'pause',
  role: 'admin',
  isOffered: ({ status, instanceSuspension }) => status === 'RUNNING' && instanceSuspension === undefined,
  Dialog: SuspendDialog,
};

export const resume: Action = {
  label: 'Resume',
  icon: 'play',
  role: 'admin',
  isOffered: ({ status, instanceSuspension }) => status === 'RUNNING' && instanceSuspension !== undefined,
  Dialog: ResumeDialog,
};

function SuspendDialog({ onClose }: { onClose(): void }) {
  const {
    projectID,
    instance: { workflowID },
  } = useInstance();
  const [reason, setReason] = useState('');
  const command = useCommand(
    'Instance suspended.',
    () =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/suspend', {
          params: { path: { projectID, workflowID } },
          body: asked(reason),
        }),
      ),
    onClose,
  );
  return (
    <FormDialog
      title="Suspend this instance?"
      submitLabel="Suspend"
      isBusy={command.isPending}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        Nothing moves until you resume it: no job is leased and no task completes. Messages, signals, timers, and
        results that arrive in the meantime are queued in order.
      </p>
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}

function ResumeDialog({ onClose }: { onClose(): void }) {
  const {
    projectID,
    instance: { workflowID, definitionSuspension, parentSuspension },
  } = useInstance();
  const [reason, setReason] = useState('');
  const command = useCommand(
    'Instance resumed.',
    () =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/resume', {
          params: { path: { projectID, workflowID } },
          body: asked(reason),
        }),
      ),
    onClose,
  );
  const staysPausedBy = definitionSuspension
    ? 'its definition is suspended too'
    : parentSuspension
      ? 'a parent instance is suspended too'
      : undefined;
  return (
    <FormDialog
      title="Resume this instance?"
      submitLabel="Resume"
      isBusy={command.isPending}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      {staysPausedBy ? <p>The instance stays paused, because {staysPausedBy}.</p> : <WhatHappens />}
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}

/** Work that arrived while the instance was paused, in the order in which it is processed. */
function WhatHappens() {
  const {
    projectID,
    instance: { workflowID },
    nameOf,
  } = useInstance();
  const { data, error, isError, refetch } = useQuery({
    queryKey: [projectID, 'instance', workflowID, 'suspension'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/suspension', {
          params: { path: { projectID, workflowID } },
          signal,
        }),
      ),
  });
  if (data === undefined)
    return isError ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : (
      <Loading lines={2} label="Loading queued work" />
    );
  if (data.waiting.length === 0) return <p>Nothing is queued. The instance continues at its current position.</p>;
  return (
    <section aria-label="Queued work">
      <h3>Queued work, in order</h3>
      <ol className={styles.waiting}>
        {data.waiting.map((event, index) => (
          <li key={index}>
            <Waiting event={event} nameOf={nameOf} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Waiting({
  event: { kind, nodeID, name, since },
  nameOf,
}: {
  event: Schemas['BpmnWaitingEvent'];
  nameOf(nodeID: string): string;
}) {
  const words = kind.toLowerCase().replaceAll('_', ' ');
  return (
    <>
      {words.charAt(0).toUpperCase()}
      {words.slice(1)}
      {name && (
        <>
          {' '}
          <code>{name}</code>
        </>
      )}
      {nodeID && <> at {nameOf(nodeID)}</>}, {since && <Time value={since} />}
    </>
  );
}
