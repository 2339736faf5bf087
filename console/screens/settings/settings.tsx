/** Name, retention, prices of models, and deletion of a project. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { TextArea, TextField } from '../../components/fields/field.js';
import form from '../../components/fields/form.module.css';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import { useToasts } from '../../components/feedback/toast.js';
import { Page } from '../../frame/layout/page.js';
import { useProject } from '../../frame/project/project.js';
import { AgentPrices } from './agent-prices.js';
import { DeleteProjectDialog } from './delete-project.js';
import { settingsKey, useSaving, type Changes } from './saving.js';
import styles from './settings.module.css';

type ProjectSettings = Schemas['ProjectSettings'];
/** The settings that are typed as text. */
type TextSetting = Exclude<keyof ProjectSettings, 'validateForms' | 'agentPrices'>;

export default function Settings() {
  const { id: projectID } = useProject();
  const settings = useQuery({
    queryKey: settingsKey(projectID),
    queryFn: ({ signal }) =>
      unwrap(api.GET('/projects/{projectID}/settings', { params: { path: { projectID } }, signal })),
  });
  return (
    <Page title="Settings">
      <div className={styles.cards}>
        <Card title="This project">
          {settings.data ? (
            <SettingsForm settings={settings.data} />
          ) : settings.isError ? (
            <ErrorState error={settings.error} retry={() => void settings.refetch()} />
          ) : (
            <Loading label="Loading settings" />
          )}
        </Card>
        {settings.data && (
          <Card title="Prices of models">
            <AgentPrices prices={settings.data.agentPrices} />
          </Card>
        )}
        <Card title="Delete this project">
          <End />
        </Card>
      </div>
    </Page>
  );
}

/** The time limits of a project, in the order of the form. */
const durations: readonly { name: TextSetting; label: string; hint: string }[] = [
  {
    name: 'messageTtl',
    label: 'Time to live of messages',
    hint: 'Default for messages without one, such as PT1H or 1h30m. Empty: host default.',
  },
  { name: 'signalTtl', label: 'Time to live of signals', hint: 'Same as for messages.' },
  {
    name: 'historyRetention',
    label: 'Retention of ended instances',
    hint:
      'Such as P90D or 2160h. Ended instances are then deleted, with their history and recorded decision ' +
      'evaluations. Empty: host default.',
  },
  {
    name: 'auditRetention',
    label: 'Retention of the audit log',
    hint: 'Such as P365D, at least the minimum of the host. A shorter time applies to new entries. Empty: host default.',
  },
  {
    name: 'eventRetention',
    label: 'Retention of the event feed',
    hint: 'Such as P7D, 1 hour to 90 days. Empty: the project has no event feed.',
  },
];

function SettingsForm({ settings }: { settings: ProjectSettings }) {
  const toasts = useToasts();
  const [typed, setTyped] = useState<Partial<Record<TextSetting, string>>>({});
  const changes = changesOf(settings, typed);
  const save = useSaving(() => {
    setTyped({});
    toasts.done('Settings saved.');
  });
  const field = (name: TextSetting) => ({
    value: typed[name] ?? settings[name] ?? '',
    onChange: ({ target }: { target: { value: string } }) =>
      setTyped((before) => ({ ...before, [name]: target.value })),
  });
  return (
    <form
      className={form.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(changes);
      }}
    >
      <TextField label="Name" required maxLength={255} {...field('name')} />
      <TextArea label="Description" rows={3} maxLength={2000} {...field('description')} />
      {durations.map(({ name, label, hint }) => (
        <TextField
          key={name}
          label={label}
          hint={hint}
          placeholder="Host default"
          spellCheck={false}
          autoComplete="off"
          {...field(name)}
        />
      ))}
      <Refusal error={save.error} />
      <div className={styles.buttons}>
        <Button
          type="submit"
          kind="primary"
          isBusy={save.isPending}
          disabled={Object.keys(changes).length === 0 || changes.name === ''}
        >
          Save
        </Button>
        {Object.keys(changes).length > 0 && (
          <Button disabled={save.isPending} onClick={() => setTyped({})}>
            Discard changes
          </Button>
        )}
      </div>
    </form>
  );
}

/**
 * The changed settings only, so that two admins do not undo each other's changes. An empty setting is the host's
 * default.
 */
function changesOf(settings: ProjectSettings, typed: Partial<Record<TextSetting, string>>): Changes {
  const trimmed = Object.entries(typed).map(([name, text]) => [name as TextSetting, text.trim()] as const);
  const different = trimmed.filter(([name, text]) => text !== (settings[name] ?? ''));
  return Object.fromEntries(different.map(([name, text]) => [name, text === '' && name !== 'name' ? null : text]));
}

function End() {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <div className={form.form}>
      <p>
        Deletes its processes, decisions, ended instances, and their history. The project must have no running
        instances.
      </p>
      <div>
        <Button kind="danger" onClick={() => setIsAsked(true)}>
          Delete the project
        </Button>
      </div>
      {isAsked && <DeleteProjectDialog onClose={() => setIsAsked(false)} />}
    </div>
  );
}
