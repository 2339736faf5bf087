/** One user task: its form, its context, and its actions. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { ReactNode } from 'react';
import { StatusBadge } from '../../../components/values/badge.js';
import { Button } from '../../../components/basics/button.js';
import { Card } from '../../../components/basics/card.js';
import { JsonView } from '../../../components/values/json-view.js';
import { ErrorState, Loading, StaleNote } from '../../../components/feedback/states.js';
import { useDefinitionXml, useModel } from '../../../features/diagram/use-definition.js';
import { Assignment } from '../../../features/tasks/assignment.js';
import { FailTaskDialog } from '../../../features/tasks/fail-task-dialog.js';
import { ApiProblem } from '../../../frame/api/client.js';
import { Page } from '../../../frame/layout/page.js';
import { useLiveQuery } from '../../../frame/events/project-events.js';
import { useProject } from '../../../frame/project/project.js';
import { Comments } from './comments.js';
import { Decisions } from './decisions.js';
import { Completion } from './completion.js';
import { Done } from './done.js';
import { LeaveDialog, useDrafts } from './drafts.js';
import { InstanceHistory } from './instance-history.js';
import { Position } from './position.js';
import { TaskFacts } from './task-facts.js';
import { refreshEveryMs, taskQuery } from './task-query.js';
import type { Task } from './task-query.js';
import { useInbox } from '../use-inbox.js';
import styles from './task.module.css';

const changesWith = ['task'] as const;

interface TaskPageProps {
  executionKey: string;
  /** The task of the list that follows one that has ended; undefined without a list. */
  nextOf(ended: string): string | undefined;
}

export function TaskPage({ executionKey, nextOf }: TaskPageProps) {
  const { id: projectID } = useProject();
  const inbox = useInbox();
  const pollEveryMs = useLiveQuery([projectID, 'task', executionKey], changesWith, refreshEveryMs);
  const { data, error, isError, dataUpdatedAt, refetch } = useQuery(taskQuery(projectID, executionKey, pollEveryMs));
  const parent = { label: 'Tasks', to: inbox.to };
  // A viewer who unclaims a task may lose the permission to see it.
  const isGone = error instanceof ApiProblem && error.status === 404;
  if (data === undefined || isGone)
    return (
      <Page title="Task" parent={parent}>
        {isError ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <Loading lines={10} label="Loading the task" />
        )}
      </Page>
    );
  return (
    <Loaded key={executionKey} task={data} parent={parent} nextOf={nextOf}>
      {isError && <StaleNote error={error} since={dataUpdatedAt} />}
    </Loaded>
  );
}

function Result({ task: { completionVariables } }: { task: Task }) {
  return (
    completionVariables && (
      <Card title="Result">
        <JsonView label="Result" value={completionVariables} />
      </Card>
    )
  );
}

/** An accepted request to end the task. */
interface EndRequest {
  how: 'completed' | 'failed';
  /** When a listener had denied another request before. */
  denied: string | undefined;
}

/** Whether listeners have yet to decide about the request, or have denied it. */
function isUndecided({ listening, denied }: Task, request: EndRequest): boolean {
  return listening !== undefined || (denied !== undefined && denied.at !== request.denied);
}

interface LoadedProps {
  task: Task;
  parent: { label: string; to: string };
  nextOf: TaskPageProps['nextOf'];
  children: ReactNode;
}

function Loaded({ task, parent, nextOf, children }: LoadedProps) {
  const name = task.name ?? task.nodeID;
  const xml = useDefinitionXml(task.definitionID);
  const model = useModel(xml.data);
  const [isFailing, setIsFailing] = useState(false);
  const drafts = useDrafts();
  const onDraft = useCallback((isDraft: boolean) => drafts.mark('comment', isDraft), [drafts]);
  /** Set before the list of tasks shows the end, because an accepted completion takes effect later. */
  const [request, setRequest] = useState<EndRequest>();
  const ended = request && !isUndecided(task, request) ? request.how : undefined;
  const isOpen = task.status === 'CREATED' && ended === undefined;
  const [wasOpen] = useState(isOpen);
  const end = (how: 'completed' | 'failed') => {
    drafts.mark('form', false);
    setRequest({ how, denied: task.denied?.at });
  };
  const documentation = model.documentation.get(task.nodeID);
  return (
    <Page
      title={name}
      parent={parent}
      place={{ name, about: task.businessId ?? 'Task' }}
      marks={<StatusBadge status={task.status} />}
      actions={
        isOpen && (
          <>
            {task.listening === undefined && <Button onClick={() => setIsFailing(true)}>Report an error</Button>}
            <Assignment task={task} name={name} />
          </>
        )
      }
    >
      {children}
      {isOpen && <Decisions task={task} />}
      <TaskFacts task={task} />
      {documentation && <p className={styles.documentation}>{documentation}</p>}
      {ended && (
        <Done
          executionKey={task.executionKey}
          sentence={`${name} ${ended}`}
          next={nextOf(task.executionKey)}
          opensNext={ended === 'completed'}
        />
      )}
      <div className={styles.columns}>
        <div className={styles.column}>
          {wasOpen && ended === undefined && (
            <Completion
              task={task}
              name={name}
              onEdit={() => drafts.mark('form', true)}
              onDone={() => end('completed')}
            />
          )}
          <Result task={task} />
          <Position task={task} xml={xml} />
          <InstanceHistory workflowID={task.workflowID} names={model.names} />
        </div>
        <div className={styles.column}>
          <Comments executionKey={task.executionKey} isOpen={isOpen} onDraft={onDraft} />
          <Variables task={task} />
        </div>
      </div>
      <LeaveDialog drafts={drafts} />
      {isFailing && (
        <FailTaskDialog task={task} name={name} onDone={() => end('failed')} onClose={() => setIsFailing(false)} />
      )}
    </Page>
  );
}

function Variables({ task: { variables = {} } }: { task: Task }) {
  return (
    <Card title="Variables">
      <div className={styles.inside}>
        {Object.keys(variables).length === 0 ? 'None.' : <JsonView label="Variables" value={variables} />}
      </div>
    </Card>
  );
}
