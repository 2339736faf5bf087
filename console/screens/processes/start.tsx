/**
 * The page that starts an instance of a process with its start form: of the version in the address, or of the newest.
 * Links lead here directly.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { Banner } from '../../components/feedback/banner.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { TextField } from '../../components/fields/field.js';
import formStyles from '../../components/fields/form.module.css';
import { EmptyState, ErrorState, Loading } from '../../components/feedback/states.js';
import { useToasts } from '../../components/feedback/toast.js';
import { VariablesForm } from '../../features/forms/variables-form.js';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useMay, useProject } from '../../frame/project/project.js';
import { findVersion, type ShownVersion } from './shown-version.js';
import styles from './start.module.css';

interface Start {
  version: ShownVersion;
  /** Null if the start event has no form. */
  form: Schemas['BpmnForm'] | null;
}

export default function StartPage() {
  const { processID = '' } = useParams();
  const { id: projectID } = useProject();
  const mayStart = useMay('executor');
  const start = useStart(processID, useAddress().get('version'));
  const parent = {
    label: 'Processes',
    to: `/projects/${encodeURIComponent(projectID)}/processes`,
  };
  const name = start.data?.version.processName || processID;
  return (
    <Page title={`Start ${name}`} parent={parent}>
      {start.isPending && <Loading lines={6} label="Loading the form" />}
      {start.isError && start.data === undefined && (
        <ErrorState error={start.error} retry={() => void start.refetch()} />
      )}
      {start.data === null && (
        <EmptyState title="Process not found" icon="processes">
          This process was never deployed here, was deleted, or the link names a version of another process.
        </EmptyState>
      )}
      {start.data && !mayStart && (
        <EmptyState title="You cannot start instances" icon="ban">
          Starting an instance takes the role executor in this project.
        </EmptyState>
      )}
      {start.data && mayStart && <StartForm key={start.data.version.id} start={start.data} />}
    </Page>
  );
}

/** Null if the process has no such version. */
function useStart(processID: string, definitionID: string | undefined) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'processes', processID, 'start', definitionID],
    queryFn: async ({ signal }): Promise<Start | null> => {
      const version = await findVersion(projectID, processID, definitionID, signal);
      if (version === undefined) return null;
      // 204 has no body.
      const form: Schemas['BpmnForm'] | undefined = await unwrap(
        api.GET('/projects/{projectID}/bpmn/definitions/{definitionID}/form', {
          params: { path: { projectID, definitionID: version.id } },
          signal,
        }),
      );
      return { version, form: form ?? null };
    },
    // An open form keeps its input, even if a newer version is deployed.
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Opens the started instance. */
function StartForm({ start: { version, form } }: { start: Start }) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const navigate = useNavigate();
  const formID = useId();
  const [businessId, setBusinessId] = useState('');
  const startsNothing = version.suspendedAt !== undefined || version.startsSuspension !== undefined;
  const command = useMutation({
    mutationFn: (variables: Record<string, unknown>) =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/instances', {
          params: { path: { projectID } },
          body: { processDefinitionID: version.id, variables, businessId: businessId.trim() || undefined },
        }),
      ),
    onSuccess: ({ workflowID }) => {
      toasts.done('Instance started.');
      void navigate(`/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(workflowID)}`);
    },
  });
  return (
    <>
      {startsNothing && (
        <Banner
          tone="amber"
          icon="pause"
          title={`Version ${version.version} ${version.suspendedAt ? 'is paused' : 'starts no new instances'}.`}
        >
          An instance can be started when an admin has resumed it.
        </Banner>
      )}
      <div className={styles.start}>
        <Card title={`Version ${version.version}`}>
          <div className={formStyles.form}>
            <TextField
              label="Business id"
              hint="Id of the instance in another system, such as an order number. Optional."
              form={formID}
              value={businessId}
              maxLength={255}
              spellCheck={false}
              autoComplete="off"
              onChange={({ target }) => setBusinessId(target.value)}
            />
            <VariablesForm
              id={formID}
              form={form}
              label="Variables"
              hint="Variables to start with."
              error={command.error}
              onSubmit={command.mutate}
            />
            <div>
              <Button type="submit" form={formID} kind="primary" isBusy={command.isPending} disabled={startsNothing}>
                Start
              </Button>
            </div>
          </div>
        </Card>
      </div>
    </>
  );
}
