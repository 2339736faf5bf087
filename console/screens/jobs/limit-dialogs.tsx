/** Dialogs for the limit of a task type. A change acts on the next lease. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { TextField } from '../../components/fields/field.js';
import { asked, Reason } from '../../components/fields/reason.js';
import { useToasts } from '../../components/feedback/toast.js';
import { useProject } from '../../frame/project/project.js';

type Limit = Schemas['Limit'];

interface Fields {
  taskType: string;
  concurrent: string;
  count: string;
  per: string;
}

export function PutLimitDialog({ limit, onClose }: { limit?: Limit | undefined; onClose(): void }) {
  const [fields, setFields] = useState<Fields>({
    taskType: limit?.taskType ?? '',
    concurrent: limit?.concurrent?.toString() ?? '',
    count: limit?.rate?.count.toString() ?? '',
    per: limit?.rate?.per ?? '',
  });
  const [reason, setReason] = useState('');
  const put = usePut(fields, reason, onClose);
  const field = (name: keyof Fields) => ({
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) => setFields({ ...fields, [name]: target.value }),
  });
  return (
    <FormDialog
      title={limit ? `Edit the limit of ${limit.taskType}` : 'Add a limit'}
      submitLabel={limit ? 'Save' : 'Add'}
      isBusy={put.isPending}
      isIncomplete={!isComplete(fields)}
      error={put.error}
      onSubmit={() => put.mutate()}
      onClose={onClose}
    >
      {!limit && <TextField label="Task type" required maxLength={255} spellCheck={false} {...field('taskType')} />}
      <TextField
        label="Concurrency"
        hint="Maximum number of leased jobs per limit key. Empty: no limit."
        type="number"
        min={1}
        max={100_000}
        {...field('concurrent')}
      />
      <TextField
        label="Rate"
        hint="Maximum number of leases in the window, per limit key. Empty: no limit."
        type="number"
        min={1}
        max={100_000}
        {...field('count')}
      />
      <TextField label="Window" hint="From 1s to 1d, such as 30s, 1m30s, or PT1H." {...field('per')} />
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}

export function RemoveLimitDialog({ limit: { taskType }, onClose }: { limit: Limit; onClose(): void }) {
  const { id: projectID } = useProject();
  const [reason, setReason] = useState('');
  const done = useDone(onClose);
  const remove = useMutation({
    mutationFn: () =>
      unwrap(
        api.DELETE('/projects/{projectID}/limits/{taskType}', {
          params: { path: { projectID, taskType }, query: asked(reason) },
        }),
      ),
    onSuccess: () => done(`${taskType} has no limit.`),
  });
  return (
    <FormDialog
      title={`Remove the limit of ${taskType}?`}
      submitLabel="Remove"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>Job workers then get every job of this type that they ask for.</p>
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}

function isComplete({ taskType, concurrent, count, per }: Fields): boolean {
  const hasRate = count !== '' && per.trim() !== '';
  const hasPart = (count === '') !== (per.trim() === '');
  return taskType !== '' && (concurrent !== '' || hasRate) && !hasPart;
}

function usePut({ taskType, concurrent, count, per }: Fields, reason: string, onClose: () => void) {
  const { id: projectID } = useProject();
  const done = useDone(onClose);
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.PUT('/projects/{projectID}/limits/{taskType}', {
          params: { path: { projectID, taskType } },
          body: {
            ...(concurrent !== '' && { concurrent: Number(concurrent) }),
            ...(count !== '' && { rate: { count: Number(count), per: per.trim() } }),
            ...asked(reason),
          },
        }),
      ),
    onSuccess: () => done(`Limit of ${taskType} set.`),
  });
}

function useDone(onClose: () => void) {
  const { id: projectID } = useProject();
  const queries = useQueryClient();
  const toasts = useToasts();
  return (message: string) => {
    void queries.invalidateQueries({ queryKey: [projectID, 'limits'] });
    toasts.done(message);
    onClose();
  };
}
