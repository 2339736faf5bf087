/** Creates a hook, or replaces one. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { SelectField, TextArea, TextField } from '../../components/fields/field.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { useToasts } from '../../components/feedback/toast.js';
import { useProject } from '../../frame/project/project.js';
import { AuthFields, authOf, fieldsOf } from './auth-fields.js';

export type Hook = Schemas['Hook'];

const expressions = [
  { name: 'correlationKeys', label: 'Correlation keys', hint: 'FEEL, such as {order: body.id}.' },
  { name: 'variables', label: 'Variables', hint: 'FEEL, such as {amount: body.amount}.' },
  { name: 'idempotencyKey', label: 'Idempotency key', hint: 'FEEL. The same key within 24 hours publishes once.' },
] as const;

/** @param hook the hook to replace; a new one is created without it */
export function EditHookDialog({ hook, onClose }: { hook?: Hook; onClose(): void }) {
  const [auth, setAuth] = useState(fieldsOf(hook?.auth));
  const [enabled, setEnabled] = useState(hook?.enabled ?? true);
  const [texts, setTexts] = useState(textsOf(hook));
  const field = (name: keyof Texts) => ({
    value: texts[name],
    spellCheck: false,
    onChange: ({ target }: { target: { value: string } }) =>
      setTexts((before) => ({ ...before, [name]: target.value })),
  });
  const save = useSaveHook(hook?.hookID, onClose);
  return (
    <FormDialog
      title={hook === undefined ? 'Create a hook' : `Edit ${hook.name}`}
      submitLabel="Save"
      isWide
      isBusy={save.isPending}
      isIncomplete={[texts.name, texts.messageName, auth.secret].some((text) => text.trim() === '')}
      error={save.error}
      onSubmit={() => save.mutate({ ...given(texts), auth: authOf(auth), enabled })}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={100} {...field('name')} />
      <AuthFields fields={auth} onChange={setAuth} />
      <TextArea
        label="Message name"
        hint={'FEEL over body, headers, and query, such as "Order paid". Null: the delivery is ignored.'}
        rows={2}
        required
        {...field('messageName')}
      />
      {expressions.map(({ name, label, hint }) => (
        <TextArea key={name} label={label} hint={hint} rows={2} {...field(name)} />
      ))}
      <TextField label="Time to live" hint="Such as PT1H. Empty: default of the project." {...field('ttl')} />
      <SelectField
        label="Deliveries"
        value={enabled ? 'accepted' : 'refused'}
        onChange={({ target }) => setEnabled(target.value === 'accepted')}
      >
        <option value="accepted">Accepted</option>
        <option value="refused">Refused</option>
      </SelectField>
    </FormDialog>
  );
}

/** Creates the hook, or replaces it if it has an id. */
function useSaveHook(hookID: string | undefined, onSaved: () => void) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  return useMutation({
    mutationFn: (body: Schemas['HookRequest']) =>
      hookID === undefined
        ? unwrap(api.POST('/projects/{projectID}/hooks', { params: { path: { projectID } }, body }))
        : unwrap(api.PUT('/projects/{projectID}/hooks/{hookID}', { params: { path: { projectID, hookID } }, body })),
    onSuccess: ({ name }) => {
      toasts.done(`${name} saved.`);
      onSaved();
    },
  });
}

/** The members of a hook that are typed as text. */
function textsOf(hook: Hook | undefined) {
  return {
    name: hook?.name ?? '',
    messageName: hook?.messageName ?? '',
    correlationKeys: hook?.correlationKeys ?? '',
    variables: hook?.variables ?? '',
    idempotencyKey: hook?.idempotencyKey ?? '',
    ttl: hook?.ttl ?? '',
  };
}

type Texts = ReturnType<typeof textsOf>;

/** The texts for a request, which has none for an empty field. */
function given({ name, messageName, ...others }: Texts) {
  const filled = Object.fromEntries(Object.entries(others).filter(([, text]) => text.trim() !== ''));
  return { name: name.trim(), messageName, ...filled };
}
