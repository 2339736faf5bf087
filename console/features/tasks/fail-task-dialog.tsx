/** The dialog in which a person reports that a user task cannot be completed. */
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { useCommand } from '../../frame/api/use-command.js';
import { asked, Reason } from '../../components/fields/reason.js';
import { useProject } from '../../frame/project/project.js';
import { FailDialog } from './fail-dialog.js';
import type { Failure } from './fail-dialog.js';

interface FailTaskDialogProps {
  task: Schemas['UserTask'];
  /** Name of the task in the model. */
  name: string;
  onDone?(): void;
  onClose(): void;
}

export function FailTaskDialog({ task: { executionKey }, name, onDone, onClose }: FailTaskDialogProps) {
  const { id: projectID } = useProject();
  const [reason, setReason] = useState('');
  const command = useCommand(
    `Failure of ${name} reported.`,
    (failure: Failure) =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/error', {
          params: { path: { projectID, executionKey } },
          body: { ...failure, ...asked(reason) },
        }),
      ),
    () => {
      onClose();
      onDone?.();
    },
  );
  return (
    <FailDialog name={name} command={command} onClose={onClose}>
      <Reason value={reason} onChange={setReason} />
    </FailDialog>
  );
}
