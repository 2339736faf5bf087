/** Collects variables: with a Camunda form, or as JSON without one. */
import { useState } from 'react';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { JsonEditor } from '../../components/fields/json-editor.js';
import type { Schemas } from '../../frame/api/client.js';
import { CamundaForm } from './camunda-form.js';

interface VariablesFormProps {
  /** A button with this `form` attribute submits it. */
  id: string;
  /** Null without a form. */
  form: Schemas['BpmnForm'] | null;
  /** The label of the JSON text, which replaces a form. */
  label: string;
  hint: string;
  /** The refusal of the last submission. */
  error: unknown;
  /** Called when a field of a Camunda form has changed. */
  onEdit?(): void;
  onSubmit(variables: Record<string, unknown>): void;
}

export function VariablesForm({ id, form, label, hint, error, onEdit, onSubmit }: VariablesFormProps) {
  return (
    <>
      {form ? (
        <CamundaForm
          id={id}
          schema={form.schema}
          data={form.variables ?? {}}
          error={error}
          onEdit={onEdit}
          onSubmit={onSubmit}
        />
      ) : (
        <JsonForm id={id} label={label} hint={hint} onSubmit={onSubmit} />
      )}
      <Refusal error={error} />
    </>
  );
}

/** Submits nothing while the text is not a JSON object; the editor shows why. */
function JsonForm({ id, label, hint, onSubmit }: Omit<VariablesFormProps, 'form' | 'error' | 'onEdit'>) {
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  return (
    <form
      id={id}
      onSubmit={(event) => {
        event.preventDefault();
        if (variables) onSubmit(variables);
      }}
    >
      <JsonEditor label={label} hint={hint} onChange={setVariables} />
    </form>
  );
}
