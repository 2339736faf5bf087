/** Overwrites the values of variables of an ended instance. */
import { useState } from 'react';
import { unwrap, api } from '../../../frame/api/client.js';
import { useCommand } from '../../../frame/api/use-command.js';
import { TextArea } from '../../../components/fields/field.js';
import { FormDialog } from '../../../components/dialogs/form-dialog.js';
import { asked, Reason } from '../../../components/fields/reason.js';
import { useInstance } from '../use-instance.js';
import type { Action } from './action.js';

export const redact: Action = {
  label: 'Redact',
  icon: 'ban',
  role: 'admin',
  isDangerous: true,
  isOffered: ({ status, parentWorkflowID }) => status !== 'RUNNING' && parentWorkflowID === undefined,
  Dialog: RedactDialog,
};

const maxNames = 100;
const shownNames = 10;

function RedactDialog({ onClose }: { onClose(): void }) {
  const {
    projectID,
    instance: { workflowID, variables },
  } = useInstance();
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const names = namesIn(text);
  const command = useCommand(
    'Variables redacted.',
    () =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/redact', {
          params: { path: { projectID, workflowID } },
          body: { variables: names, ...asked(reason) },
        }),
      ),
    onClose,
  );
  return (
    <FormDialog
      title="Redact variables of this instance?"
      submitLabel="Redact"
      isDangerous
      isBusy={command.isPending}
      isIncomplete={names.length === 0 || names.length > maxNames}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        Their values are overwritten in the history of this instance and of everything it called. This cannot be undone.
        Error messages, comments, and values under other names stay.
      </p>
      <TextArea
        label="Variables"
        hint={`One name per line. ${describe(Object.keys(variables))}`}
        problem={names.length > maxNames ? `At most ${maxNames} names` : undefined}
        rows={4}
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}

function namesIn(text: string): string[] {
  const names = text.split('\n').map((line) => line.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

function describe(names: readonly string[]): string {
  if (names.length === 0) return 'The process has no variables.';
  return `The process has ${names.slice(0, shownNames).join(', ')}${names.length > shownNames ? ', …' : '.'}`;
}
