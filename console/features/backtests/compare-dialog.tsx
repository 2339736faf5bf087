/** Starts a backtest of a version or of a draft, and opens it. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { SelectField, TextField } from '../../components/fields/field.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { asked, Reason } from '../../components/fields/reason.js';
import { useProject } from '../../frame/project/project.js';

type Compared = { definitionID: string } | { resourceID: string; processIDs: readonly string[] };

interface CompareDialogProps {
  /** As the title names it. */
  name: string;
  compared: Compared;
  onClose(): void;
}

const DEFAULT_NEWEST = '1000';
const MOST = 100_000;

export function CompareDialog({ name, compared, onClose }: CompareDialogProps) {
  const { id: projectID } = useProject();
  const navigate = useNavigate();
  const processIDs = 'processIDs' in compared ? compared.processIDs : [];
  const [processID, choose] = useState(processIDs[0]);
  const [newest, setNewest] = useState(DEFAULT_NEWEST);
  const [reason, setReason] = useState('');
  const count = /^\d{1,6}$/.test(newest) ? Number(newest) : 0;
  const create = useMutation({
    mutationFn: () => start(projectID, compared, { newest: count, ...asked(reason) }, processID),
    onSuccess: ({ backtestID }) =>
      void navigate(`/projects/${encodeURIComponent(projectID)}/backtests/${encodeURIComponent(backtestID)}`),
  });
  return (
    <FormDialog
      title={`Compare ${name} with history`}
      submitLabel="Compare"
      isBusy={create.isPending}
      isIncomplete={count < 1 || count > MOST}
      error={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <p>
        Plays instances of this process that have ended against this version, with everything that happened to them, and
        shows what would have been different. Nothing is started, sent, or changed.
      </p>
      {processIDs.length > 1 && (
        <SelectField label="Process" value={processID} onChange={({ target }) => choose(target.value)}>
          {processIDs.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </SelectField>
      )}
      <TextField
        label="Newest instances"
        hint={`Up to ${MOST.toLocaleString('en')}.`}
        inputMode="numeric"
        value={newest}
        onChange={({ target }) => setNewest(target.value)}
      />
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}

function start(
  projectID: string,
  compared: Compared,
  body: { newest: number; reason?: string },
  processID: string | undefined,
) {
  if ('definitionID' in compared)
    return unwrap(
      api.POST('/projects/{projectID}/bpmn/definitions/{definitionID}/backtests', {
        params: { path: { projectID, definitionID: compared.definitionID } },
        body,
      }),
    );
  return unwrap(
    api.POST('/projects/{projectID}/bpmn/resources/{resourceID}/backtests', {
      params: { path: { projectID, resourceID: compared.resourceID } },
      body: { ...body, ...(processID !== undefined && { processID }) },
    }),
  );
}
