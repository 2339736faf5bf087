/** Unhandled failures over all instances, by cause: one faulty deployment is one line. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Badge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { DebouncedText } from '../../components/fields/debounced-text.js';
import { SelectField } from '../../components/fields/field.js';
import { InstantField } from '../../components/fields/instant-field.js';
import { Pager } from '../../components/tables/pager.js';
import { EmptyState, ErrorState, Loading, StaleNote } from '../../components/feedback/states.js';
import { DownloadList } from '../../features/download.js';
import { useLiveQuery } from '../../frame/events/project-events.js';
import { Page } from '../../frame/layout/page.js';
import { atPage, pageNumber, useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import { Group } from './group-card.js';
import type { Incident } from './group.js';
import styles from './incidents.module.css';
import { ResolveAllDialog } from './resolve-all.js';

type ErrorType = Schemas['BpmnIncident']['errorType'];

const refreshEveryMs = 8_000;
const changesWith = ['incident', 'instance'] as const;
const pageSize = 50;
const texts = {
  processId: { label: 'Process id', placeholder: 'Exactly' },
  definitionID: { label: 'Version id', placeholder: 'Exactly' },
  nodeID: { label: 'Node', placeholder: 'Exactly, by its id' },
  errorCode: { label: 'Error code', placeholder: 'Exactly' },
  messageContains: { label: 'Message contains', placeholder: 'At least 3 characters' },
} as const;
const textNames = Object.keys(texts) as (keyof typeof texts)[];
const noFilter = Object.fromEntries(
  ['errorType', ...textNames, 'since', 'until', 'page'].map((name) => [name, undefined]),
);
const errorTypes: readonly ErrorType[] = [
  'FeelError',
  'BpmnError',
  'GatewayNoMatch',
  'NoHandler',
  'TimerResolution',
  'SubscriptionError',
  'DecisionNotFound',
  'CallActivityCanceled',
  'EscalationError',
  'CompensationError',
  'LinkNotFound',
  'MigrationError',
  'RotationLimitError',
  'SnapshotSizeExceeded',
  'ExternalRowRefreshError',
  'JobLockLost',
  'Unknown',
];

export default function Incidents() {
  const { id: projectID } = useProject();
  const address = useAddress();
  const status = address.get('status') === 'resolved' ? 'resolved' : 'open';
  const errorType = errorTypes.find((type) => type === address.get('errorType'));
  const messageContains = address.get('messageContains');
  const filter = {
    status,
    errorType,
    ...Object.fromEntries([...textNames, 'since', 'until'].map((name) => [name, address.get(name)])),
    messageContains: messageContains !== undefined && messageContains.length >= 3 ? messageContains : undefined,
  } as const;
  const isFiltered = Object.values(filter).filter((value) => value !== undefined).length > 1;
  const page = pageNumber(address);
  const set = (name: string) => (value: string) => address.set({ [name]: value, page: undefined });
  const [resolving, setResolving] = useState<readonly Incident[]>();
  const refetchInterval = useLiveQuery([projectID, 'incidents'], changesWith, refreshEveryMs);
  const { data, error, isError, dataUpdatedAt, refetch } = useQuery({
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
  return (
    <Page
      title="Incidents"
      actions={<DownloadList list="bpmn/incidents" projectID={projectID} filter={filter} />}
      marks={
        data &&
        status === 'open' &&
        data.incidents.total > 0 && (
          <Badge tone="red" icon="alert">
            {data.incidents.isTotalEstimate && 'about '}
            {data.incidents.total.toLocaleString('en')} open
          </Badge>
        )
      }
    >
      <search className={styles.filters} aria-label="Filters">
        <SelectField
          label="State"
          value={status}
          onChange={({ target }) => set('status')(target.value === 'open' ? '' : target.value)}
        >
          <option value="open">Open</option>
          <option value="resolved">Resolved</option>
        </SelectField>
        <SelectField label="Error" value={errorType ?? ''} onChange={({ target }) => set('errorType')(target.value)}>
          <option value="">Any</option>
          {errorTypes.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </SelectField>
        {textNames.map((name) => (
          <DebouncedText key={name} {...texts[name]} value={address.get(name)} onSettle={set(name)} />
        ))}
        <InstantField label="Raised since" value={address.get('since')} onChange={set('since')} />
        <InstantField label="Raised until" value={address.get('until')} onChange={set('until')} />
        {isFiltered && (
          <Button kind="quiet" icon="close" onClick={() => address.set(noFilter)}>
            Clear
          </Button>
        )}
      </search>
      {isError && data && <StaleNote error={error} since={dataUpdatedAt} />}
      {data === undefined ? (
        <Card>
          {isError ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading label="Loading incidents" />}
        </Card>
      ) : data.groups.data.length === 0 ? (
        <Card>
          <None status={status} isFiltered={isFiltered} />
        </Card>
      ) : (
        <>
          {data.groups.data.map((group) => (
            <Group key={group.groupID} group={group} isOpen={status === 'open'} onResolve={setResolving} />
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

function None({ status, isFiltered }: { status: string; isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState title="No incident matches" icon="search">
        No incident that matches all of the filters is {status}.
      </EmptyState>
    );
  if (status === 'resolved')
    return <EmptyState title="No resolved incidents yet">Resolved incidents appear here.</EmptyState>;
  return (
    <EmptyState title="No open incidents" icon="check">
      If a failure occurs that the model does not handle, the instance waits and the failure appears here.
    </EmptyState>
  );
}
