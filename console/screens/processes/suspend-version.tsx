/** Suspends and resumes one version of a process or all versions, now or later, completely or starts only. */
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { useCommand } from '../../frame/api/use-command.js';
import { SelectField } from '../../components/fields/field.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { InstantField } from '../../components/fields/instant-field.js';
import { asked, Reason } from '../../components/fields/reason.js';
import { useProject } from '../../frame/project/project.js';
import type { ShownVersion } from './shown-version.js';

interface DialogProps {
  version: ShownVersion;
  onClose(): void;
}

type Extent = 'version' | 'process';

export function SuspendVersionDialog({ version, onClose }: DialogProps) {
  const { id: projectID } = useProject();
  const [extent, setExtent] = useState<Extent>('version');
  const [startsOnly, setStartsOnly] = useState(false);
  const [at, setAt] = useState('');
  const [reason, setReason] = useState('');
  const command = useCommand(
    `${subjectOf(extent, version)} ${at === '' ? 'suspended' : 'scheduled to be suspended'}.`,
    () => {
      const body = { instances: !startsOnly, ...(at !== '' && { at }), ...asked(reason) };
      return ofEach(projectID, extent, version, (definitionID) =>
        unwrap(
          api.POST('/projects/{projectID}/bpmn/definitions/{definitionID}/suspend', {
            params: { path: { projectID, definitionID } },
            body,
          }),
        ),
      );
    },
    onClose,
  );
  return (
    <FormDialog
      title={`Suspend version ${version.version}?`}
      submitLabel="Suspend"
      isBusy={command.isPending}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      <SelectField
        label="Scope"
        value={startsOnly ? 'starts' : 'all'}
        onChange={({ target }) => setStartsOnly(target.value === 'starts')}
      >
        <option value="all">Starts and running instances</option>
        <option value="starts">Starts only</option>
      </SelectField>
      <p>
        {startsOnly
          ? 'No new instances start, except those that call activities start. Running instances continue.'
          : 'All instances pause, with their child instances, and no new ones start. Events that arrive in ' +
            'the meantime are queued in order.'}{' '}
        Messages and signals that would start an instance are buffered until their time to live ends.
      </p>
      <ExtentField value={extent} version={version} onChange={setExtent} />
      <InstantField label="When (empty: now)" value={at} onChange={setAt} />
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}

export function ResumeVersionDialog({ version, onClose }: DialogProps) {
  const { id: projectID } = useProject();
  const [extent, setExtent] = useState<Extent>('version');
  const [reason, setReason] = useState('');
  const command = useCommand(
    `${subjectOf(extent, version)} resumed.`,
    () =>
      ofEach(projectID, extent, version, (definitionID) =>
        unwrap(
          api.POST('/projects/{projectID}/bpmn/definitions/{definitionID}/resume', {
            params: { path: { projectID, definitionID } },
            body: asked(reason),
          }),
        ),
      ),
    onClose,
  );
  return (
    <FormDialog
      title={`Resume version ${version.version}?`}
      submitLabel="Resume"
      isBusy={command.isPending}
      error={command.error}
      onSubmit={() => command.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        New instances can start again. Paused instances continue at their current positions and apply queued work in
        order; those that were suspended directly stay paused. A scheduled suspension is withdrawn.
      </p>
      <ExtentField value={extent} version={version} onChange={setExtent} />
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}

function ExtentField({
  value,
  version: { version, processID },
  onChange,
}: {
  value: Extent;
  version: ShownVersion;
  onChange(extent: Extent): void;
}) {
  return (
    <SelectField label="Versions" value={value} onChange={({ target }) => onChange(target.value as Extent)}>
      <option value="version">Version {version}</option>
      <option value="process">All versions of {processID} that are deployed now</option>
    </SelectField>
  );
}

function subjectOf(extent: Extent, { version, processID }: ShownVersion): string {
  return extent === 'version' ? `Version ${version}` : `All versions of ${processID}`;
}

/**
 * Applies the change to the versions in sequence, up to the first refusal. Repeating it does not change finished
 * versions.
 */
async function ofEach(
  projectID: string,
  extent: Extent,
  version: ShownVersion,
  change: (definitionID: string) => Promise<unknown>,
): Promise<undefined> {
  const definitionIDs = extent === 'version' ? [version.id] : await versionsOf(projectID, version.processID);
  for (const definitionID of definitionIDs) await change(definitionID);
}

async function versionsOf(projectID: string, processID: string): Promise<string[]> {
  const definitionIDs: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { data, pagination }: Schemas['BpmnProcessVersionPaginatedResponse'] = await unwrap(
      api.GET('/projects/{projectID}/bpmn/processes/{processID}/versions', {
        params: { path: { projectID, processID }, query: { page, pageSize: 100 } },
      }),
    );
    definitionIDs.push(...data.map(({ id }) => id));
    pages = pagination.totalPages;
  }
  return definitionIDs;
}
