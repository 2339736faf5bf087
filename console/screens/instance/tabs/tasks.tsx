import { useState } from 'react';
import { unwrap, api } from '../../../frame/api/client.js';
import type { Schemas } from '../../../frame/api/client.js';
import { StatusBadge } from '../../../components/values/badge.js';
import { Button } from '../../../components/basics/button.js';
import { EmptyState } from '../../../components/feedback/states.js';
import type { Column } from '../../../components/tables/table.js';
import { Time } from '../../../components/values/time.js';
import { CompleteTaskDialog } from '../../../features/tasks/complete-task-dialog.js';
import { FailTaskDialog } from '../../../features/tasks/fail-task-dialog.js';
import { useInstance } from '../use-instance.js';
import { Listing } from './listing.js';
import { NodeName } from './node-name.js';
import type { InstanceTab } from './tab.js';

type Task = Schemas['UserTask'];
interface Finishing {
  task: Task;
  how: 'complete' | 'fail';
}

export const tasks: InstanceTab = { id: 'tasks', label: 'Tasks', role: 'executor', Content: Tasks };

function Tasks() {
  const {
    projectID,
    instance: { workflowID },
    nameOf,
  } = useInstance();
  const [finishing, setFinishing] = useState<Finishing>();
  const close = () => setFinishing(undefined);
  const columns: readonly Column<Task>[] = [
    { title: 'Node', cell: ({ nodeID }) => <NodeName nodeID={nodeID} /> },
    { title: 'Status', width: '8rem', cell: ({ status }) => <StatusBadge status={status} /> },
    {
      title: 'Error or reason',
      width: '14%',
      cell: ({ errorCode, cancelReason }) => (errorCode === undefined ? cancelReason : <code>{errorCode}</code>),
    },
    { title: 'Assignee', width: '14%', cell: ({ assignee }) => assignee ?? 'Unassigned' },
    {
      title: 'May be done by',
      width: '18%',
      cell: ({ candidateUsers = [], candidateGroups = [] }) =>
        [...candidateUsers, ...candidateGroups.map((group) => `group ${group}`)].join(', '),
    },
    { title: 'Created', width: '7rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
    {
      title: 'Finish',
      width: '12rem',
      cell: (task) =>
        task.status === 'CREATED' && (
          <>
            <Button kind="quiet" onClick={() => setFinishing({ task, how: 'complete' })}>
              Complete
            </Button>
            <Button kind="quiet" onClick={() => setFinishing({ task, how: 'fail' })}>
              Fail
            </Button>
          </>
        ),
    },
  ];
  return (
    <>
      <Listing
        noun="tasks"
        columns={columns}
        rowKey={({ executionKey }) => executionKey}
        nodesOf={({ nodeID }) => [nodeID]}
        fetchPage={(query, signal) =>
          unwrap(
            api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/user-tasks', {
              params: { path: { projectID, workflowID }, query },
              signal,
            }),
          )
        }
        empty={
          <EmptyState title="No tasks yet" icon="tasks">
            User tasks appear here when a token reaches them.
          </EmptyState>
        }
      />
      {finishing?.how === 'complete' && (
        <CompleteTaskDialog task={finishing.task} name={nameOf(finishing.task.nodeID)} onClose={close} />
      )}
      {finishing?.how === 'fail' && (
        <FailTaskDialog task={finishing.task} name={nameOf(finishing.task.nodeID)} onClose={close} />
      )}
    </>
  );
}
