/** Creates an event subscription, or changes one. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { SelectField, TextArea, TextField } from '../../components/fields/field.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { useToasts } from '../../components/feedback/toast.js';
import { SecretField } from '../../features/integrations/secret-field.js';
import { useProject } from '../../frame/project/project.js';
import { EventFields } from './event-fields.js';
import type { Subscription } from './state.js';

type Settings = Pick<Subscription, 'name' | 'url' | 'secret' | 'types' | 'processIds'>;
type Start = 'now' | 'oldest';

/** @param subscription the one to change; a new one is created without it */
export function EditSubscriptionDialog({ subscription, onClose }: { subscription?: Subscription; onClose(): void }) {
  const [name, setName] = useState(subscription?.name ?? '');
  const [url, setUrl] = useState(subscription?.url ?? '');
  const [secret, setSecret] = useState(subscription?.secret ?? '');
  const [types, setTypes] = useState(subscription?.types ?? []);
  const [processes, setProcesses] = useState(subscription?.processIds?.join('\n') ?? '');
  const [start, setStart] = useState<Start>('now');
  const save = useSave(subscription, onClose);
  const processIds = linesOf(processes);
  const settings = {
    name: name.trim(),
    url: url.trim(),
    secret: secret.trim(),
    types,
    ...(processIds.length > 0 && { processIds }),
  };
  return (
    <FormDialog
      title={subscription === undefined ? 'Create an event subscription' : `Edit ${subscription.name}`}
      submitLabel="Save"
      isWide
      isBusy={save.isPending}
      isIncomplete={[settings.name, settings.url, settings.secret].includes('') || types.length === 0}
      error={save.error}
      onSubmit={() => save.mutate({ settings, start })}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={255} value={name} onChange={({ target }) => setName(target.value)} />
      <TextField
        label="URL"
        hint="Such as https://example.com/events. Its host must be in EGRESS_ALLOW of the host."
        type="url"
        required
        maxLength={2048}
        spellCheck={false}
        autoComplete="off"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <SecretField value={secret} onChange={setSecret} />
      <EventFields types={types} onChange={(chosen) => setTypes([...chosen])} />
      <TextArea
        label="Process ids"
        hint="One per line. Empty: events of all processes."
        rows={2}
        spellCheck={false}
        value={processes}
        onChange={({ target }) => setProcesses(target.value)}
      />
      {subscription === undefined && (
        <SelectField label="Start" value={start} onChange={({ target }) => setStart(target.value as Start)}>
          <option value="now">With the next event</option>
          <option value="oldest">With the oldest event in the feed</option>
        </SelectField>
      )}
    </FormDialog>
  );
}

/** Creates the subscription, or changes the one that there was before. */
function useSave(before: Subscription | undefined, onSaved: () => void) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  return useMutation({
    mutationFn: ({ settings, start }: { settings: Settings; start: Start }): Promise<Schemas['EventSubscription']> =>
      before === undefined
        ? unwrap(
            api.POST('/projects/{projectID}/events/subscriptions', {
              params: { path: { projectID } },
              body: { ...settings, enabled: true, ...(start === 'oldest' && { after: '0' }) },
            }),
          )
        : unwrap(
            api.PATCH('/projects/{projectID}/events/subscriptions/{subscriptionID}', {
              params: { path: { projectID, subscriptionID: before.subscriptionID } },
              body: changesBetween(before, settings),
            }),
          ),
    onSuccess: ({ name }) => {
      toasts.done(`${name} saved.`);
      onSaved();
    },
  });
}

/** The changed settings only, so that two admins do not undo each other's changes. */
function changesBetween(before: Subscription, after: Settings): Schemas['UpdateEventSubscriptionRequest'] {
  const all = { ...after, processIds: after.processIds ?? null };
  const isChanged = (name: keyof Settings) => JSON.stringify(all[name]) !== JSON.stringify(before[name] ?? null);
  return Object.fromEntries(Object.entries(all).filter(([name]) => isChanged(name as keyof Settings)));
}

/** Each once, without empty lines. */
function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}
