/** Open user tasks: those of the signed-in user, and for operators those of everyone. */
import { useState } from 'react';
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Identifier } from '../../components/identifier.js';
import { PagedList } from '../../components/paged-list.js';
import { EmptyState } from '../../components/states.js';
import type { Column } from '../../components/table.js';
import { Tabs } from '../../components/tabs.js';
import { Time } from '../../components/time.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useMay, useProject } from '../../frame/project/project.js';
import { Assignment } from '../../features/tasks/assignment.js';
import { CompleteTaskDialog } from '../../features/tasks/complete-task-dialog.js';
import styles from './tasks.module.css';

type Task = Schemas['UserTask'];

const refreshEveryMs = 8_000;
const mine = { id: 'mine', label: 'For me' };
const all = { id: 'all', label: 'All open' };

export default function Tasks() {
  const address = useAddress();
  const mayList = useMay('executor');
  const isAll = mayList && address.get('view') === 'all';
  const [completing, setCompleting] = useState<Task>();
  return (
    <Page title="Tasks">
      <Tabs
        label="Whose"
        tabs={mayList ? [mine, all] : [mine]}
        selected={isAll ? 'all' : 'mine'}
        onSelect={(id) => address.set({ view: id === 'all' ? 'all' : undefined, page: undefined })}
      >
        <Card>
          <Inbox isAll={isAll} onComplete={setCompleting} />
        </Card>
      </Tabs>
      {completing && (
        <CompleteTaskDialog
          task={completing}
          name={completing.name ?? completing.nodeID}
          onClose={() => setCompleting(undefined)}
        />
      )}
    </Page>
  );
}

function Inbox({ isAll, onComplete }: { isAll: boolean; onComplete(task: Task): void }) {
  const { id: projectID } = useProject();
  const path = { projectID };
  const columns: readonly Column<Task>[] = [
    {
      title: 'Task',
      cell: ({ name, nodeID, processName, processId, businessId }) => (
        <span className={styles.task}>
          <strong>{name ?? nodeID}</strong>
          <span className={styles.of}>{processName ?? processId}</span>
          {businessId !== undefined && <span className={styles.of}>{businessId}</span>}
        </span>
      ),
    },
    {
      title: 'Instance',
      width: '17rem',
      cell: ({ workflowID }) => (
        <Identifier
          value={workflowID}
          longest={24}
          wrap={(text) => <Link to={`../instances/${workflowID}?tab=tasks`}>{text}</Link>}
        />
      ),
    },
    { title: 'For', width: '24%', cell: (task) => <People task={task} /> },
    { title: 'Created', width: '8rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
    {
      title: 'Due',
      width: '8rem',
      cell: ({ dueDate }) => (dueDate === undefined ? 'No due date' : <Time value={dueDate} />),
    },
    {
      title: 'Do',
      width: '14rem',
      cell: (task) => (
        <>
          <Button kind="quiet" onClick={() => onComplete(task)}>
            Complete
          </Button>
          <Assignment task={task} name={task.name ?? task.nodeID} />
        </>
      ),
    },
  ];
  return (
    <PagedList
      noun="tasks"
      queryKey={[projectID, 'tasks', isAll]}
      fetchPage={(page, signal) =>
        isAll
          ? unwrap(
              api.GET('/projects/{projectID}/bpmn/user-tasks', {
                params: { path, query: { status: 'CREATED', ...page } },
                signal,
              }),
            )
          : unwrap(api.GET('/projects/{projectID}/bpmn/user-tasks/me', { params: { path, query: page }, signal }))
      }
      refreshEveryMs={refreshEveryMs}
      columns={columns}
      rowKey={({ executionKey }) => executionKey}
      empty={
        isAll ? (
          <EmptyState title="No open tasks" icon="check">
            Tasks appear here when an instance reaches a user task, until someone completes them.
          </EmptyState>
        ) : (
          <EmptyState title="No tasks for you" icon="check">
            Tasks assigned to you or to one of your groups appear here.
          </EmptyState>
        )
      }
    />
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
