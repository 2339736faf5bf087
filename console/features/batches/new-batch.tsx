/** Creates a batch of all instances that match the filters of a list, after showing how many and some of them. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { SelectField, TextField } from '../../components/fields/field.js';
import { asked, Reason } from '../../components/fields/reason.js';
import { sentenceOf } from '../../components/feedback/states.js';
import { useToasts } from '../../components/feedback/toast.js';
import { useMay, useProject } from '../../frame/project/project.js';
import { createBatch, operationNames, type BatchRequest } from './batch-query.js';
import { emptyInputs, OperationInputs, type Choice, type Inputs } from './operation-inputs.js';
import styles from './batches.module.css';

type Filter = NonNullable<BatchRequest['filter']>;

const maxPerSecond = 500;
const shownExamples = 5;

export function NewBatchDialog({ filter: listed, onClose }: { filter: Filter; onClose(): void }) {
  const { id: projectID } = useProject();
  const navigate = useNavigate();
  const toasts = useToasts();
  const isAdmin = useMay('admin');
  const [operation, setOperation] = useState<Choice>('CANCEL');
  const [inputs, setInputs] = useState<Inputs>({});
  const [reason, setReason] = useState('');
  const [itemsPerSecond, setItemsPerSecond] = useState(50);
  const isErasing = operation === 'DELETE';
  // Called instances are erased with their root.
  const filter = isErasing ? { ...listed, root: true } : listed;
  const preview = usePreview(projectID, filter);
  const isRate = Number.isInteger(itemsPerSecond) && itemsPerSecond >= 1 && itemsPerSecond <= maxPerSecond;
  const command = useMutation({
    mutationFn: () => createBatch(projectID, { operation, filter, itemsPerSecond, ...inputs, ...asked(reason) }),
    onSuccess: ({ total, ...accepted }) => {
      toasts.done(`Accepted for ${counted(total)}.`);
      if ('batchID' in accepted) void navigate(`../batches/${accepted.batchID}`);
    },
  });
  const choose = (chosen: Choice) => {
    setOperation(chosen);
    setInputs(emptyInputs(chosen));
  };
  return (
    <FormDialog
      title="Create a batch"
      submitLabel={preview.data ? `${operationNames[operation]}: ${counted(preview.data.total)}` : 'Counting'}
      isDangerous={operation === 'CANCEL' || isErasing}
      isBusy={command.isPending}
      isIncomplete={!preview.data?.total || !isRate || inputs === undefined}
      error={command.error ?? preview.error}
      onSubmit={() => command.mutate()}
      onClose={onClose}
    >
      <p role="status">
        {preview.data
          ? `${counted(preview.data.total)} match the filters of the list now. Instances that match later ` +
            'are not included.'
          : preview.isError
            ? sentenceOf(preview.error)
            : 'Counting what matches the filters of the list.'}
      </p>
      {preview.data && preview.data.total > 0 && (
        <p className={styles.examples}>Oldest first: {examplesOf(preview.data)}</p>
      )}
      <SelectField label="Operation" value={operation} onChange={({ target }) => choose(target.value as Choice)}>
        <option value="CANCEL">Cancel</option>
        <option value="SET_VARIABLES">Set variables</option>
        <option value="MIGRATE">Migrate</option>
        <option value="FIRE_TIMERS">Fire timers</option>
        {isAdmin && <option value="MODIFY">Modify</option>}
        {isAdmin && <option value="SUSPEND">Suspend</option>}
        {isAdmin && <option value="RESUME">Resume</option>}
        {isAdmin && <option value="DELETE">Erase</option>}
      </SelectField>
      <OperationInputs key={operation} operation={operation} onChange={setInputs} />
      <TextField
        label="Instances per second"
        type="number"
        min={1}
        max={maxPerSecond}
        problem={isRate ? undefined : `Must be 1 to ${maxPerSecond}`}
        value={itemsPerSecond}
        onChange={({ target }) => setItemsPerSecond(target.valueAsNumber)}
      />
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}

/** A dry run of any operation, because the matches depend on the filter only. */
function usePreview(projectID: string, filter: Filter) {
  return useQuery({
    queryKey: [projectID, 'batch-preview', filter],
    queryFn: async (): Promise<Preview> => createBatch(projectID, { operation: 'CANCEL', filter, dryRun: true }),
    gcTime: 0,
    staleTime: Infinity,
  });
}

interface Preview {
  total: number;
  workflowIDs?: string[];
}

function examplesOf({ total, workflowIDs = [] }: Preview): string {
  const shown = workflowIDs.slice(0, shownExamples);
  return shown.join(', ') + (total > shown.length ? ', …' : '');
}

function counted(total: number): string {
  return `${total.toLocaleString('en')} ${total === 1 ? 'instance' : 'instances'}`;
}
