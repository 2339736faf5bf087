import { useState } from 'react';
import { unwrap, api } from '../../../frame/api/client.js';
import type { Schemas } from '../../../frame/api/client.js';
import { useCommand } from '../../../frame/api/use-command.js';
import { Badge } from '../../../components/values/badge.js';
import { Button } from '../../../components/basics/button.js';
import { FormDialog } from '../../../components/dialogs/form-dialog.js';
import { JsonEditor } from '../../../components/fields/json-editor.js';
import { EmptyState } from '../../../components/feedback/states.js';
import type { Column } from '../../../components/tables/table.js';
import { Time } from '../../../components/values/time.js';
import { useMay } from '../../../frame/project/project.js';
import { useInstance } from '../use-instance.js';
import styles from './incidents.module.css';
import { Listing } from './listing.js';
import { NodeName } from './node-name.js';
import type { InstanceTab } from './tab.js';

type Incident = Schemas['BpmnIncidentRecord'];

export const incidents: InstanceTab = {
  id: 'incidents',
  label: 'Incidents',
  role: 'viewer',
  count: (instance) => instance.incidents.length || undefined,
  Content: Incidents,
};

function Incidents() {
  const {
    projectID,
    instance: { workflowID },
    isRunning,
  } = useInstance();
  const mayResolve = useMay('editor') && isRunning;
  const [resolving, setResolving] = useState<Incident>();
  const columns: readonly Column<Incident>[] = [
    { title: 'Node', width: '22%', cell: ({ nodeID }) => <NodeName nodeID={nodeID} /> },
    {
      title: 'Problem',
      cell: ({ errorType, errorCode, errorMessage }) => (
        <span className={styles.error}>
          <span>
            <strong>{errorType}</strong>
            {errorCode && <code>{errorCode}</code>}
          </span>
          <span>{errorMessage}</span>
        </span>
      ),
    },
    { title: 'Raised', width: '8rem', cell: ({ raisedAt }) => <Time value={raisedAt} /> },
    {
      title: 'State',
      width: '15rem',
      cell: (incident) =>
        incident.resolvedAt ? (
          <Badge tone="green" icon="check" title={`by ${incident.resolvedBy ?? 'unknown'}`}>
            Resolved <Time value={incident.resolvedAt} />
          </Badge>
        ) : mayResolve ? (
          <Button onClick={() => setResolving(incident)}>Resolve</Button>
        ) : (
          <Badge tone="red" icon="alert">
            Open
          </Badge>
        ),
    },
  ];
  return (
    <>
      <Listing
        noun="incidents"
        columns={columns}
        rowKey={({ id }) => id}
        nodesOf={({ nodeID }) => [nodeID]}
        fetchPage={(query, signal) =>
          unwrap(
            api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/incidents', {
              params: { path: { projectID, workflowID }, query },
              signal,
            }),
          )
        }
        empty={
          <EmptyState title="No incidents" icon="check">
            This instance has had no failure that its model does not handle.
          </EmptyState>
        }
      />
      {resolving && <ResolveDialog incident={resolving} onClose={() => setResolving(undefined)} />}
    </>
  );
}

function ResolveDialog({
  incident: { incidentID, nodeID, errorMessage },
  onClose,
}: {
  incident: Incident;
  onClose(): void;
}) {
  const {
    projectID,
    instance: { workflowID },
    nameOf,
  } = useInstance();
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  const command = useCommand(
    `${nameOf(nodeID)} was retried.`,
    () =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/incidents/{incidentID}/resolve', {
          params: { path: { projectID, workflowID, incidentID } },
          body: { variables },
        }),
      ),
    onClose,
  );
  return (
    <FormDialog
      title={`Resolve the incident at ${nameOf(nodeID)}`}
      submitLabel="Retry"
      isBusy={command.isPending}
      isIncomplete={variables === undefined}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      <p className={styles.message}>{errorMessage}</p>
      <JsonEditor
        label="Variables to set first"
        hint="Corrects the data that the activity failed on. Leave empty if the cause was external."
        onChange={setVariables}
      />
    </FormDialog>
  );
}
