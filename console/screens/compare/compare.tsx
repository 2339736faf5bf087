/** Two revisions of a BPMN file side by side, with their differences on the diagrams and in a list. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useParams } from 'react-router';
import { Card } from '../../components/basics/card.js';
import { EmptyState, ErrorState, Loading } from '../../components/feedback/states.js';
import { SelectField } from '../../components/fields/field.js';
import { toSecond } from '../../components/values/format-time.js';
import { ChangeList } from '../../features/modeler/changes/change-list.js';
import type { Change } from '../../features/modeler/changes/changes.js';
import { ComparedDiagrams } from '../../features/modeler/changes/compared-diagrams.js';
import { compareInThread } from '../../features/modeler/thread/checker.js';
import { startThread } from '../../features/modeler/thread/start-thread.js';
import { api, unwrap, type Schemas } from '../../frame/api/client.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import styles from './compare.module.css';

type Revision = Schemas['BpmnResource'];

/** Older revisions are compared by their address. */
const LISTED = 20;

const none: readonly Change[] = [];

/** A draft that changes later must not replace one whose changes are shown. It is read again when the page is opened again. */
const asOpened = { staleTime: 'static', gcTime: 0 } as const;

export default function Compare() {
  const { resourceID = '' } = useParams();
  const { id: projectID } = useProject();
  const address = useAddress();
  const after = useRevision(resourceID);
  const revisions = useRevisions(after.data?.definitionsID);
  const others = useMemo(
    () => (revisions.data ?? []).filter(({ id }) => id !== resourceID),
    [revisions.data, resourceID],
  );
  const beforeID = address.get('with') ?? previousOf(others, after.data)?.id;
  const before = useRevision(beforeID);
  const failed = [after, revisions, before].find(({ isError }) => isError);
  return (
    <Page
      title={after.data ? `Changes of ${after.data.name}` : 'Changes'}
      parent={{
        label: 'Deploy',
        to: `/projects/${encodeURIComponent(projectID)}/deploy?resource=${encodeURIComponent(resourceID)}`,
      }}
    >
      {failed && <ErrorState error={failed.error} retry={() => void failed.refetch()} />}
      {others.length > 0 && (
        <Card>
          <div className={styles.choice}>
            <SelectField
              label="Compare with"
              value={beforeID}
              onChange={({ target }) => address.set({ with: target.value })}
            >
              {others.map((revision) => (
                <option key={revision.id} value={revision.id}>
                  {labelOf(revision)}
                </option>
              ))}
              {before.data && !others.some(({ id }) => id === beforeID) && (
                <option value={beforeID}>{labelOf(before.data)}</option>
              )}
            </SelectField>
          </div>
        </Card>
      )}
      {!failed && (
        <Content
          before={before.data}
          after={after.data}
          isAlone={!beforeID && (revisions.isSuccess || after.data?.definitionsID === '')}
        />
      )}
    </Page>
  );
}

function Content(files: { before: Revision | undefined; after: Revision | undefined; isAlone: boolean }) {
  const { before, after, isAlone } = files;
  if (isAlone)
    return (
      <EmptyState title="No other revision" icon="deploy">
        The project has no other draft or version of this file.
      </EmptyState>
    );
  if (before === undefined || after === undefined) return <Loading label="Loading the files" />;
  return <Comparison key={`${before.id} ${after.id}`} before={before} after={after} />;
}

function Comparison({ before, after }: { before: Revision; after: Revision }) {
  const { id: projectID } = useProject();
  const [shown, show] = useState<string>();
  const changes = useQuery({
    queryKey: [projectID, 'changes', before.id, after.id],
    queryFn: () => compareInThread(startThread(), before.xml, after.xml),
    ...asOpened,
    retry: false,
  });
  return (
    <>
      <ComparedDiagrams
        before={{ title: labelOf(before), xml: before.xml }}
        after={{ title: labelOf(after), xml: after.xml }}
        changes={changes.data ?? none}
        selected={shown}
        onSelect={show}
      />
      <Card title="Changes">
        {changes.data && <ChangeList changes={changes.data} onSelect={show} />}
        {changes.isPending && <Loading lines={3} label="Comparing the files" />}
        {changes.isError && <ErrorState error={changes.error} retry={() => void changes.refetch()} />}
      </Card>
    </>
  );
}

function useRevision(resourceID: string | undefined) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'compared', resourceID],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/resources/{resourceID}', {
          params: { path: { projectID, resourceID: resourceID! } },
          signal,
        }),
      ),
    enabled: resourceID !== undefined,
    ...asOpened,
  });
}

function useRevisions(definitionsID: string | undefined) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'revisions', definitionsID],
    queryFn: async ({ signal }) =>
      (
        await unwrap(
          api.GET('/projects/{projectID}/bpmn/resources/by-definitions-id/{definitionsID}', {
            params: { path: { projectID, definitionsID: definitionsID! }, query: { pageSize: LISTED } },
            signal,
          }),
        )
      ).data,
    // A file without a process has none.
    enabled: definitionsID !== undefined && definitionsID !== '',
  });
}

/** The newest one before it; else the newest. */
function previousOf(others: readonly Revision[], after: Revision | undefined): Revision | undefined {
  return after && (others.find(({ createdAt }) => createdAt < after.createdAt) ?? others[0]);
}

function labelOf({ name, isDeployed, createdAt, deployedAt }: Revision): string {
  return isDeployed
    ? `${name}, deployed ${toSecond(new Date(deployedAt ?? createdAt))}`
    : `${name}, draft of ${toSecond(new Date(createdAt))}`;
}
