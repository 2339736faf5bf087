/** Starts activities inside ad-hoc sub-processes. */
import { useState } from 'react';
import { unwrap, api } from '../../../frame/api/client.js';
import { useCommand } from '../../../frame/api/use-command.js';
import { SelectField } from '../../../components/fields/field.js';
import { FormDialog, Refusal } from '../../../components/dialogs/form-dialog.js';
import { JsonEditor } from '../../../components/fields/json-editor.js';
import { useInstance } from '../use-instance.js';
import type { InstanceOnPage } from '../use-instance.js';
import type { Action } from './action.js';
import { activeAdHocs } from './active-ad-hocs.js';

export const beginActivity: Action = {
  label: 'Start an activity',
  icon: 'plus',
  role: 'executor',
  isOffered: ({ status }, page) => status === 'RUNNING' && choicesOf(page).length > 0,
  Dialog: BeginActivityDialog,
};

interface Choice {
  adHocNodeID: string;
  nodeID: string;
}

/** Activities that can be started: all activities in currently active ad-hoc sub-processes. */
function choicesOf(page: InstanceOnPage): Choice[] {
  return activeAdHocs(page).flatMap((adHocNodeID) =>
    page.model.adHocActivities.get(adHocNodeID)!.map((nodeID) => ({ adHocNodeID, nodeID })),
  );
}

function BeginActivityDialog({ onClose }: { onClose(): void }) {
  const page = useInstance();
  const {
    projectID,
    instance: { workflowID },
    nameOf,
  } = page;
  const choices = choicesOf(page);
  const [index, setIndex] = useState(0);
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  const chosen = choices[index];
  const command = useCommand(
    'Activity started.',
    async ({ adHocNodeID, nodeID }: Choice) => {
      const path = { projectID, workflowID, adHocNodeID };
      if (Object.keys(variables!).length > 0)
        await unwrap(
          api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/adhoc/{adHocNodeID}/variables', {
            params: { path },
            body: { variables },
          }),
        );
      return unwrap(
        api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/adhoc/{adHocNodeID}/trigger', {
          params: { path },
          body: { nodeID },
        }),
      );
    },
    onClose,
  );
  return (
    <FormDialog
      title="Start an activity"
      submitLabel="Start"
      isBusy={command.isPending}
      isIncomplete={chosen === undefined || variables === undefined}
      error={command.error}
      onSubmit={() => chosen && command.mutate(chosen)}
      onClose={onClose}
    >
      {choices.length === 0 && <Refusal error={new Error('The ad-hoc sub-process has already ended.')} />}
      <SelectField label="Activity" value={index} onChange={({ target }) => setIndex(Number(target.value))}>
        {choices.map(({ adHocNodeID, nodeID }, position) => (
          <option key={`${adHocNodeID} ${nodeID}`} value={position}>
            {nameOf(nodeID)} (in {nameOf(adHocNodeID)})
          </option>
        ))}
      </SelectField>
      <JsonEditor
        label="Variables to set first"
        hint="Set in the ad-hoc sub-process. Optional."
        onChange={setVariables}
      />
    </FormDialog>
  );
}
