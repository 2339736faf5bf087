/** Erases an ended instance with its called instances. */
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { unwrap, api } from '../../../frame/api/client.js';
import { useCommand } from '../../../frame/api/use-command.js';
import { FormDialog } from '../../../components/dialogs/form-dialog.js';
import { asked, Reason } from '../../../components/fields/reason.js';
import { useInstance } from '../use-instance.js';
import type { Action } from './action.js';

export const erase: Action = {
  label: 'Erase',
  icon: 'cross',
  role: 'admin',
  isDangerous: true,
  isOffered: ({ status, parentWorkflowID }) => status !== 'RUNNING' && parentWorkflowID === undefined,
  Dialog: EraseDialog,
};

function EraseDialog({ onClose }: { onClose(): void }) {
  const {
    projectID,
    instance: { workflowID },
  } = useInstance();
  const navigate = useNavigate();
  const [reason, setReason] = useState('');
  const command = useCommand(
    'Instance erased.',
    async () => {
      await unwrap(
        api.DELETE('/projects/{projectID}/bpmn/instances/{workflowID}/history', {
          params: { path: { projectID, workflowID }, query: asked(reason) },
        }),
      );
      void navigate(`/projects/${encodeURIComponent(projectID)}/instances`);
      return undefined;
    },
    onClose,
  );
  return (
    <FormDialog
      title="Erase this instance?"
      submitLabel="Erase"
      isDangerous
      isBusy={command.isPending}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        The instance and everything it called are deleted with their variables, history, jobs, and tasks. This cannot be
        undone. The audit log keeps the ids, and what you write here.
      </p>
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}
