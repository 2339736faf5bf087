/** Retries all incidents of a group with the same correction, as a batch on the host. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { Dialog } from '../../components/dialogs/dialog.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { JsonEditor } from '../../components/fields/json-editor.js';
import { useToasts } from '../../components/feedback/toast.js';
import { batchQuery, createBatch, type Batch } from '../../features/batches/batch-query.js';
import { BatchProgress } from '../../features/batches/progress.js';
import { useProject } from '../../frame/project/project.js';
import type { Incident } from './group.js';
import styles from './incidents.module.css';

export function ResolveAllDialog({ incidents, onClose }: { incidents: readonly Incident[]; onClose(): void }) {
  const { id: projectID } = useProject();
  // The incidents when the dialog opened. A refresh adds none that the user has not seen.
  const [chosen] = useState(incidents);
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  const command = useMutation({
    mutationFn: () =>
      createBatch(projectID, {
        operation: 'RESOLVE',
        incidentIDs: chosen.map(({ incidentID }) => incidentID),
        variables,
      }),
  });
  const { errorMessage, nodeID } = chosen[0]!;
  const noun = chosen.length === 1 ? 'this incident' : `these ${chosen.length} incidents`;
  if (command.data && 'batchID' in command.data)
    return <ResolveProgress batchID={command.data.batchID} onClose={onClose} />;
  return (
    <FormDialog
      title={`Resolve ${noun} at ${nodeID}?`}
      submitLabel="Retry"
      isBusy={command.isPending}
      isIncomplete={variables === undefined}
      error={command.error}
      onSubmit={() => command.mutate()}
      onClose={onClose}
    >
      <p className={styles.message}>{errorMessage}</p>
      <p>Each activity runs again. A repeated failure raises a new incident.</p>
      <JsonEditor
        label="Variables to set first"
        hint="Set in each instance. Leave empty if the cause was external."
        onChange={setVariables}
      />
    </FormDialog>
  );
}

/** Closing the dialog does not stop the batch. */
function ResolveProgress({ batchID, onClose }: { batchID: string; onClose(): void }) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const { data } = useQuery(batchQuery(projectID, batchID));
  const isOver = data?.completedAt !== undefined;
  useEffect(() => {
    if (!isOver || data === undefined) return;
    report(data, toasts);
    onClose();
    // The other values are new objects at every render.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isOver]);
  return (
    <Dialog title="Resolving" onClose={onClose}>
      {data && <BatchProgress batch={data} />}
      <p>
        The host continues when you close this. <Link to={`../batches/${batchID}`}>Open the batch</Link>
      </p>
    </Dialog>
  );
}

function report({ total, counts }: Batch, toasts: ReturnType<typeof useToasts>): void {
  if (counts.applied > 0) toasts.done(`${counts.applied} of ${total} retried.`);
  if (counts.failedAgain > 0) toasts.failed(`${counts.failedAgain} of ${total} failed again.`);
  const others = total - counts.applied - counts.failedAgain;
  if (others > 0) toasts.failed(`${others} of ${total} could not be resolved. The batch says why.`);
}
