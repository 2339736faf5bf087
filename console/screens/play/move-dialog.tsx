/** Collects the input of a move. */
import { useState } from 'react';
import type { Move } from '@perdure/testkit/browser';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { TextField } from '../../components/fields/field.js';
import { JsonEditor } from '../../components/fields/json-editor.js';
import { ChoiceField } from './choice-field.js';
import type { MoveForm } from './move-forms.js';

interface MoveDialogProps {
  form: MoveForm;
  onMove(move: Move): void;
  onClose(): void;
}

/** It closes before the move is carried out, because a move can take long and be stopped on the page. */
export function MoveDialog({ form, onMove, onClose }: MoveDialogProps) {
  const { fields = [] } = form;
  const [text, setText] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])),
  );
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  const [nth, setNth] = useState(1);
  const values = Object.fromEntries(fields.map(({ name }) => [name, (text[name] ?? '').trim()]));
  const problems = fields.map((field) => problemOf(field, values[field.name]!));
  const isMissing = fields.some(({ name, isOptional }) => !isOptional && values[name] === '');
  return (
    <FormDialog
      title={form.title}
      submitLabel={form.submitLabel}
      isDangerous={form.isDangerous}
      isBusy={false}
      isIncomplete={isMissing || variables === undefined || problems.some((problem) => problem !== undefined)}
      error={undefined}
      onSubmit={() => {
        onClose();
        onMove(form.toMove({ text: values, variables: variables!, nth }));
      }}
      onClose={onClose}
    >
      <ChoiceField choices={form.choices} nth={nth} onChange={setNth} />
      {fields.map(({ name, label, hint, isOptional }, index) => (
        <TextField
          key={name}
          label={label}
          hint={hint}
          problem={problems[index]}
          value={text[name] ?? ''}
          required={!isOptional}
          maxLength={255}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => setText({ ...text, [name]: target.value })}
        />
      ))}
      {form.variables !== undefined && <JsonEditor label="Variables" hint={form.variables} onChange={setVariables} />}
    </FormDialog>
  );
}

function problemOf({ isJson }: NonNullable<MoveForm['fields']>[number], value: string): string | undefined {
  if (!isJson || value === '') return undefined;
  try {
    JSON.parse(value);
    return undefined;
  } catch (error) {
    return `Invalid JSON: ${(error as Error).message}`;
  }
}
