/** Comments on a task: plain text that never changes. */
import { useEffect, useState } from 'react';
import { unwrap, api } from '../../../frame/api/client.js';
import { useCommand } from '../../../frame/api/use-command.js';
import { Button } from '../../../components/basics/button.js';
import { Card } from '../../../components/basics/card.js';
import { TextArea } from '../../../components/fields/field.js';
import form from '../../../components/fields/form.module.css';
import { Refusal } from '../../../components/dialogs/form-dialog.js';
import { Pager } from '../../../components/tables/pager.js';
import { ErrorState, Loading } from '../../../components/feedback/states.js';
import { Time } from '../../../components/values/time.js';
import { useProject } from '../../../frame/project/project.js';
import styles from './task.module.css';
import { refreshEveryMs } from './task-query.js';
import { useNewestPage } from './use-newest-page.js';

const pageSize = 20;

interface CommentsProps {
  executionKey: string;
  isOpen: boolean;
  /** Whether a comment was typed and not added. */
  onDraft(isDraft: boolean): void;
}

/** Comments can be added to open tasks only. */
export function Comments({ executionKey, isOpen, onDraft }: CommentsProps) {
  const { id: projectID } = useProject();
  const { data, error, isError, refetch, setPage } = useNewestPage(
    [projectID, 'task', executionKey, 'comments'],
    (page, signal) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/user-tasks/{executionKey}/comments', {
          params: { path: { projectID, executionKey }, query: { page, pageSize } },
          signal,
        }),
      ),
    isOpen && refreshEveryMs,
  );
  return (
    <Card title="Comments">
      {data === undefined &&
        (isError ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <Loading lines={2} label="Loading the comments" />
        ))}
      {data?.data.length === 0 && <p className={styles.inside}>No comments yet.</p>}
      {data && data.data.length > 0 && (
        <ol className={styles.entries} aria-label="Comments">
          {data.data.map(({ commentID, text, author, importedAuthor, createdAt }) => (
            <li key={commentID}>
              <span className={styles.note}>
                {author ?? `${importedAuthor} (imported)`}, <Time value={createdAt} />
              </span>
              <p className={styles.text}>{text}</p>
            </li>
          ))}
        </ol>
      )}
      {data && data.pagination.total > pageSize && (
        <Pager noun="comments" pagination={data.pagination} onPage={setPage} />
      )}
      {isOpen && <AddComment executionKey={executionKey} onAdded={() => setPage(undefined)} onDraft={onDraft} />}
    </Card>
  );
}

function AddComment({
  executionKey,
  onAdded,
  onDraft,
}: Pick<CommentsProps, 'executionKey' | 'onDraft'> & { onAdded(): void }) {
  const { id: projectID } = useProject();
  const [text, setText] = useState('');
  const isDraft = text.trim() !== '';
  useEffect(() => {
    onDraft(isDraft);
    return () => onDraft(false);
  }, [isDraft, onDraft]);
  const add = useCommand(
    'Comment added.',
    async () => {
      await unwrap(
        api.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/comments', {
          params: { path: { projectID, executionKey } },
          body: { text: text.trim() },
        }),
      );
      return {};
    },
    () => {
      setText('');
      onAdded();
    },
  );
  return (
    <form
      className={form.form}
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(undefined);
      }}
    >
      <TextArea
        label="Comment"
        rows={3}
        maxLength={4000}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Refusal error={add.error} />
      <div>
        <Button type="submit" isBusy={add.isPending} disabled={!isDraft}>
          Add comment
        </Button>
      </div>
    </form>
  );
}
