/** The dialog in which a person completes a user task. */
import { useId } from 'react';
import type { Schemas } from '../../frame/api/client.js';
import { Button } from '../../components/basics/button.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import { VariablesForm } from '../forms/variables-form.js';
import { useCompletion } from './use-completion.js';
import { useTaskForm } from './use-task-form.js';

interface CompleteTaskDialogProps {
  task: Schemas['UserTask'];
  /** Name of the task in the model. */
  name: string;
  onClose(): void;
}

export function CompleteTaskDialog({ task, name, onClose }: CompleteTaskDialogProps) {
  const formID = useId();
  const form = useTaskForm(task.executionKey);
  const completion = useCompletion(task, name, onClose);
  const footer = form.data !== undefined && (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form={formID} kind="primary" isBusy={completion.isPending}>
        Complete
      </Button>
    </>
  );
  return (
    <Dialog title={`Complete ${name}`} onClose={onClose} footer={footer}>
      {form.isPending && <Loading lines={4} label="Loading the form" />}
      {form.isError && <ErrorState error={form.error} retry={() => void form.refetch()} />}
      {form.data !== undefined && (
        <VariablesForm
          id={formID}
          form={form.data}
          label="Result"
          hint="Variables to return."
          error={completion.error}
          onSubmit={completion.mutate}
        />
      )}
    </Dialog>
  );
}
