/** The dialog that completes a user task of a play: with its form, or as JSON without one. */
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { FormOfTask, Move, WaitInPlay } from '@perdure/testkit/browser';
import { Button } from '../../components/basics/button.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import type { FolderFile } from '../../features/modeler/files/folder-file.js';
import { fileWith } from '../../features/modeler/files/folder.js';
import { VariablesForm } from '../../features/forms/variables-form.js';
import { ApiProblem, api, unwrap } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';
import { ChoiceField } from './choice-field.js';
import { completeTask } from './move-forms.js';
import { usePlay } from './use-play.js';

type UserTask = Extract<WaitInPlay, { kind: 'userTask' }>;

interface TaskDialogProps {
  task: UserTask;
  name: string;
  onMove(move: Move): void;
  onClose(): void;
}

export function TaskDialog({ task, name, onMove, onClose }: TaskDialogProps) {
  const formID = useId();
  const [nth, setNth] = useState(1);
  const form = useForm(task, nth);
  const move = completeTask(task, name);
  return (
    <Dialog
      title={move.title}
      onClose={onClose}
      footer={
        form.data !== undefined && (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={formID} kind="primary">
              {move.submitLabel}
            </Button>
          </>
        )
      }
    >
      <ChoiceField choices={task.choices} nth={nth} onChange={setNth} />
      {form.isPending && <Loading lines={4} label="Loading the form" />}
      {form.isError && <ErrorState error={form.error} retry={() => void form.refetch()} />}
      {form.data !== undefined && (
        <VariablesForm
          key={nth}
          id={formID}
          form={form.data}
          label="Variables"
          hint={hintOf(task.form, move.variables!)}
          error={undefined}
          onSubmit={(variables) => {
            onClose();
            onMove(move.toMove({ text: {}, variables, nth }));
          }}
        />
      )}
    </Dialog>
  );
}

/** Null without a form. */
function useForm({ form, choices, ...oldest }: UserTask, nth: number) {
  const { id: projectID } = useProject();
  const { player, folder } = usePlay();
  const { workflowID, wait } = choices?.[nth - 1] ?? oldest;
  return useQuery({
    queryKey: [projectID, 'play', 'form', useId(), nth],
    queryFn: async (): Promise<Schemas['BpmnForm'] | null> => {
      const schema = form && (await schemaOf(projectID, form, folder));
      return schema ? { schema, variables: await player.variablesAt(workflowID, wait) } : null;
    },
    // An open form keeps its input.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
}

/** @returns undefined if the project has no such form, or the one in the file cannot be read */
async function schemaOf(
  projectID: string,
  form: FormOfTask,
  folder: readonly FolderFile[],
): Promise<Record<string, unknown> | undefined> {
  try {
    if ('embedded' in form) return JSON.parse(form.embedded) as Record<string, unknown>;
    const found = fileWith({ kind: 'form', id: form.formID }, folder);
    if (found) return JSON.parse(found.text) as Record<string, unknown>;
    const { schema } = await unwrap(
      api.GET('/projects/{projectID}/bpmn/forms/{formID}', {
        params: { path: { projectID, formID: form.formID } },
      }),
    );
    return schema;
  } catch (error) {
    const isMissing = error instanceof ApiProblem && (error.status === 400 || error.status === 404);
    if (isMissing || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Shown without a form only. */
function hintOf(form: FormOfTask | undefined, hint: string): string {
  return form && 'formID' in form ? `The project has no form ${form.formID}. ${hint}` : hint;
}
