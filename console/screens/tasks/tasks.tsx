/** Open user tasks: those of the signed-in user, and for operators those of everyone. */
import { useState } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../frame/access/use-session.js';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { useCommand } from '../../frame/api/use-command.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Identifier } from '../../components/identifier.js';
import { PagedList } from '../../components/paged-list.js';
import { EmptyState, sentenceOf } from '../../components/states.js';
import type { Column } from '../../components/table.js';
import { Tabs } from '../../components/tabs.js';
import { Time } from '../../components/time.js';
import { useToasts } from '../../components/toast.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useMay, useProject } from '../../frame/project/project.js';
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
        <CompleteTaskDialog task={completing} name={completing.nodeID} onClose={() => setCompleting(undefined)} />
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
      cell: ({ nodeID, businessId }) => (
        <span className={styles.task}>
          <strong>{nodeID}</strong>
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
    { title: 'Do', width: '14rem', cell: (task) => <Doing task={task} onComplete={() => onComplete(task)} /> },
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

/** To claim a task is to become its assignee; a viewer completes what is theirs without. */
function Doing({ task: { executionKey, assignee, nodeID }, onComplete }: { task: Task; onComplete(): void }) {
  const { id: projectID } = useProject();
  const session = useSession();
  const mayAssign = useMay('executor');
  const toasts = useToasts();
  const subject = session.kind === 'signed-in' ? session.subject : undefined;
  const isMine = assignee !== undefined && assignee === subject;
  const assign = useCommand(
    isMine ? `${nodeID} unassigned.` : `${nodeID} assigned to you.`,
    async (next: string | null) => {
      await unwrap(
        api.PATCH('/projects/{projectID}/bpmn/user-tasks/{executionKey}', {
          params: { path: { projectID, executionKey } },
          body: { assignee: next },
        }),
      );
      return {};
    },
  );
  const change = (next: string | null) => assign.mutate(next, { onError: (error) => toasts.failed(sentenceOf(error)) });
  return (
    <>
      <Button kind="quiet" onClick={onComplete}>
        Complete
      </Button>
      {mayAssign &&
        subject !== undefined &&
        (isMine ? (
          <Button kind="quiet" isBusy={assign.isPending} onClick={() => change(null)}>
            Unassign
          </Button>
        ) : (
          <Button kind="quiet" isBusy={assign.isPending} onClick={() => change(subject)}>
            Claim
          </Button>
        ))}
    </>
  );
}
