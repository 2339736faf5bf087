import { useState } from 'react';
import { unwrap, api } from '../../../frame/api/client.js';
import { useCommand } from '../../../frame/api/use-command.js';
import { FormDialog } from '../../../components/dialogs/form-dialog.js';
import { JsonEditor } from '../../../components/fields/json-editor.js';
import { useInstance } from '../use-instance.js';
import type { Action } from './action.js';

export const setVariables: Action = {
  label: 'Set variables',
  icon: 'settings',
  role: 'editor',
  isOffered: ({ status }) => status === 'RUNNING',
  Dialog: SetVariablesDialog,
};

function SetVariablesDialog({ onClose }: { onClose(): void }) {
  const {
    projectID,
    instance: { workflowID },
  } = useInstance();
  const [variables, change] = useState<Record<string, unknown> | undefined>({});
  const command = useCommand(
    'Variables set.',
    () =>
      unwrap(
        api.PUT('/projects/{projectID}/bpmn/instances/{workflowID}/variables', {
          params: { path: { projectID, workflowID } },
          body: { variables: variables! },
        }),
      ),
    onClose,
  );
  const isIncomplete = variables === undefined || Object.keys(variables).length === 0;
  return (
    <FormDialog
      title="Set variables"
      submitLabel="Set variables"
      isBusy={command.isPending}
      isIncomplete={isIncomplete}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      <JsonEditor
        label="Variables to set"
        hint="Those named here get these values; the others keep theirs."
        rows={10}
        onChange={change}
      />
    </FormDialog>
  );
}
