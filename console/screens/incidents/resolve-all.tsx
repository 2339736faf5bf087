/** Runs again everything that failed for the same cause, with the same correction. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import { FormDialog } from '../../components/form-dialog.js';
import { JsonEditor } from '../../components/json-editor.js';
import { sentenceOf } from '../../components/states.js';
import { useToasts } from '../../components/toast.js';
import { useProject } from '../../frame/project/project.js';
import type { Incident } from './group.js';
import styles from './incidents.module.css';

const atOnce = 4;

export function ResolveAllDialog({ incidents, onClose }: { incidents: readonly Incident[]; onClose(): void }) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  // Those on the screen when the dialog opened; a refresh adds none that the user has not seen.
  const [chosen] = useState(incidents);
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  const [done, setDone] = useState(0);
  const resolveOne = ({ workflowID, incidentID }: Incident) =>
    unwrap(
      api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/incidents/{incidentID}/resolve', {
        params: { path: { projectID, workflowID, incidentID } },
        body: { variables },
      }),
    );
  const command = useMutation({
    mutationFn: async () => {
      const refusals: string[] = [];
      const waiting = [...chosen];
      setDone(0);
      const work = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          await resolveOne(next).catch((error: unknown) => refusals.push(sentenceOf(error)));
          setDone((count) => count + 1);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      return refusals;
    },
    onSuccess: (refusals) => {
      const resolved = chosen.length - refusals.length;
      if (resolved > 0) toasts.done(`${resolved} of ${chosen.length} retried.`);
      if (refusals.length > 0) toasts.failed(`${refusals.length} could not be resolved. The first: ${refusals[0]}`);
      onClose();
    },
  });
  const { errorMessage, nodeID } = chosen[0]!;
  const noun = chosen.length === 1 ? 'this incident' : `these ${chosen.length} incidents`;
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
      {command.isPending && (
        <progress className={styles.progress} aria-label="Resolved so far" value={done} max={chosen.length} />
      )}
    </FormDialog>
  );
}
