/** Opens BPMN and DMN files, shows their problems, stores them as drafts, and deploys them. */
import { contentKind } from '@perdure/lib/model-files/content-kind.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Badge } from '../../components/values/badge.js';
import { ButtonLink } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState, ErrorState, Loading } from '../../components/feedback/states.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { loadDiagram } from '../../features/diagram/load-diagram.js';
import { modelerOf, NEW, NEW_DECISIONS, NEW_FORM } from '../../features/modeler/files/addresses.js';
import { kindOf } from '../../features/modeler/files/kinds.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import { ConversionReport } from './conversion.js';
import type { ConvertedFile } from './conversion.js';
import { FileDrop } from './file-drop.js';
import type { ModelFile } from './read-file.js';
import type { Bundle } from './bundle/bundle.js';
import { OpenBundle } from './bundle/open-bundle.js';
import { OpenDecisions } from './open-decisions.js';
import { OpenDraft } from './open-draft.js';
import { OpenFile } from './open-file.js';

type Resource = Schemas['BpmnResourceSummary'];

// The viewer loads while the user selects the file.
void loadDiagram();

const columns: readonly Column<Resource>[] = [
  { title: 'File', cell: ({ name, latestResourceID }) => <Link to={`?resource=${latestResourceID}`}>{name}</Link> },
  { title: 'Id of its definitions', cell: ({ definitionsID }) => <code>{definitionsID}</code> },
  {
    title: 'Status',
    width: '9rem',
    cell: ({ isDeployed }) =>
      isDeployed ? (
        <Badge tone="green" icon="check">
          Deployed
        </Badge>
      ) : (
        <Badge tone="grey">Draft</Badge>
      ),
  },
  { title: 'Kept', width: '6rem', isNumber: true, cell: ({ versionCount }) => versionCount.toLocaleString('en') },
  { title: 'Newest', width: '8rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

export default function Deploy() {
  const { id: projectID } = useProject();
  const address = useAddress();
  const [chosen, choose] = useState<Chosen>();
  const open = (content: Content) => {
    choose({ ...content, number: (chosen?.number ?? 0) + 1 });
    address.set({ resource: undefined });
  };
  const resourceID = address.get('resource');
  return (
    <Page
      title="Deploy"
      actions={
        <>
          <ButtonLink icon="plus" to={modelerOf(projectID, NEW)}>
            New draft
          </ButtonLink>
          <ButtonLink icon="decision" to={modelerOf(projectID, NEW_DECISIONS)}>
            New decision
          </ButtonLink>
          <ButtonLink icon="form" to={modelerOf(projectID, NEW_FORM)}>
            New form
          </ButtonLink>
        </>
      }
    >
      <Card>
        <FileDrop onFile={(file) => open({ file })} onBundle={(bundle) => open({ bundle })} />
      </Card>
      {resourceID !== undefined ? (
        <Kept key={resourceID} resourceID={resourceID} />
      ) : (
        chosen && <Chosen key={chosen.number} {...chosen} onConverted={(file) => open({ file })} />
      )}
      <Card title="Files">
        <PagedList
          noun="files"
          queryKey={[projectID, 'resources']}
          fetchPage={(page, signal) =>
            unwrap(
              api.GET('/projects/{projectID}/bpmn/resources/latest', {
                params: { path: { projectID }, query: page },
                signal,
              }),
            )
          }
          columns={columns}
          rowKey={({ definitionsID }) => definitionsID}
          empty={
            <EmptyState title="No file yet" icon="deploy">
              Drafts and deployed files appear here.
            </EmptyState>
          }
        />
      </Card>
    </Page>
  );
}

type Content = { file: ModelFile | ConvertedFile } | { bundle: Bundle };

/** Counts what was opened, so that each gets its own key. */
type Chosen = Content & { number: number };

function Chosen(chosen: Content & { onConverted(file: ConvertedFile): void }) {
  if ('bundle' in chosen) return <OpenBundle bundle={chosen.bundle} />;
  const { file, onConverted } = chosen;
  if (contentKind(file.xml) === 'DMN') return <OpenDecisions file={file} />;
  return (
    <>
      {'findings' in file && <ConversionReport file={file} />}
      <OpenFile file={file} onConverted={onConverted} />
    </>
  );
}

/** A file on the host: a draft or a deployed one. */
function Kept({ resourceID }: { resourceID: string }) {
  const { id: projectID } = useProject();
  const resource = useQuery({
    queryKey: [projectID, 'resource', resourceID],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/resources/{resourceID}', {
          params: { path: { projectID, resourceID } },
          signal,
        }),
      ),
  });
  if (resource.data === undefined)
    return resource.isError ? (
      <ErrorState error={resource.error} retry={() => void resource.refetch()} />
    ) : (
      <Loading label="Loading the file" />
    );
  const kind = kindOf(resource.data.name, resource.data.xml);
  if (kind !== 'BPMN') return <OpenDraft key={resource.data.xml} draft={resource.data} kind={kind} />;
  // A replaced draft has another text and other problems.
  return <OpenFile key={resource.data.xml} file={resource.data} kept={resource.data} />;
}
