/** Starts an ended instance again, as a new instance with its variables. */
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { unwrap, api } from '../../../frame/api/client.js';
import type { Schemas } from '../../../frame/api/client.js';
import { useCommand } from '../../../frame/api/use-command.js';
import { SelectField } from '../../../components/fields/field.js';
import { FormDialog } from '../../../components/dialogs/form-dialog.js';
import { JsonEditor } from '../../../components/fields/json-editor.js';
import { NodeOptions } from '../../../features/diagram/node-options.js';
import { useProject } from '../../../frame/project/project.js';
import { includesRole } from '../../../frame/project/roles.js';
import { useInstance } from '../use-instance.js';
import type { Action } from './action.js';
import { asked, Reason } from '../../../components/fields/reason.js';

export const restart: Action = {
  label: 'Restart',
  icon: 'play',
  role: 'executor',
  isOffered: ({ status, parentWorkflowID }) => status !== 'RUNNING' && parentWorkflowID === undefined,
  Dialog: RestartDialog,
};

type VariablesFrom = NonNullable<Schemas['RestartBpmnInstanceRequest']['variablesFrom']>;

function RestartDialog({ onClose }: { onClose(): void }) {
  const { projectID, instance, model } = useInstance();
  const { role } = useProject();
  const navigate = useNavigate();
  // A second click starts nothing more.
  const [key] = useState(() => crypto.randomUUID());
  const [variablesFrom, setVariablesFrom] = useState<VariablesFrom>('INITIAL');
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  const [nodeID, setNodeID] = useState('');
  const [reason, setReason] = useState('');
  const command = useCommand(
    'Instance restarted.',
    async () => {
      const { workflowID } = await unwrap(
        api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/restart', {
          params: { path: { projectID, workflowID: instance.workflowID }, header: { 'Idempotency-Key': key } },
          body: { variablesFrom, variables: variables!, ...(nodeID && { startAt: [{ nodeID }] }), ...asked(reason) },
        }),
      );
      void navigate(`/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(workflowID)}`);
      return undefined;
    },
    onClose,
  );
  return (
    <FormDialog
      title="Restart this instance"
      submitLabel="Restart"
      isBusy={command.isPending}
      isIncomplete={variables === undefined}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      <p>A new instance of version {instance.processVersion} starts. This one stays as it is.</p>
      <SelectField
        label="Variables"
        value={variablesFrom}
        onChange={({ target }) => setVariablesFrom(target.value as VariablesFrom)}
      >
        <option value="INITIAL">As this instance began with them</option>
        <option value="LAST">As this instance ended with them</option>
      </SelectField>
      <JsonEditor
        label="Variables to replace"
        hint="Those named here get these values."
        rows={4}
        onChange={setVariables}
      />
      {includesRole(role, 'admin') && (
        <SelectField
          label="Start at instead of the start event"
          value={nodeID}
          onChange={({ target }) => setNodeID(target.value)}
        >
          <NodeOptions model={model} />
        </SelectField>
      )}
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}
