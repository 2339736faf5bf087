/** Actions of users and clients on the instance, with actor, time, and reason. */
import { unwrap, api } from '../../../frame/api/client.js';
import type { Schemas } from '../../../frame/api/client.js';
import { OutcomeBadge } from '../../../components/values/outcome-badge.js';
import { EmptyState } from '../../../components/feedback/states.js';
import type { Column } from '../../../components/tables/table.js';
import { Time } from '../../../components/values/time.js';
import { useInstance } from '../use-instance.js';
import { Listing } from './listing.js';
import type { InstanceTab } from './tab.js';
import styles from './timeline.module.css';

type Entry = Schemas['BpmnTimelineEntry'];

export const timeline: InstanceTab = { id: 'timeline', label: 'Timeline', role: 'viewer', Content: Timeline };

function Timeline() {
  const {
    projectID,
    instance: { workflowID },
    nameOf,
  } = useInstance();
  const columns: readonly Column<Entry>[] = [
    { title: 'Action', cell: (entry) => <What entry={entry} nameOf={nameOf} /> },
    { title: 'Actor', width: '16%', cell: ({ actor }) => actor ?? '' },
    { title: 'Reason', width: '26%', cell: ({ reason }) => <span className={styles.reason}>{reason}</span> },
    { title: 'Time', width: '8rem', cell: ({ time }) => <Time value={time} /> },
    {
      title: 'Outcome',
      width: '9rem',
      cell: ({ outcome, message }) => <OutcomeBadge outcome={outcome} title={message} />,
    },
  ];
  return (
    <Listing
      noun="entries"
      columns={columns}
      rowKey={({ kind, time, commandID, scope }) => commandID ?? `${kind} ${time} ${scope ?? ''}`}
      nodesOf={({ nodeIDs = [] }) => nodeIDs}
      fetchPage={(query, signal) =>
        unwrap(
          api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/timeline', {
            params: { path: { projectID, workflowID }, query },
            signal,
          }),
        )
      }
      empty={
        <EmptyState title="No operator actions yet">
          Suspensions, resolved incidents, changed variables, moved tokens, and migrations are recorded here, with actor
          and reason.
        </EmptyState>
      }
    />
  );
}

function What({
  entry: { kind, scope, nodeIDs = [], variables = [], targetVersion, escalationCode, message, outcome },
  nameOf,
}: {
  entry: Entry;
  nameOf(nodeID: string): string;
}) {
  const { importedFrom } = useInstance().instance;
  const nodes = nodeIDs.map(nameOf).join(', ');
  const whose =
    scope === 'definition'
      ? 'all instances of its definition'
      : scope === 'parent'
        ? 'a parent instance'
        : 'the instance';
  const sentences: Readonly<Record<Entry['kind'], string>> = {
    START: 'Started the instance',
    IMPORT: importedFrom ? `Imported from ${importedFrom.system} (${importedFrom.id})` : 'Imported the instance',
    COMPLETE_USER_TASK: 'Completed a user task',
    THROW_USER_TASK_ERROR: 'Failed a user task',
    ASSIGN_USER_TASK: 'Assigned or changed a user task',
    COMPLETE_JOB: 'Completed a job',
    THROW_JOB_ERROR: 'Failed a job',
    UPDATE_JOB: 'Changed a job',
    SUSPEND: `Suspended ${whose}`,
    RESUME: `Resumed ${whose}`,
    RESOLVE_INCIDENT: `Resolved the incident${nodes && ` at ${nodes}`}`,
    MODIFY: `Moved tokens${nodes && `: ${nodes}`}`,
    MIGRATE: `Migrated to version ${targetVersion ?? ''}`,
    UPDATE_TIMER: `Changed a timer${nodes && ` of ${nodes}`}`,
    FIRE_TIMER: `Fired a timer${nodes && ` of ${nodes}`}`,
    CANCEL_INSTANCE: 'Canceled the instance',
    SET_VARIABLES: `Set ${variables.join(', ') || 'variables'}`,
    REDACT_VARIABLES: `Redacted ${variables.join(', ')}`,
    TRIGGER_AD_HOC: `Started ${nodes || 'an activity'}`,
    SET_AD_HOC_VARIABLES: `Set ${variables.join(', ') || 'variables'}${nodes && ` in ${nodes}`}`,
    ESCALATION: `Uncaught escalation ${escalationCode ?? ''}${nodes && ` of ${nodes}`}`,
  };
  return (
    <span className={styles.what}>
      {sentences[kind]}
      {outcome === 'REJECTED' && message && <span className={styles.message}>{message}</span>}
    </span>
  );
}
