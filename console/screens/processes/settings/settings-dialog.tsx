/** Replaces the settings of a process. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap, type Schemas } from '../../../frame/api/client.js';
import { SelectField, TextField } from '../../../components/fields/field.js';
import { asked, Reason } from '../../../components/fields/reason.js';
import { useToasts } from '../../../components/feedback/toast.js';
import { FormDialog } from '../../../components/dialogs/form-dialog.js';
import { useProject } from '../../../frame/project/project.js';

export type ProcessSettings = Schemas['BpmnProcessSettings'];

interface SettingsDialogProps {
  processID: string;
  settings: ProcessSettings;
  onClose(): void;
}

/** The settings as texts of fields. */
interface Fields {
  uniqueBusinessId: ProcessSettings['uniqueBusinessId'];
  concurrentInstances: string;
  concurrencyKey: string;
  whenFull: ProcessSettings['whenFull'];
  maxQueued: string;
}

export function SettingsDialog({ processID, settings, onClose }: SettingsDialogProps) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const [fields, setFields] = useState(() => fieldsOf(settings));
  const [reason, setReason] = useState('');
  const change = (changed: Partial<Fields>) => setFields({ ...fields, ...changed });
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        api.PUT('/projects/{projectID}/bpmn/processes/{processID}/settings', {
          params: { path: { projectID, processID } },
          body: { ...settingsOf(fields), ...asked(reason) },
        }),
      ),
    onSuccess: () => {
      toasts.done('Settings changed.');
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Settings of ${processID}`}
      submitLabel="Save"
      isBusy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <SelectField
        label="Business ids"
        value={fields.uniqueBusinessId}
        onChange={({ target }) => change({ uniqueBusinessId: target.value as Fields['uniqueBusinessId'] })}
      >
        <option value="NONE">Need not be unique</option>
        <option value="RUNNING">Unique among running instances</option>
        <option value="EVER">Unique forever</option>
      </SelectField>
      <TextField
        label="Maximum running instances (empty: no limit)"
        inputMode="numeric"
        value={fields.concurrentInstances}
        onChange={({ target }) => change({ concurrentInstances: target.value })}
      />
      {fields.concurrentInstances.trim() !== '' && <LimitFields fields={fields} onChange={change} />}
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}

function LimitFields({ fields, onChange }: { fields: Fields; onChange(changed: Partial<Fields>): void }) {
  return (
    <>
      <TextField
        label="Concurrency key (empty: one limit for all)"
        hint="FEEL over the start variables, such as customer.id"
        value={fields.concurrencyKey}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onChange({ concurrencyKey: target.value })}
      />
      <SelectField
        label="When full"
        value={fields.whenFull}
        onChange={({ target }) => onChange({ whenFull: target.value as Fields['whenFull'] })}
      >
        <option value="QUEUE">Queue further starts</option>
        <option value="REFUSE">Refuse further starts, except those by events</option>
      </SelectField>
      <TextField
        label="Maximum queued instances"
        inputMode="numeric"
        value={fields.maxQueued}
        onChange={({ target }) => onChange({ maxQueued: target.value })}
      />
    </>
  );
}

function fieldsOf(settings: ProcessSettings): Fields {
  const { uniqueBusinessId, concurrentInstances, concurrencyKey = '', whenFull, maxQueued } = settings;
  const limit = concurrentInstances === undefined ? '' : String(concurrentInstances);
  return { uniqueBusinessId, concurrentInstances: limit, concurrencyKey, whenFull, maxQueued: String(maxQueued) };
}

/** The host checks the numbers. */
function settingsOf({ uniqueBusinessId, concurrentInstances, concurrencyKey, whenFull, maxQueued }: Fields) {
  const limit = concurrentInstances.trim();
  const key = concurrencyKey.trim();
  return {
    uniqueBusinessId,
    ...(limit !== '' && { concurrentInstances: Number(limit) }),
    ...(limit !== '' && key !== '' && { concurrencyKey: key }),
    whenFull,
    maxQueued: Number(maxQueued.trim()),
  };
}
