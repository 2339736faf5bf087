/** Updates variables of an ad-hoc sub-process, whose completion condition is evaluated again. */
import { useState } from 'react';
import { unwrap, api } from '../../../frame/api/client.js';
import { useCommand } from '../../../frame/api/use-command.js';
import { SelectField } from '../../../components/fields/field.js';
import { FormDialog, Refusal } from '../../../components/dialogs/form-dialog.js';
import { JsonEditor } from '../../../components/fields/json-editor.js';
import { useInstance } from '../use-instance.js';
import type { Action } from './action.js';
import { activeAdHocs } from './active-ad-hocs.js';

export const setAdHocVariables: Action = {
  label: 'Set ad-hoc variables',
  icon: 'edit',
  role: 'executor',
  isOffered: ({ status }, page) => status === 'RUNNING' && activeAdHocs(page).length > 0,
  Dialog: SetAdHocVariablesDialog,
};

function SetAdHocVariablesDialog({ onClose }: { onClose(): void }) {
  const page = useInstance();
  const {
    projectID,
    instance: { workflowID },
    nameOf,
  } = page;
  const adHocs = activeAdHocs(page);
  const [selected, select] = useState<string>();
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  const adHocNodeID = selected ?? adHocs[0];
  const command = useCommand(
    'Variables set.',
    (nodeID: string) =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/adhoc/{adHocNodeID}/variables', {
          params: { path: { projectID, workflowID, adHocNodeID: nodeID } },
          body: { variables },
        }),
      ),
    onClose,
  );
  return (
    <FormDialog
      title="Set ad-hoc variables"
      submitLabel="Set variables"
      isBusy={command.isPending}
      isIncomplete={adHocNodeID === undefined || variables === undefined || Object.keys(variables).length === 0}
      error={command.error}
      onSubmit={() => adHocNodeID !== undefined && command.mutate(adHocNodeID)}
      onClose={onClose}
    >
      {adHocs.length === 0 && <Refusal error={new Error('The ad-hoc sub-process has already ended.')} />}
      <SelectField label="Ad-hoc sub-process" value={adHocNodeID} onChange={({ target }) => select(target.value)}>
        {adHocs.map((nodeID) => (
          <option key={nodeID} value={nodeID}>
            {nameOf(nodeID)}
          </option>
        ))}
      </SelectField>
      <JsonEditor
        label="Variables to set"
        hint="Merged into those of the sub-process. Its completion condition is evaluated again."
        onChange={setVariables}
      />
    </FormDialog>
  );
}
