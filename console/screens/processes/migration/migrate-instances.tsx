/** Migrates the running instances of a version to another one, in the background. */
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { unwrap, api } from '../../../frame/api/client.js';
import type { Schemas } from '../../../frame/api/client.js';
import { FormDialog } from '../../../components/dialogs/form-dialog.js';
import { asked, Reason } from '../../../components/fields/reason.js';
import { useDefinitionXml, useModel } from '../../../features/diagram/use-definition.js';
import { useAddress } from '../../../frame/layout/use-address.js';
import { usePlan, useValidation } from '../../../features/migration/plan.js';
import { PlanFields } from '../../../features/migration/plan-fields.js';
import { Validation } from '../../../features/migration/validation.js';
import { useProject } from '../../../frame/project/project.js';
import { ChooseInstances } from './choose-instances.js';
import { useHeat, useNodeCounts } from '../use-node-counts.js';

type Request = Schemas['MigrateBpmnInstancesRequest'];

interface MigrateInstancesProps {
  version: Schemas['BpmnProcessDefinition'];
  onClose(): void;
}

export function MigrateInstancesDialog({
  version: { id: definitionID, processID, version },
  onClose,
}: MigrateInstancesProps) {
  const { id: projectID } = useProject();
  const address = useAddress();
  const model = useModel(useDefinitionXml(definitionID).data);
  const { marks } = useHeat(useNodeCounts(definitionID).data);
  const draft = usePlan(processID, definitionID);
  const { plan } = draft;
  const [chosen, choose] = useState<ReadonlySet<string>>();
  const [reason, setReason] = useState('');
  const request = useMemo<Request | undefined>(
    () =>
      plan === undefined || chosen?.size === 0 ? undefined : { ...plan, ...(chosen && { workflowIDs: [...chosen] }) },
    [plan, chosen],
  );
  const params = { path: { projectID, definitionID } };
  const validation = useValidation(request, (body: Request) =>
    unwrap(api.POST('/projects/{projectID}/bpmn/definitions/{definitionID}/migrate/validate', { params, body })),
  );
  const { found } = validation;
  const start = useMutation({
    mutationFn: (body: Request) =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/definitions/{definitionID}/migrate', {
          params,
          body: { ...body, ...asked(reason) },
        }),
      ),
    onSuccess: ({ migrationID }) => {
      address.set({ version: definitionID, migration: migrationID });
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Migrate instances of version ${version}`}
      submitLabel={found?.valid === false ? 'Migrate valid instances' : 'Migrate'}
      isWide
      isBusy={start.isPending}
      isIncomplete={found === undefined || found.total === 0}
      error={start.error}
      onSubmit={() => request && start.mutate(request)}
      onClose={onClose}
    >
      <p>
        The instances continue with another version at their current positions. Nothing restarts: jobs, tasks, and
        timers stay open. Unmapped elements keep their id. Each instance is checked when its turn comes; one that cannot
        be migrated stays as it is and reports why.
      </p>
      <PlanFields draft={draft} source={{ id: definitionID, version }} marks={marks}>
        <ChooseInstances
          definitionID={definitionID}
          model={model}
          nodes={[...marks.keys()]}
          chosen={chosen}
          onChange={choose}
        />
        <Reason value={reason} onChange={setReason} />
        <Validation validation={validation}>{found && <LookedAt {...found} />}</Validation>
      </PlanFields>
    </FormDialog>
  );
}

function LookedAt({ total, checked }: Pick<Schemas['MigrationOfInstancesValidationResult'], 'total' | 'checked'>) {
  if (total === 0) return <p>None of these instances run this version.</p>;
  if (checked < total)
    return (
      <p>
        Checked the newest {checked.toLocaleString('en')} of {total.toLocaleString('en')} instances.
      </p>
    );
  return <p>Checked {total === 1 ? 'one instance' : `${total.toLocaleString('en')} instances`}.</p>;
}
