/** Several files: what deploying them would change, their problems, and a button that deploys all of them or none. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { unwrap, api, type Schemas } from '../../../frame/api/client.js';
import { Button } from '../../../components/basics/button.js';
import { Card } from '../../../components/basics/card.js';
import { Refusal } from '../../../components/dialogs/form-dialog.js';
import { ErrorState, Loading } from '../../../components/feedback/states.js';
import { useToasts } from '../../../components/feedback/toast.js';
import { TextField } from '../../../components/fields/field.js';
import { asked, Reason } from '../../../components/fields/reason.js';
import { useProject } from '../../../frame/project/project.js';
import { located, refusedProblems, warningsOf, type Bundle, type BundleFile } from './bundle.js';
import styles from './bundle.module.css';
import { BundleFiles, BundleProblems, PassedOver } from './bundle-tables.js';
import { Preview } from './preview.js';

export function OpenBundle({ bundle }: { bundle: Bundle }) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const [name, setName] = useState('');
  const [reason, setReason] = useState('');
  const [shown, show] = useState<BundleFile>();
  const check = useCheck(bundle);
  const deploy = useMutation({
    mutationFn: () =>
      send(projectID, bundle.files, { ...(name.trim() !== '' && { name: name.trim() }), ...asked(reason) }),
    onSuccess: ({ files }) => toasts.done(`${counted(files.filter(isCreated).length)} deployed.`),
  });
  const outcome = deploy.data ?? check.data;
  const found = refusedProblems(deploy.error ?? check.error);
  const problems = useMemo(
    () => located([...bundle.problems, ...(found ?? (outcome ? warningsOf(outcome) : []))], bundle.files),
    [bundle, found, outcome],
  );
  const created = outcome?.files.filter(isCreated).length ?? 0;
  const isChecked = outcome !== undefined || found !== undefined || bundle.problems.length > 0;
  return (
    <Card title={`${counted(bundle.files.length)} to deploy`}>
      {isChecked && <BundleFiles bundle={bundle} outcome={outcome} problems={problems} onShow={show} />}
      {!isChecked && check.isPending && <Loading lines={3} label="Checking the files" />}
      {!isChecked && check.isError && <ErrorState error={check.error} retry={() => void check.refetch()} />}
      {problems.length > 0 && <BundleProblems problems={problems} />}
      <PassedOver names={bundle.passedOver} />
      <form
        className={styles.fields}
        onSubmit={(event) => {
          event.preventDefault();
          deploy.mutate();
        }}
      >
        <TextField
          label="Name"
          hint="For example, that of a release. Optional."
          value={name}
          maxLength={255}
          onChange={({ target }) => setName(target.value)}
        />
        <Reason value={reason} onChange={setReason} />
        <div className={styles.deploy}>
          <Button
            type="submit"
            kind="primary"
            icon="deploy"
            isBusy={deploy.isPending}
            disabled={created === 0 || deploy.isSuccess}
          >
            Deploy all
          </Button>
          <p role="status">{summary(created, { isChecked, isRefused: !outcome, isDeployed: deploy.isSuccess })}</p>
        </div>
        {found === undefined && <Refusal error={deploy.error} />}
      </form>
      {shown && <Preview file={shown} onClose={() => show(undefined)} />}
    </Card>
  );
}

type Deployment = Schemas['BpmnDeployment'];
type Words = { name?: string; reason?: string };

/** A dry run: what the deployment would change. */
function useCheck({ files, problems }: Bundle) {
  const { id: projectID } = useProject();
  // The files are not part of the key, because they are large and would be stored twice.
  const opened = useId();
  return useQuery({
    queryKey: [projectID, 'dry-run', opened],
    queryFn: ({ signal }) => send(projectID, files, { dryRun: true }, signal),
    enabled: problems.length === 0,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
}

function send(
  projectID: string,
  files: BundleFile[],
  words: Words & { dryRun?: boolean },
  signal?: AbortSignal,
): Promise<Deployment> {
  return unwrap<Deployment>(
    api.POST('/projects/{projectID}/bpmn/deployments', {
      params: { path: { projectID } },
      body: { files, dryRun: false, ...words },
      ...(signal && { signal }),
    }),
  );
}

const isCreated = ({ state }: Deployment['files'][number]) => state === 'CREATED';

function counted(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}

function summary(created: number, is: { isChecked: boolean; isRefused: boolean; isDeployed: boolean }): string {
  if (is.isDeployed) return `Deployed. New or changed: ${counted(created)}.`;
  if (!is.isChecked) return '';
  if (is.isRefused) return 'Nothing was deployed. Correct the files with errors, and choose them again.';
  return created === 0 ? 'Nothing is new.' : `New or changed: ${counted(created)}.`;
}
