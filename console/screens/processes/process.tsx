/** One process: its versions, and the diagram of one of them (default: the newest). */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { PausedBadge } from '../../components/values/badge.js';
import { Card } from '../../components/basics/card.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState, ErrorState, Loading, StaleNote } from '../../components/feedback/states.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { loadDiagram } from '../../features/diagram/load-diagram.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { Allowed, useProject } from '../../frame/project/project.js';
import { countedText, InstanceCount } from './instance-count.js';
import { MigrationProgress } from './migration/migration-progress.js';
import { SettingsCard } from './settings/settings-card.js';
import { findVersion, type ShownVersion } from './shown-version.js';
import { VersionActions } from './version-actions.js';
import { VersionOfProcess } from './version.js';

type Version = Schemas['BpmnProcessVersion'];

const refreshEveryMs = 8_000;
const changesWith = ['definition', 'instance'] as const;

// While the version is asked for, the viewer is on its way already.
void loadDiagram();

const columns: readonly Column<Version>[] = [
  { title: 'Version', width: '8rem', cell: ({ id, version }) => <Link to={`?version=${id}`}>Version {version}</Link> },
  { title: 'File', cell: ({ resourceName }) => resourceName },
  { title: 'Deployed', width: '8rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: 'Running',
    width: '8rem',
    isNumber: true,
    cell: ({ id, runningCount }) => (
      <InstanceCount
        count={runningCount}
        text={countedText(runningCount)}
        filter={{ definitionID: id, status: 'RUNNING' }}
      />
    ),
  },
  {
    title: 'Instances',
    width: '8rem',
    isNumber: true,
    cell: ({ id, totalCount }) => (
      <InstanceCount count={totalCount} text={countedText(totalCount)} filter={{ definitionID: id }} />
    ),
  },
  {
    title: 'Paused',
    width: '9rem',
    cell: ({ suspendedAt, suspendReason, startsSuspension }) =>
      suspendedAt ? (
        <PausedBadge title={suspendReason} />
      ) : (
        startsSuspension && <PausedBadge by="Starts paused" title={startsSuspension.reason} />
      ),
  },
];

export default function Process() {
  const { processID = '' } = useParams();
  const { id: projectID } = useProject();
  const address = useAddress();
  const definitionID = address.get('version');
  const migrationID = address.get('migration');
  const chosen = useChosenVersion(processID, definitionID);
  const parent = { label: 'Processes', to: `/projects/${encodeURIComponent(projectID)}/processes` };
  const version = chosen.data?.version;
  return (
    <Page
      title={version?.processName || processID}
      parent={parent}
      place={version && { name: version.processName || processID, about: 'Process' }}
      marks={version?.suspendedAt && <PausedBadge by={`Version ${version.version} is paused`} />}
      actions={version && <VersionActions key={version.id} version={version} />}
    >
      {chosen.isError &&
        (chosen.data ? (
          <StaleNote error={chosen.error} since={chosen.dataUpdatedAt} />
        ) : (
          <ErrorState error={chosen.error} retry={() => void chosen.refetch()} />
        ))}
      {chosen.isPending && <Loading lines={6} label="Loading the version" />}
      {chosen.data && !version && (
        <EmptyState title="Version not found" icon="processes">
          This process was never deployed here, or the link names a version of another process.
        </EmptyState>
      )}
      {migrationID && (
        <Allowed role="editor">
          <MigrationProgress
            key={migrationID}
            migrationID={migrationID}
            onClose={() => address.set({ migration: undefined })}
          />
        </Allowed>
      )}
      {version && <VersionOfProcess version={version} />}
      {version && <SettingsCard processID={processID} />}
      <Card title="Versions">
        <PagedList
          noun="versions"
          queryKey={[projectID, 'processes', processID, 'version list']}
          fetchPage={(page, signal) =>
            unwrap(
              api.GET('/projects/{projectID}/bpmn/processes/{processID}/versions', {
                params: { path: { projectID, processID }, query: page },
                signal,
              }),
            )
          }
          refreshEveryMs={refreshEveryMs}
          changesWith={changesWith}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="No version" icon="processes">
              Deploy a file with this process to create one.
            </EmptyState>
          }
        />
      </Card>
    </Page>
  );
}

/** The page without a version, if the process does not have the version of the address. */
function useChosenVersion(processID: string, definitionID: string | undefined) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'processes', processID, 'version', definitionID],
    queryFn: async ({ signal }): Promise<{ version: ShownVersion | undefined }> => ({
      version: await findVersion(projectID, processID, definitionID, signal),
    }),
    refetchInterval: refreshEveryMs,
  });
}
