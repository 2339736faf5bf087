/** Lets an instance go on with another version of its process. Nothing moves before the plan has been found valid. */
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { answerOf, api } from '../../../api/client.js';
import type { Schemas } from '../../../api/client.js';
import { useCommand } from '../../../api/use-command.js';
import { Button } from '../../../components/button.js';
import { SelectField } from '../../../components/field.js';
import { FormDialog, Issues, Refusal } from '../../../components/form-dialog.js';
import { JsonEditor } from '../../../components/json-editor.js';
import { ErrorState, Loading } from '../../../components/states.js';
import { useVersions } from '../../search/use-definitions.js';
import { useInstance } from '../use-instance.js';
import type { Action } from './action.js';
import styles from './migrate.module.css';
import { ElementMappings } from './migrate-mappings.js';
import type { Mapping } from './migrate-mappings.js';
import { asked, Reason } from './reason.js';

export const migrate: Action = {
  label: 'Migrate',
  icon: 'arrowRight',
  role: 'editor',
  isOffered: ({ status }) => status === 'RUNNING',
  Dialog: MigrateDialog,
};

function MigrateDialog({ onClose }: { onClose(): void }) {
  const { projectID, instance: { workflowID, processId, definitionID } } = useInstance();
  const versions = useVersions(processId);
  const others = versions.data?.data.filter(({ id }) => id !== definitionID) ?? [];
  const [targetID, setTargetID] = useState('');
  const [elementMappings, setElementMappings] = useState<readonly Mapping[]>([]);
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  const [reason, setReason] = useState('');
  const target = others.find(({ id }) => id === targetID);
  const targetVersion = target?.version;
  const plan = useMemo(() => (targetVersion === undefined || variables === undefined ? undefined : { targetVersion, elementMappings: [...elementMappings], variables }), [targetVersion, elementMappings, variables]);
  const params = { path: { projectID, workflowID } };
  const validation = useMutation({
    mutationFn: (body: Schemas['MigrateBpmnInstanceRequest']) => answerOf(api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/migrate/validate', { params, body })),
  });
  const command = useCommand(
    'The instance is migrated.',
    (body: Schemas['MigrateBpmnInstanceRequest']) => answerOf(api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/migrate', { params, body: { ...body, ...asked(reason) } })),
    onClose,
  );
  // What was found about another plan says nothing about this one.
  const found = plan !== undefined && validation.variables === plan ? validation : undefined;
  return (
    <FormDialog title="Migrate this instance" submitLabel="Migrate" isWide isBusy={command.isPending} isIncomplete={!found?.data?.valid} error={command.error} onSubmit={() => plan && command.mutate(plan)} onClose={onClose}>
      <p>It goes on with another version where it stands: nothing is started again, jobs, tasks and timers stay open. Elements that are not mapped keep their id.</p>
      {versions.isPending && <Loading lines={2} label="Loading the versions" />}
      {versions.isError && <ErrorState error={versions.error} retry={() => void versions.refetch()} />}
      {versions.data && (
        <SelectField
          label="Target version"
          hint={others.length === 0 ? 'There is no other version of this process: deploy one first.' : undefined}
          value={targetID}
          onChange={(event) => {
            setTargetID(event.target.value);
            setElementMappings([]);
          }}
        >
          <option value="">Choose</option>
          {others.map(({ id, version, resourceName }) => <option key={id} value={id}>Version {version} ({resourceName})</option>)}
        </SelectField>
      )}
      {target && (
        <>
          <ElementMappings key={target.id} target={target} mappings={elementMappings} onChange={setElementMappings} />
          <JsonEditor label="Variables to set" hint="What the target version needs beside those that are there. May stay empty." rows={3} onChange={setVariables} />
          <Reason value={reason} onChange={setReason} />
          <div className={styles.validation}>
            <Button icon="check" isBusy={validation.isPending} disabled={plan === undefined} onClick={() => plan && validation.mutate(plan)}>Validate</Button>
            <div role="status" className={styles.found}>
              {found?.data?.valid && 'Nothing stands in the way.'}
              {found?.data?.valid === false && <Issues issues={found.data.issues} />}
              {!found && 'Whether it can be migrated is found out first; nothing is changed by that.'}
            </div>
          </div>
          <Refusal error={found?.error} />
        </>
      )}
    </FormDialog>
  );
}
