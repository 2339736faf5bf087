/** How a person completes a user task: with the form that its file brings along, else with JSON. */
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { useCommand } from '../../frame/api/use-command.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { FormDialog, Refusal } from '../../components/form-dialog.js';
import { JsonEditor } from '../../components/json-editor.js';
import { ErrorState, Loading } from '../../components/states.js';
import { CamundaForm } from '../forms/camunda-form.js';
import { embeddedFormKey, readEmbeddedForms } from '../forms/embedded-forms.js';
import { useProject } from '../../frame/project/project.js';

interface CompleteTaskDialogProps {
  task: Schemas['UserTask'];
  /** Name of the task in the model. */
  name: string;
  onClose(): void;
}

export function CompleteTaskDialog(props: CompleteTaskDialogProps) {
  const { id: projectID } = useProject();
  const {
    task: { executionKey, workflowID, formKey },
    name,
    onClose,
  } = props;
  const command = useCommand(
    `${name} completed.`,
    (variables: object) =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/complete', {
          params: { path: { projectID, executionKey } },
          body: { variables: { ...variables } },
        }),
      ),
    onClose,
  );
  const form = useEmbeddedForm(workflowID, formKey);
  if (form.isLoading)
    return (
      <Dialog title={`Complete ${name}`} onClose={onClose}>
        <Loading lines={4} label="Loading the form" />
      </Dialog>
    );
  if (form.isError)
    return (
      <Dialog title={`Complete ${name}`} onClose={onClose}>
        <ErrorState error={form.error} retry={() => void form.refetch()} />
      </Dialog>
    );
  return form.data ? (
    <WithForm {...props} schema={form.data} command={command} />
  ) : (
    <WithJson {...props} command={command} />
  );
}

interface Command {
  isPending: boolean;
  error: unknown;
  mutate(variables: object): void;
}

function WithJson({ name, command, onClose }: CompleteTaskDialogProps & { command: Command }) {
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  return (
    <FormDialog
      title={`Complete ${name}`}
      submitLabel="Complete"
      isBusy={command.isPending}
      isIncomplete={variables === undefined}
      error={command.error}
      onSubmit={() => command.mutate(variables!)}
      onClose={onClose}
    >
      <JsonEditor label="Result" hint="Variables to return." onChange={setVariables} />
    </FormDialog>
  );
}

function WithForm({
  task,
  name,
  schema,
  command,
  onClose,
}: CompleteTaskDialogProps & { schema: object; command: Command }) {
  const formID = useId();
  const footer = (
    <>
      <Button onClick={onClose}>Not now</Button>
      <Button type="submit" form={formID} kind="primary" isBusy={command.isPending}>
        Complete
      </Button>
    </>
  );
  return (
    <Dialog title={`Complete ${name}`} onClose={onClose} footer={footer}>
      <CamundaForm id={formID} schema={schema} data={task.variables ?? {}} onSubmit={command.mutate} />
      <Refusal error={command.error} />
    </Dialog>
  );
}

/** The form that the task's own file holds; null where the task names none, or one that is kept elsewhere. */
function useEmbeddedForm(workflowID: string, formKey: string | undefined) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'form', workflowID, formKey],
    queryFn: async ({ signal }) => {
      const { definitionID } = await unwrap(
        api.GET('/projects/{projectID}/bpmn/instances/{workflowID}', {
          params: { path: { projectID, workflowID } },
          signal,
        }),
      );
      const xml = await unwrap(
        api.GET('/projects/{projectID}/bpmn/definitions/{definitionID}/xml', {
          params: { path: { projectID, definitionID } },
          parseAs: 'text',
          signal,
        }),
      );
      return readEmbeddedForms(xml).get(formKey!) ?? null;
    },
    enabled: formKey?.startsWith(embeddedFormKey) ?? false,
    staleTime: Infinity,
  });
}
