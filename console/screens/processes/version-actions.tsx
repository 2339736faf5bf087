/** Actions on a version: start an instance, migrate its instances, suspend, resume. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { useCommand } from '../../frame/api/use-command.js';
import { Button } from '../../components/button.js';
import { TextField } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { JsonEditor } from '../../components/json-editor.js';
import { asked, Reason } from '../../components/reason.js';
import { useToasts } from '../../components/toast.js';
import { Allowed, useProject } from '../../frame/project/project.js';
import { MigrateInstancesDialog } from './migrate-instances.js';

type Version = Schemas['BpmnProcessDefinition'];

interface DialogProps {
  version: Version;
  onClose(): void;
}

export function VersionActions({ version }: { version: Version }) {
  const [dialog, open] = useState<'start' | 'suspend' | 'resume' | 'migrate'>();
  const close = () => open(undefined);
  const isPaused = version.suspendedAt !== undefined;
  return (
    <>
      <Allowed role="admin">
        {isPaused ? (
          <Button icon="play" onClick={() => open('resume')}>
            Resume this version
          </Button>
        ) : (
          <Button icon="pause" onClick={() => open('suspend')}>
            Suspend this version
          </Button>
        )}
      </Allowed>
      <Allowed role="editor">
        <Button icon="arrowRight" onClick={() => open('migrate')}>
          Migrate instances
        </Button>
        <Button
          kind="primary"
          icon="plus"
          disabled={isPaused}
          title={isPaused ? 'A paused version starts no new instances' : undefined}
          onClick={() => open('start')}
        >
          Start an instance
        </Button>
      </Allowed>
      {dialog === 'start' && <StartDialog version={version} onClose={close} />}
      {dialog === 'suspend' && <SuspendDialog version={version} onClose={close} />}
      {dialog === 'migrate' && <MigrateInstancesDialog version={version} onClose={close} />}
      {dialog === 'resume' && <ResumeDialog version={version} onClose={close} />}
    </>
  );
}

/** Leads to the instance that it has started. */
function StartDialog({ version: { id, version }, onClose }: DialogProps) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const navigate = useNavigate();
  const [businessId, setBusinessId] = useState('');
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  const start = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/instances', {
          params: { path: { projectID } },
          body: { processDefinitionID: id, variables: variables!, businessId: businessId.trim() || undefined },
        }),
      ),
    onSuccess: ({ workflowID }) => {
      toasts.done('Instance started.');
      void navigate(`/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(workflowID)}`);
    },
  });
  return (
    <FormDialog
      title={`Start an instance of version ${version}`}
      submitLabel="Start"
      isBusy={start.isPending}
      isIncomplete={variables === undefined}
      error={start.error}
      onSubmit={() => start.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Business id"
        hint="Id of the instance in another system, such as an order number. Optional."
        value={businessId}
        maxLength={255}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => setBusinessId(target.value)}
      />
      <JsonEditor label="Variables" hint="Variables to start with." rows={10} onChange={setVariables} />
    </FormDialog>
  );
}

function SuspendDialog({ version: { id: definitionID, version }, onClose }: DialogProps) {
  const { id: projectID } = useProject();
  const [reason, setReason] = useState('');
  const command = useCommand(
    `Version ${version} suspended.`,
    () =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/definitions/{definitionID}/suspend', {
          params: { path: { projectID, definitionID } },
          body: asked(reason),
        }),
      ),
    onClose,
  );
  return (
    <FormDialog
      title={`Suspend version ${version}?`}
      submitLabel="Suspend"
      isBusy={command.isPending}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        All instances of this version pause, with their child instances, and no new ones start. Events that arrive in
        the meantime are queued in order, and so are messages and signals that would start an instance. Other versions
        keep running.
      </p>
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}

function ResumeDialog({ version: { id: definitionID, version }, onClose }: DialogProps) {
  const { id: projectID } = useProject();
  const [reason, setReason] = useState('');
  const command = useCommand(
    `Version ${version} resumed.`,
    () =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/definitions/{definitionID}/resume', {
          params: { path: { projectID, definitionID } },
          body: asked(reason),
        }),
      ),
    onClose,
  );
  return (
    <FormDialog
      title={`Resume version ${version}?`}
      submitLabel="Resume"
      isBusy={command.isPending}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        Its instances continue at their current positions and apply queued work in order. Instances that were suspended
        directly stay paused.
      </p>
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}
