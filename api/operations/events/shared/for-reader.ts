/** Events as a reader may see them: only executors, and people whom a user task names, see its assignee. */
import { assignmentsOf } from '../../../../store/work/user-tasks/assignments.js';
import { toCloudEvent, type CloudEvent } from '../../../../store/events/cloud-event.js';
import type { StoredEvent } from '../../../../store/events/feed.js';
import type { Queryable } from '../../../../store/sql/database.js';
import type { Caller } from '../../../access/caller.js';
import { isExecutor, mayWorkOnTask } from '../../../access/user-task.js';

/** Executors, and viewers whom the task names, get everything, like the operations of the task itself. */
export async function eventsForReader(
  store: Queryable,
  caller: Caller,
  projectID: string,
  events: readonly StoredEvent[],
): Promise<CloudEvent[]> {
  const ofTasks = isExecutor(caller, projectID) ? [] : events.filter(isOfTask);
  if (ofTasks.length === 0) return events.map((event) => toCloudEvent(projectID, event));
  const assignments = await assignmentsOf(store, [...new Set(ofTasks.map(({ subject }) => subject))]);
  const isHidden = (event: StoredEvent) => {
    const { assignee } = event.data as { assignee?: string };
    const named = assignments.get(event.subject);
    return !mayWorkOnTask(caller, projectID, { assignee }) && !(named && mayWorkOnTask(caller, projectID, named));
  };
  return events.map((event) => toCloudEvent(projectID, isOfTask(event) && isHidden(event) ? reduced(event) : event));
}

function isOfTask({ type }: StoredEvent): boolean {
  return type.startsWith('task.');
}

/** The subject is the key of the task; the actor of a change is, as a rule, its assignee. */
function reduced(event: StoredEvent): StoredEvent {
  const { assignee: _assignee, actor: _actor, name: _name, dueDate: _dueDate, ...data } = event.data;
  return { ...event, subject: String(data['workflowID']), data };
}
