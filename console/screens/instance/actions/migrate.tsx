/** Migrates an instance to another version of its process, after validating the plan. */
import { useMemo, useState } from 'react';
import { unwrap, api } from '../../../frame/api/client.js';
import { useCommand } from '../../../frame/api/use-command.js';
import { FormDialog } from '../../../components/dialogs/form-dialog.js';
import { asked, Reason } from '../../../components/fields/reason.js';
import { marksOf } from '../../../features/diagram/active-nodes.js';
import { usePlan, useValidation } from '../../../features/migration/plan.js';
import type { Plan } from '../../../features/migration/plan.js';
import { PlanFields } from '../../../features/migration/plan-fields.js';
import { Validation } from '../../../features/migration/validation.js';
import { useInstance } from '../use-instance.js';
import type { Action } from './action.js';

export const migrate: Action = {
  label: 'Migrate',
  icon: 'arrowRight',
  role: 'editor',
  isOffered: ({ status }) => status === 'RUNNING',
  Dialog: MigrateDialog,
};

function MigrateDialog({ onClose }: { onClose(): void }) {
  const { projectID, instance } = useInstance();
  const { workflowID, processId, definitionID, processVersion } = instance;
  const draft = usePlan(processId, definitionID);
  const { plan } = draft;
  const [reason, setReason] = useState('');
  const marks = useMemo(() => marksOf(instance, false), [instance]);
  const params = { path: { projectID, workflowID } };
  const validation = useValidation(plan, (body: Plan) =>
    unwrap(api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/migrate/validate', { params, body })),
  );
  const command = useCommand(
    'Instance migrated.',
    (body: Plan) =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/instances/{workflowID}/migrate', {
          params,
          body: { ...body, ...asked(reason) },
        }),
      ),
    onClose,
  );
  return (
    <FormDialog
      title="Migrate this instance"
      submitLabel="Migrate"
      isWide
      isBusy={command.isPending}
      isIncomplete={!validation.found?.valid}
      error={command.error}
      onSubmit={() => plan && command.mutate(plan)}
      onClose={onClose}
    >
      <p>
        The instance continues with another version at its current position. Nothing restarts: jobs, tasks, and timers
        stay open. Unmapped elements keep their id.
      </p>
      <PlanFields draft={draft} source={{ id: definitionID, version: processVersion }} marks={marks}>
        <Reason value={reason} onChange={setReason} />
        <Validation validation={validation} />
      </PlanFields>
    </FormDialog>
  );
}
