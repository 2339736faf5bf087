/** The dialog that ends a job or a task with a BPMN error. */
import { useState } from 'react';
import type { ReactNode } from 'react';
import { TextField } from '../../components/fields/field.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { JsonEditor } from '../../components/fields/json-editor.js';

export interface Failure {
  errorCode: string;
  variables: Record<string, unknown>;
}

interface FailDialogProps {
  /** Name of the element that ends. */
  name: string;
  /** A further effect to point out. */
  note?: string | undefined;
  command: { isPending: boolean; error: unknown; mutate(failure: Failure): void };
  onClose(): void;
  /** Additional fields. */
  children: ReactNode;
}

export function FailDialog({ name, note, command, onClose, children }: FailDialogProps) {
  const [errorCode, setErrorCode] = useState('');
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  return (
    <FormDialog
      title={`Fail ${name}`}
      submitLabel="Fail"
      isDangerous
      isBusy={command.isPending}
      isIncomplete={errorCode.trim() === '' || variables === undefined}
      error={command.error}
      onSubmit={() => command.mutate({ errorCode: errorCode.trim(), variables: variables! })}
      onClose={onClose}
    >
      <p>
        An error event of the model that catches this code takes over; where none does, it becomes an incident. {note}
      </p>
      <TextField
        label="Error code"
        value={errorCode}
        required
        maxLength={255}
        spellCheck={false}
        onChange={({ target }) => setErrorCode(target.value)}
      />
      {children}
      <JsonEditor label="Variables" hint="Given to the error event that catches the code." onChange={setVariables} />
    </FormDialog>
  );
}
