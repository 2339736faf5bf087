/** The form that completes a task. It stays if another person ends the task, so that no input is lost. */
import { useId } from 'react';
import { Button } from '../../../components/basics/button.js';
import { Card } from '../../../components/basics/card.js';
import form from '../../../components/fields/form.module.css';
import { ErrorState, Loading } from '../../../components/feedback/states.js';
import { VariablesForm } from '../../../features/forms/variables-form.js';
import { useCompletion } from '../../../features/tasks/use-completion.js';
import { useTaskForm } from '../../../features/tasks/use-task-form.js';
import type { Task } from './task-query.js';

interface CompletionProps {
  task: Task;
  name: string;
  /** Called when the person changes a field. */
  onEdit(): void;
  onDone(): void;
}

export function Completion({ task, name, onEdit, onDone }: CompletionProps) {
  const formID = useId();
  const taskForm = useTaskForm(task.executionKey);
  const completion = useCompletion(task, name, onDone);
  if (taskForm.data === undefined)
    return (
      <Card title="Complete">
        {taskForm.isError ? (
          <ErrorState error={taskForm.error} retry={() => void taskForm.refetch()} />
        ) : (
          <Loading lines={4} label="Loading the form" />
        )}
      </Card>
    );
  const isOpen = task.status === 'CREATED';
  return (
    <Card title="Complete">
      <div className={form.form} onInput={onEdit} data-form>
        {!isOpen && <p role="alert">{endOf(task)} Your input was not submitted; copy it from here if you need it.</p>}
        <VariablesForm
          id={formID}
          form={taskForm.data}
          label="Result"
          hint="Variables to return."
          error={completion.error}
          onEdit={onEdit}
          onSubmit={completion.mutate}
        />
        <div>
          <Button
            type="submit"
            form={formID}
            kind="primary"
            isBusy={completion.isPending}
            disabled={!isOpen || task.listening !== undefined}
          >
            Complete
          </Button>
        </div>
      </div>
    </Card>
  );
}

function endOf({ completedBy, failedBy }: Task): string {
  if (completedBy !== undefined) return `${completedBy} has completed the task in the meantime.`;
  if (failedBy !== undefined) return `${failedBy} has reported an error for the task in the meantime.`;
  return 'The task has ended in the meantime.';
}
