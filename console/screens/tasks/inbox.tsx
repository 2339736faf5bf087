/** The list of the inbox, in groups by due date. */
import { Link } from 'react-router';
import { Badge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { useClock } from '../../components/values/clock.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState } from '../../components/feedback/states.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import { filterOf, isFiltered } from '../../features/filters/list-filter.js';
import { Assignment } from '../../features/tasks/assignment.js';
import { dueGroupOf } from './due-group.js';
import { inboxLists, isOverdue } from './task-filter.js';
import { DecisionBadge } from './task/decisions.js';
import { refreshEveryMs } from './task/task-query.js';
import type { Task } from './task/task-query.js';
import styles from './tasks.module.css';
import { useInbox } from './use-inbox.js';

const changesWith = ['task'] as const;
const minuteMs = 60_000;

interface InboxProps {
  /** Key of the task that is open next to the list. The list then has one column. */
  chosen?: string;
  /** For the button of each row, which the list next to a task does not have. */
  onComplete?(task: Task): void;
  /** Called with the keys of the tasks in the order of the list. */
  onKeys(keys: readonly string[]): void;
}

export function Inbox({ chosen, onComplete, onKeys }: InboxProps) {
  const { id: projectID } = useProject();
  const { isAll, toTask, fetchPage } = useInbox();
  const address = useAddress();
  const filter = filterOf(inboxLists[isAll ? 'all' : 'mine'], address);
  const overdue = isOverdue(address);
  const minute = useClock((nowMs) => Math.floor(nowMs / minuteMs));
  const now = new Date(minute * minuteMs);
  return (
    <PagedList
      noun="tasks"
      queryKey={[projectID, 'tasks', isAll, filter, overdue]}
      fetchPage={async (page, signal) => {
        const dueBefore = overdue && { dueBefore: new Date().toISOString() };
        const found = await fetchPage({ ...page, ...filter, ...dueBefore }, signal);
        onKeys(found.data.map(({ executionKey }) => executionKey));
        return found;
      }}
      refreshEveryMs={refreshEveryMs}
      changesWith={changesWith}
      columns={chosen === undefined ? columnsWith(toTask, onComplete) : [briefColumn(toTask, chosen)]}
      rowKey={({ executionKey }) => executionKey}
      groupOf={({ dueDate }) => dueGroupOf(dueDate, now)}
      empty={
        isFiltered(filter) || overdue ? <EmptyState title="No tasks match" icon="tasks" /> : <NoTasks isAll={isAll} />
      }
    />
  );
}

const briefColumn = (toTask: (executionKey: string) => string, chosen: string): Column<Task> => ({
  title: 'Task',
  cell: (task) => <Brief task={task} to={toTask(task.executionKey)} isChosen={task.executionKey === chosen} />,
});

function Brief({ task, to, isChosen }: { task: Task; to: string; isChosen: boolean }) {
  const { executionKey, name, nodeID, processName, processId, businessId, assignee, dueDate } = task;
  return (
    <Link className={styles.brief} to={to} data-task={executionKey} aria-current={isChosen ? 'page' : undefined}>
      <strong>{name ?? nodeID}</strong>
      <span className={styles.of}>{businessId ?? processName ?? processId}</span>
      <span className={styles.of}>
        {assignee ?? 'Unassigned'}
        {dueDate !== undefined && (
          <>
            , due <Time value={dueDate} />
          </>
        )}
      </span>
      <DecisionBadge task={task} />
    </Link>
  );
}

const columnsWith = (
  toTask: (executionKey: string) => string,
  onComplete: ((task: Task) => void) | undefined,
): readonly Column<Task>[] => [
  {
    title: 'Task',
    width: 'max(17rem, 36vw)',
    cell: (task) => (
      <span className={styles.task}>
        <Link to={toTask(task.executionKey)} data-task={task.executionKey}>
          <strong>{task.name ?? task.nodeID}</strong>
        </Link>
        <Link className={styles.of} to={`../instances/${encodeURIComponent(task.workflowID)}`}>
          {task.processName ?? task.processId}
        </Link>
        {task.businessId !== undefined && <span className={styles.of}>{task.businessId}</span>}
        <DecisionBadge task={task} />
      </span>
    ),
  },
  {
    title: 'Due',
    width: '8rem',
    cell: ({ dueDate }) => (dueDate === undefined ? 'No due date' : <Time value={dueDate} />),
  },
  { title: 'For', cell: (task) => <People task={task} /> },
  { title: 'Created', width: '8rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: 'Actions',
    width: '14rem',
    cell: (task) => (
      <>
        {task.listening === undefined && (
          <Button kind="quiet" onClick={() => onComplete?.(task)}>
            Complete
          </Button>
        )}
        <Assignment task={task} name={task.name ?? task.nodeID} />
      </>
    ),
  },
];

function NoTasks({ isAll }: { isAll: boolean }) {
  return isAll ? (
    <EmptyState title="No open tasks" icon="check">
      Tasks appear here when an instance reaches a user task, until someone completes them.
    </EmptyState>
  ) : (
    <EmptyState title="No tasks for you" icon="check">
      Tasks assigned to you or to one of your groups appear here.
    </EmptyState>
  );
}

function People({ task: { assignee, candidateUsers = [], candidateGroups = [] } }: { task: Task }) {
  if (assignee !== undefined)
    return (
      <Badge tone="blue" icon="members">
        {assignee}
      </Badge>
    );
  const candidates = [...candidateUsers, ...candidateGroups.map((group) => `group ${group}`)];
  return <>{candidates.length > 0 ? candidates.join(', ') : 'Anyone who may complete tasks'}</>;
}
