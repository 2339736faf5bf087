/** Runs a draft before it is deployed. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { SelectField } from '../../components/fields/field.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { JsonEditor } from '../../components/fields/json-editor.js';
import { useToasts } from '../../components/feedback/toast.js';
import { useProject } from '../../frame/project/project.js';

export interface TryDraftProps {
  resourceID: string;
  name: string;
  /** Ids of the executable processes of the file. */
  processIDs: readonly string[];
  onClose(): void;
}

/** Opens the started instance. */
export function TryDraft({ resourceID, name, processIDs, onClose }: TryDraftProps) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const navigate = useNavigate();
  const [processID, choose] = useState(processIDs[0]);
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  const start = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/resources/{resourceID}/test', {
          params: { path: { projectID, resourceID } },
          body: { processID, variables: variables! },
        }),
      ),
    onSuccess: ({ workflowID }) => {
      toasts.done('Test started.');
      void navigate(`/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(workflowID)}`);
    },
  });
  return (
    <FormDialog
      title={`Try the draft ${name}`}
      submitLabel="Start a test"
      isBusy={start.isPending}
      isIncomplete={variables === undefined}
      error={start.error}
      onSubmit={() => start.mutate()}
      onClose={onClose}
    >
      <p>
        Starts a test of the draft as it is now. Job workers do not get its jobs, and messages of other instances do not
        reach it. The processes and decisions that it calls are those that are deployed. Tests are deleted a day after
        their end, and when the draft is deleted.
      </p>
      {processIDs.length > 1 && (
        <SelectField label="Process" value={processID} onChange={({ target }) => choose(target.value)}>
          {processIDs.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </SelectField>
      )}
      <JsonEditor label="Variables" hint="Variables to start with." rows={10} onChange={setVariables} />
    </FormDialog>
  );
}
