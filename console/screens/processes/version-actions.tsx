/** Actions on a version: play it, start an instance, migrate its instances, compare it with history, suspend, resume. */
import { useState } from 'react';
import { Button, ButtonLink } from '../../components/basics/button.js';
import { Allowed, useProject } from '../../frame/project/project.js';
import { CompareDialog } from '../../features/backtests/compare-dialog.js';
import { comparisonOf, modelerOf } from '../../features/modeler/files/addresses.js';
import { playOf } from '../../features/play/addresses.js';
import { MigrateInstancesDialog } from './migration/migrate-instances.js';
import type { ShownVersion } from './shown-version.js';
import { ResumeVersionDialog, SuspendVersionDialog } from './suspend-version.js';

export function VersionActions({ version }: { version: ShownVersion }) {
  const { id: projectID } = useProject();
  const [dialog, open] = useState<'suspend' | 'resume' | 'migrate' | 'compare'>();
  const close = () => open(undefined);
  const isPaused = version.suspendedAt !== undefined;
  const startsNothing = isPaused || version.startsSuspension !== undefined;
  return (
    <>
      <ButtonLink icon="changes" to={comparisonOf(projectID, version.resourceID)}>
        Show changes
      </ButtonLink>
      <ButtonLink icon="play" to={playOf(projectID, { version: version.id })}>
        Play
      </ButtonLink>
      <Allowed role="admin">
        {(startsNothing || version.scheduledSuspension) && (
          <Button icon="play" onClick={() => open('resume')}>
            Resume this version
          </Button>
        )}
        {!isPaused && (
          <Button icon="pause" onClick={() => open('suspend')}>
            Suspend this version
          </Button>
        )}
      </Allowed>
      <Allowed role="editor">
        <ButtonLink icon="edit" to={modelerOf(projectID, version.resourceID)}>
          Edit a copy
        </ButtonLink>
        <Button icon="backtests" onClick={() => open('compare')}>
          Compare with history
        </Button>
        <Button icon="arrowRight" onClick={() => open('migrate')}>
          Migrate instances
        </Button>
        <StartLink version={version} isDisabled={startsNothing} />
      </Allowed>
      {dialog === 'suspend' && <SuspendVersionDialog version={version} onClose={close} />}
      {dialog === 'compare' && (
        <CompareDialog name={`version ${version.version}`} compared={{ definitionID: version.id }} onClose={close} />
      )}
      {dialog === 'migrate' && <MigrateInstancesDialog version={version} onClose={close} />}
      {dialog === 'resume' && <ResumeVersionDialog version={version} onClose={close} />}
    </>
  );
}

/** Opens the start page with the start form of the version. */
function StartLink({ version: { id, processID }, isDisabled }: { version: ShownVersion; isDisabled: boolean }) {
  const { id: projectID } = useProject();
  if (isDisabled)
    return (
      <Button kind="primary" icon="plus" disabled title="A suspended version starts no new instances">
        Start an instance
      </Button>
    );
  const process = `/projects/${encodeURIComponent(projectID)}/processes/${encodeURIComponent(processID)}`;
  return (
    <ButtonLink kind="primary" icon="plus" to={`${process}/start?version=${encodeURIComponent(id)}`}>
      Start an instance
    </ButtonLink>
  );
}
