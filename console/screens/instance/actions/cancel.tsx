import { useState } from 'react';
import { unwrap, api } from '../../../frame/api/client.js';
import { useCommand } from '../../../frame/api/use-command.js';
import { FormDialog } from '../../../components/dialogs/form-dialog.js';
import { useInstance } from '../use-instance.js';
import type { Action } from './action.js';
import { asked, Reason } from '../../../components/fields/reason.js';

export const cancel: Action = {
  label: 'Cancel',
  icon: 'ban',
  isDangerous: true,
  role: 'editor',
  isOffered: ({ status }) => status === 'RUNNING',
  Dialog: CancelDialog,
};

function CancelDialog({ onClose }: { onClose(): void }) {
  const {
    projectID,
    instance: { workflowID },
  } = useInstance();
  const [reason, setReason] = useState('');
  const command = useCommand(
    'Instance canceled.',
    () =>
      unwrap(
        api.DELETE('/projects/{projectID}/bpmn/instances/{workflowID}', {
          params: { path: { projectID, workflowID }, query: asked(reason) },
        }),
      ),
    onClose,
  );
  return (
    <FormDialog
      title="Cancel this instance?"
      submitLabel="Cancel the instance"
      dismissLabel="Keep the instance"
      isDangerous
      isBusy={command.isPending}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        The instance and all its child instances end now. Jobs and tasks in progress are withdrawn. This cannot be
        undone.
      </p>
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}
