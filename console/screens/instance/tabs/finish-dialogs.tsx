/** Dialogs with which an operator ends a job or a task. */
import { useState } from 'react';
import { TextField } from '../../../components/field.js';
import { FormDialog } from '../../../components/form-dialog.js';
import { JsonEditor } from '../../../components/json-editor.js';

interface Command<Input> {
  isPending: boolean;
  error: unknown;
  mutate(input: Input): void;
}

interface FinishProps<Input> {
  /** Name of the element that ends. */
  name: string;
  /** A further effect to point out. */
  note?: string | undefined;
  command: Command<Input>;
  onClose(): void;
}

export function CompleteDialog({ name, note, command, onClose }: FinishProps<object>) {
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
      {note && <p>{note}</p>}
      <JsonEditor label="Result" hint="Variables to return." onChange={setVariables} />
    </FormDialog>
  );
}

export function FailDialog({ name, note, command, onClose }: FinishProps<{ errorCode: string; errorMessage: string }>) {
  const [errorCode, setErrorCode] = useState('');
  const [errorMessage, setErrorMessage] = useState('');
  return (
    <FormDialog
      title={`Fail ${name}`}
      submitLabel="Fail"
      isDangerous
      isBusy={command.isPending}
      isIncomplete={errorCode.trim() === ''}
      error={command.error}
      onSubmit={() => command.mutate({ errorCode: errorCode.trim(), errorMessage })}
      onClose={onClose}
    >
      <p>
        An error event of the model that catches this code takes over; where none does, it becomes an incident. {note}
      </p>
      <TextField
        label="Error code"
        value={errorCode}
        required
        spellCheck={false}
        onChange={({ target }) => setErrorCode(target.value)}
      />
      <TextField label="Message" value={errorMessage} onChange={({ target }) => setErrorMessage(target.value)} />
    </FormDialog>
  );
}
