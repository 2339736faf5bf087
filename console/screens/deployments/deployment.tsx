/** One deployment: its files, which of them changed, and the versions that they have now. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { Badge } from '../../components/values/badge.js';
import { Card } from '../../components/basics/card.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import { Table } from '../../components/tables/table.js';
import type { Column } from '../../components/tables/table.js';
import { Facts } from '../../components/values/facts.js';
import { Identifier } from '../../components/values/identifier.js';
import { Time } from '../../components/values/time.js';
import { Page } from '../../frame/layout/page.js';
import { useProject } from '../../frame/project/project.js';
import { countsOf, isChanged, type DeployedFile } from './changes.js';
import { VersionsOfFile } from './versions-of-file.js';

const kinds = { BPMN: 'Process', DMN: 'Decisions', FORM: 'Form', TEMPLATE: 'Element templates' } as const;

const columns: readonly Column<DeployedFile>[] = [
  { title: 'File', cell: ({ name }) => name },
  { title: 'Type', width: '9rem', cell: ({ kind }) => kinds[kind] },
  {
    title: 'Change',
    width: '10rem',
    cell: (file) =>
      isChanged(file) ? (
        <Badge tone="green" icon="plus">
          {file.kind === 'TEMPLATE' ? 'Replaced' : 'New version'}
        </Badge>
      ) : (
        <Badge tone="grey" icon="minus">
          Unchanged
        </Badge>
      ),
  },
  { title: 'Version', width: '24rem', cell: (file) => <VersionsOfFile file={file} /> },
];

export default function DeploymentScreen() {
  const { id: projectID } = useProject();
  const { deploymentID = '' } = useParams();
  const { data, error, isError, refetch } = useQuery({
    queryKey: [projectID, 'deployments', 'one', deploymentID],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/deployments/{deploymentID}', {
          params: { path: { projectID, deploymentID } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
  const parent = { label: 'Deployments', to: '../deployments' };
  if (data === undefined)
    return (
      <Page title="Deployment" parent={parent}>
        <Card>
          {isError ? (
            <ErrorState error={error} retry={() => void refetch()} />
          ) : (
            <Loading label="Loading the deployment" />
          )}
        </Card>
      </Page>
    );
  const changedFirst = [...data.files].sort((one, other) => Number(isChanged(other)) - Number(isChanged(one)));
  return (
    <Page
      title={data.name ?? 'Deployment'}
      parent={parent}
      place={data.name ? { name: data.name, about: 'Deployment' } : undefined}
    >
      <Facts
        facts={[
          ['Deployed by', data.createdBy],
          ['Deployed', <Time key="time" value={data.createdAt} isExact />],
          ['Reason', data.reason],
          ['Files', countsOf(data.files)],
          ['Deployment', <Identifier key="id" value={deploymentID} />],
        ]}
      />
      <Card title="Files">
        <Table label="Files" columns={columns} rows={changedFirst} rowKey={({ name }) => name} />
      </Card>
    </Page>
  );
}
