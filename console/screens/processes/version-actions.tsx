/** Actions on a version: start an instance, migrate its instances, suspend, resume. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { Button } from '../../components/button.js';
import { TextField } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { JsonEditor } from '../../components/json-editor.js';
import { useToasts } from '../../components/toast.js';
import { Allowed, useProject } from '../../frame/project/project.js';
import { MigrateInstancesDialog } from './migration/migrate-instances.js';
import type { ShownVersion } from './shown-version.js';
import { ResumeVersionDialog, SuspendVersionDialog } from './suspend-version.js';

interface DialogProps {
  version: ShownVersion;
  onClose(): void;
}

export function VersionActions({ version }: { version: ShownVersion }) {
  const [dialog, open] = useState<'start' | 'suspend' | 'resume' | 'migrate'>();
  const close = () => open(undefined);
  const isPaused = version.suspendedAt !== undefined;
  const startsNothing = isPaused || version.startsSuspension !== undefined;
  return (
    <>
      <Allowed role="admin">
        {(startsNothing || version.scheduledSuspension) && (
          <Button icon="play" onClick={() => open('resume')}>
            Resume this version
          </Button>
        )}
        {!isPaused && (
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
          disabled={startsNothing}
          title={startsNothing ? 'A suspended version starts no new instances' : undefined}
          onClick={() => open('start')}
        >
          Start an instance
        </Button>
      </Allowed>
      {dialog === 'start' && <StartDialog version={version} onClose={close} />}
      {dialog === 'suspend' && <SuspendVersionDialog version={version} onClose={close} />}
      {dialog === 'migrate' && <MigrateInstancesDialog version={version} onClose={close} />}
      {dialog === 'resume' && <ResumeVersionDialog version={version} onClose={close} />}
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
