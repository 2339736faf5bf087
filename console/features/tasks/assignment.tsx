/** The assignee of a task: claim, unclaim, and take over. */
import { useState } from 'react';
import { useSession } from '../../frame/access/use-session.js';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { useCommand } from '../../frame/api/use-command.js';
import { useMay, useProject } from '../../frame/project/project.js';
import { Button } from '../../components/basics/button.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { sentenceOf } from '../../components/feedback/states.js';
import { useToasts } from '../../components/feedback/toast.js';

type Task = Schemas['UserTask'];

/**
 * Offers only actions that can succeed: anyone who sees an unassigned task may claim it, but only executors may take
 * over tasks.
 */
export function Assignment({ task, name }: { task: Task; name: string }) {
  const session = useSession();
  const mayTakeOver = useMay('executor');
  const subject = session.kind === 'signed-in' ? session.subject : undefined;
  // Listeners decide about another request first.
  if (subject === undefined || task.status !== 'CREATED' || task.listening !== undefined) return null;
  if (task.assignee === undefined) return <Claim task={task} name={name} />;
  if (task.assignee === subject) return <Unclaim task={task} name={name} />;
  return mayTakeOver ? <TakeOver task={task} name={name} assignee={task.assignee} subject={subject} /> : null;
}

/** The command, if listeners of the task have yet to decide; nothing else is of interest. */
function pendingOf(answer: Task | Schemas['BpmnCommand'] | undefined) {
  return answer && 'commandID' in answer ? answer : undefined;
}

function Claim({ task: { executionKey }, name }: { task: Task; name: string }) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const claim = useCommand(`${name} claimed.`, async () => {
    return pendingOf(
      await unwrap(
        api.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/claim', {
          params: { path: { projectID, executionKey } },
        }),
      ),
    );
  });
  return (
    <Button
      kind="quiet"
      data-action="claim"
      isBusy={claim.isPending}
      onClick={() => claim.mutate(undefined, { onError: (error) => toasts.failed(sentenceOf(error)) })}
    >
      Claim
    </Button>
  );
}

function Unclaim({ task: { executionKey }, name }: { task: Task; name: string }) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const unclaim = useCommand(`${name} is unassigned.`, async () => {
    return pendingOf(
      await unwrap(
        api.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/unclaim', {
          params: { path: { projectID, executionKey } },
        }),
      ),
    );
  });
  return (
    <Button
      kind="quiet"
      isBusy={unclaim.isPending}
      onClick={() => unclaim.mutate(undefined, { onError: (error) => toasts.failed(sentenceOf(error)) })}
    >
      Unclaim
    </Button>
  );
}

interface TakeOverProps {
  task: Task;
  name: string;
  assignee: string;
  subject: string;
}

function TakeOver({ task: { executionKey }, name, assignee, subject }: TakeOverProps) {
  const { id: projectID } = useProject();
  /** The assignee that the dialog shows. A refresh behind the dialog must not change it. */
  const [asked, setAsked] = useState<string>();
  const takeOver = useCommand(
    `${name} taken over.`,
    async (expectedAssignee: string) => {
      return pendingOf(
        await unwrap(
          api.PATCH('/projects/{projectID}/bpmn/user-tasks/{executionKey}', {
            params: { path: { projectID, executionKey } },
            body: { assignee: subject, expectedAssignee },
          }),
        ),
      );
    },
    () => setAsked(undefined),
  );
  const close = () => {
    setAsked(undefined);
    takeOver.reset();
  };
  return (
    <>
      <Button kind="quiet" onClick={() => setAsked(assignee)}>
        Take over
      </Button>
      {asked !== undefined && (
        <FormDialog
          title={`Take over ${name}?`}
          submitLabel="Take over"
          isBusy={takeOver.isPending}
          error={takeOver.error}
          onSubmit={() => takeOver.mutate(asked)}
          onClose={close}
        >
          <p>{asked} works on this task. You become its assignee instead.</p>
        </FormDialog>
      )}
    </>
  );
}
