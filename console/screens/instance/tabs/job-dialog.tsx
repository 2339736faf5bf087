/** One job: its input variables, its headers, and how it ended. */
import { Dialog } from '../../../components/dialogs/dialog.js';
import { Facts } from '../../../components/values/facts.js';
import { JsonSection } from '../../../components/values/json-section.js';
import { Time } from '../../../components/values/time.js';
import { ExecutionLink } from '../../../features/execution.js';
import { listenerText } from '../../../features/listener-text.js';
import type { Schemas } from '../../../frame/api/client.js';

interface JobDialogProps {
  job: Schemas['ExternalJob'];
  /** Name of the node in the model. */
  name: string;
  onClose(): void;
}

export function JobDialog({ job, name, onClose }: JobDialogProps) {
  return (
    <Dialog title={name} isWide onClose={onClose}>
      <Facts
        facts={[
          ['Task type', <code key="type">{job.taskType}</code>],
          ['Work', job.listener && listenerText(job.listener)],
          ['Priority', job.priority],
          ['Retries', job.retries],
          ['Created', <Time key="created" value={job.createdAt} isExact />],
          ['Ended', job.completedAt && <Time key="ended" value={job.completedAt} isExact />],
          ['Runs on Temporal as', job.execution && <ExecutionLink key="execution" execution={job.execution} />],
          ['Completed by', job.completedBy],
          ['Failed by', job.failedBy],
          ['Error code', job.errorCode && <code key="error">{job.errorCode}</code>],
          ['Message', job.errorMessage],
          ['Canceled because', job.cancelReason],
        ]}
      />
      {job.variablesOmitted && (
        <>
          <h3>Variables</h3>
          Too large for this list. The Variables tab has the variables of the instance.
        </>
      )}
      <JsonSection title="Variables" value={job.variables} />
      <JsonSection title="Headers" value={job.headers} />
    </Dialog>
  );
}
