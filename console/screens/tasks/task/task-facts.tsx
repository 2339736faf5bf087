/** The identification of a task, its people, and its dates. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Facts } from '../../../components/values/facts.js';
import { Identifier } from '../../../components/values/identifier.js';
import { Time } from '../../../components/values/time.js';
import { useProject } from '../../../frame/project/project.js';
import type { Task } from './task-query.js';

export function TaskFacts({ task }: { task: Task }) {
  return (
    <Facts
      facts={[
        ['Process', `${task.processName ?? task.processId}, version ${task.processVersion}`],
        ['Instance', <Instance key="instance" workflowID={task.workflowID} />],
        ['Business id', task.businessId && <Identifier key="business" value={task.businessId} />],
        ['Assignee', <Assignee key="assignee" task={task} />],
        ['Candidates', candidatesOf(task)],
        ['Priority', task.priority],
        ['Created', <Time key="created" value={task.createdAt} isExact />],
        ['Due', timeOf(task.dueDate)],
        ['Follow-up', timeOf(task.followUpDate)],
        ['Ended', timeOf(task.completedAt)],
        ['Completed by', task.completedBy],
        ['Failed by', task.failedBy],
        ['Error code', task.errorCode && <code key="error">{task.errorCode}</code>],
        ['Canceled because', task.cancelReason],
      ]}
    />
  );
}

function timeOf(instant: string | undefined): ReactNode {
  return instant && <Time key={instant} value={instant} isExact />;
}

function candidatesOf({ candidateUsers = [], candidateGroups = [] }: Task): string {
  return [...candidateUsers, ...candidateGroups.map((group) => `group ${group}`)].join(', ');
}

function Assignee({ task: { assignee, assignedAt, assignedBy } }: { task: Task }) {
  if (assignee === undefined) return <>Unassigned</>;
  return (
    <>
      {assignee}
      {assignedAt && (
        <>
          , <Time value={assignedAt} />
        </>
      )}
      {assignedBy !== undefined && assignedBy !== assignee && `, by ${assignedBy}`}
    </>
  );
}

function Instance({ workflowID }: { workflowID: string }) {
  const { id: projectID } = useProject();
  const to = `/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(workflowID)}`;
  return <Identifier value={workflowID} longest={24} wrap={(text) => <Link to={to}>{text}</Link>} />;
}
