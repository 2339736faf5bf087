/** Unhandled failures over all instances, by cause: one faulty deployment is one line. */
import { lists } from '@perdure/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Badge } from '../../components/values/badge.js';
import { Card } from '../../components/basics/card.js';
import { Pager } from '../../components/tables/pager.js';
import { EmptyState, ErrorState, Loading, StaleNote } from '../../components/feedback/states.js';
import { DownloadList } from '../../features/download.js';
import { filterOf, isFiltered, without } from '../../features/filters/list-filter.js';
import type { FilterValues } from '@perdure/client';
import { ListFilters } from '../../features/filters/list-filters.js';
import { useLiveQuery } from '../../frame/events/project-events.js';
import { Page } from '../../frame/layout/page.js';
import { atPage, pageNumber, useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import { Group } from './group-card.js';
import type { Incident } from './group.js';
import { ResolveAllDialog } from './resolve-all.js';

const refreshEveryMs = 8_000;
const changesWith = ['incident', 'instance'] as const;
const pageSize = 50;
/** The members of a group are on its card. */
const groupList = without(lists.ListBpmnIncidentGroups, 'groupID');
const defaults = { status: 'open' } as const;

export default function Incidents() {
  const { id: projectID } = useProject();
  const address = useAddress();
  const filter = filterOf(groupList, address, defaults);
  const isOpen = filter.status === 'open';
  const [resolving, setResolving] = useState<readonly Incident[]>();
  const { data, error, isError, dataUpdatedAt, refetch } = useIncidents(filter, pageNumber(address));
  return (
    <Page
      title="Incidents"
      actions={<DownloadList list="bpmn/incidents" projectID={projectID} filter={filter} />}
      marks={data && isOpen && <OpenIncidents pagination={data.incidents} />}
    >
      <ListFilters list={groupList} defaults={defaults} />
      {isError && data && <StaleNote error={error} since={dataUpdatedAt} />}
      {data === undefined ? (
        <Card>
          {isError ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading label="Loading incidents" />}
        </Card>
      ) : data.groups.data.length === 0 ? (
        <Card>
          <None isOpen={isOpen} isFiltered={isFiltered(filter, defaults)} />
        </Card>
      ) : (
        <>
          {data.groups.data.map((group) => (
            <Group key={group.groupID} group={group} isOpen={isOpen} onResolve={setResolving} />
          ))}
          {data.groups.pagination.totalPages > 1 && (
            <Pager noun="groups" pagination={data.groups.pagination} onPage={(next) => address.set(atPage(next))} />
          )}
        </>
      )}
      {resolving && <ResolveAllDialog incidents={resolving} onClose={() => setResolving(undefined)} />}
    </Page>
  );
}

/** One page of groups, and the number of incidents in all groups. */
function useIncidents(filter: FilterValues<typeof groupList>, page: number) {
  const { id: projectID } = useProject();
  const refetchInterval = useLiveQuery([projectID, 'incidents'], changesWith, refreshEveryMs);
  return useQuery({
    queryKey: [projectID, 'incidents', filter, page],
    queryFn: async ({ signal }) => {
      const path = { projectID };
      const [groups, incidents] = await Promise.all([
        unwrap(
          api.GET('/projects/{projectID}/bpmn/incidents/groups', {
            params: { path, query: { ...filter, page, pageSize } },
            signal,
          }),
        ),
        unwrap(
          api.GET('/projects/{projectID}/bpmn/incidents', {
            params: { path, query: { ...filter, pageSize: 1 } },
            signal,
          }),
        ),
      ]);
      return { groups, incidents: incidents.pagination };
    },
    placeholderData: keepPreviousData,
    refetchInterval,
  });
}

function OpenIncidents({ pagination: { total, isTotalEstimate } }: { pagination: Schemas['PaginationMetadata'] }) {
  if (total === 0) return null;
  return (
    <Badge tone="red" icon="alert">
      {isTotalEstimate && 'about '}
      {total.toLocaleString('en')} open
    </Badge>
  );
}

function None({ isOpen, isFiltered: filtered }: { isOpen: boolean; isFiltered: boolean }) {
  if (filtered)
    return (
      <EmptyState title="No incident matches" icon="search">
        No {isOpen ? 'open' : 'resolved'} incident matches all of the filters.
      </EmptyState>
    );
  if (!isOpen) return <EmptyState title="No resolved incidents yet">Resolved incidents appear here.</EmptyState>;
  return (
    <EmptyState title="No open incidents" icon="check">
      If a failure occurs that the model does not handle, the instance waits and the failure appears here.
    </EmptyState>
  );
}
