/** The dialog with which an operator completes a job. */
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormDialog } from '../../../components/dialogs/form-dialog.js';
import { JsonEditor } from '../../../components/fields/json-editor.js';

interface CompleteDialogProps {
  /** Name of the element that ends. */
  name: string;
  /** A further effect to point out. */
  note?: string | undefined;
  command: { isPending: boolean; error: unknown; mutate(variables: object): void };
  onClose(): void;
  /** Further fields. */
  children?: ReactNode;
}

export function CompleteDialog({ name, note, command, onClose, children }: CompleteDialogProps) {
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
      {children}
      <JsonEditor label="Result" hint="Variables to return." onChange={setVariables} />
    </FormDialog>
  );
}
