/** Links to the versions that a file has after its deployment. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { TemplateIDs } from '../../features/templates/template-ids.js';
import { useProject } from '../../frame/project/project.js';
import type { DeployedFile } from './changes.js';
import styles from './deployments.module.css';

const MAX_PROCESSES = 20;

export function VersionsOfFile({ file }: { file: DeployedFile }) {
  const { id: projectID } = useProject();
  const project = `/projects/${encodeURIComponent(projectID)}`;
  const { kind, formID, definitionID, templateIDs, version, processes = [] } = file;
  if (templateIDs !== undefined) return <TemplateIDs ids={templateIDs} />;
  if (kind === 'DMN') return <DecisionsVersion project={project} definitionID={definitionID} version={version} />;
  if (kind === 'FORM' && formID !== undefined)
    return (
      <Link to={`${project}/forms/${encodeURIComponent(formID)}?version=${version}`}>
        {formID}, version {version}
      </Link>
    );
  return (
    <span className={styles.versions}>
      {processes.slice(0, MAX_PROCESSES).map((process) => (
        <Link key={process.processID} to={addressOf(project, process)}>
          {process.processID}, version {process.version}
        </Link>
      ))}
      {processes.length > MAX_PROCESSES && <span>and {processes.length - MAX_PROCESSES} more</span>}
    </span>
  );
}

function addressOf(
  project: string,
  { processID, definitionID }: NonNullable<DeployedFile['processes']>[number],
): string {
  const address = `${project}/processes/${encodeURIComponent(processID)}`;
  return definitionID === undefined ? address : `${address}?version=${definitionID}`;
}

/** A deployment records the id of the version only. The file has its page below the id in the file. */
function DecisionsVersion({
  project,
  definitionID,
  version,
}: Pick<DeployedFile, 'definitionID' | 'version'> & { project: string }) {
  const { id: projectID } = useProject();
  const { data } = useQuery({
    queryKey: [projectID, 'decision file', 'version', definitionID],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/dmn/definitions/{definitionID}', {
          params: { path: { projectID, definitionID: definitionID! } },
          signal,
        }),
      ),
    enabled: definitionID !== undefined,
    staleTime: Infinity,
    retry: false,
  });
  if (data === undefined) return <>Version {version}</>;
  return (
    <Link to={`${project}/decisions/${encodeURIComponent(data.definitionsID)}?version=${data.version}`}>
      {data.name}, version {data.version}
    </Link>
  );
}
