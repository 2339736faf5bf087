/** After a task has ended: the next task of the inbox. */
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../../components/basics/button.js';
import { Card } from '../../../components/basics/card.js';
import form from '../../../components/fields/form.module.css';
import { Loading } from '../../../components/feedback/states.js';
import { useProject } from '../../../frame/project/project.js';
import { useInbox } from '../use-inbox.js';

/** The control that ended the task no longer exists, so this element takes the focus. */
const takeFocus = (element: HTMLElement | null) => element?.focus();

interface DoneProps {
  executionKey: string;
  sentence: string;
  /** Key of the task that follows in the list; undefined if the list does not say. */
  next: string | undefined;
  /** Whether the next task opens by itself. */
  opensNext: boolean;
}

export function Done({ executionKey, sentence, next: following, opensNext }: DoneProps) {
  const { id: projectID } = useProject();
  const inbox = useInbox();
  const next = useQuery({
    queryKey: [projectID, 'tasks', inbox.isAll, 'after', executionKey],
    queryFn: async ({ signal }) => {
      // The ended task may still be listed until its instance has processed the command.
      const { data } = await inbox.fetchPage({ page: 1, pageSize: 2 }, signal);
      return data.find((task) => task.executionKey !== executionKey) ?? null;
    },
  });
  const navigate = useNavigate();
  const to = following ?? next.data?.executionKey;
  const address = opensNext && to !== undefined ? inbox.toTask(to) : undefined;
  useEffect(() => {
    if (address !== undefined) void navigate(address, { state: { isNext: true } });
  }, [address, navigate]);
  return (
    <Card title={sentence}>
      <div className={form.form} ref={takeFocus} tabIndex={-1} role="group" aria-label="Next task">
        {next.isPending && <Loading lines={1} label="Loading the next task" />}
        {next.data === null && <p>No other tasks wait in this inbox.</p>}
        {next.data && (
          <p>
            Next: {next.data.name ?? next.data.nodeID}, {next.data.processName ?? next.data.processId}
          </p>
        )}
        <div>
          {next.data ? (
            <ButtonLink kind="primary" icon="arrowRight" to={inbox.toTask(next.data.executionKey)}>
              Next task
            </ButtonLink>
          ) : (
            <ButtonLink to={inbox.to}>Back to tasks</ButtonLink>
          )}
        </div>
      </div>
    </Card>
  );
}
