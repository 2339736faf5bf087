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

export function Completion({ task, name, onDone }: { task: Task; name: string; onDone(): void }) {
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
      <div className={form.form}>
        {!isOpen && (
          <p role="alert">
            The task has ended in the meantime. What you entered was not submitted; copy it from here if you need it.
          </p>
        )}
        <VariablesForm
          id={formID}
          form={taskForm.data}
          label="Result"
          hint="Variables to return."
          error={completion.error}
          onSubmit={completion.mutate}
        />
        <div>
          <Button type="submit" form={formID} kind="primary" isBusy={completion.isPending} disabled={!isOpen}>
            Complete
          </Button>
        </div>
      </div>
    </Card>
  );
}
