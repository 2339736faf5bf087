/** Unhandled failures over all instances, by cause: one faulty deployment is one line. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { SelectField } from '../../components/field.js';
import { EmptyState, ErrorState, Loading, StaleNote } from '../../components/states.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import { Group } from './group-card.js';
import { groupIncidents } from './group.js';
import type { Incident, IncidentGroup } from './group.js';
import styles from './incidents.module.css';
import { ResolveAllDialog } from './resolve-all.js';

type ErrorType = Schemas['BpmnIncident']['errorType'];

const refreshEveryMs = 8_000;
const pageSize = 100;
/** Maximum number of pages to group. If there are more incidents, the newest are grouped. */
const mostPages = 5;
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
  const [resolving, setResolving] = useState<IncidentGroup>();
  const { data, error, isError, dataUpdatedAt, refetch } = useQuery({
    queryKey: [projectID, 'incidents', status, errorType],
    queryFn: ({ signal }) => fetchNewest(projectID, { status, errorType }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEveryMs,
  });
  return (
    <Page
      title="Incidents"
      marks={
        data &&
        status === 'open' &&
        data.total > 0 && (
          <Badge tone="red" icon="alert">
            {data.total.toLocaleString('en')} open
          </Badge>
        )
      }
    >
      <search className={styles.filters} aria-label="Filters">
        <SelectField
          label="State"
          value={status}
          onChange={({ target }) => address.set({ status: target.value === 'open' ? undefined : target.value })}
        >
          <option value="open">Open</option>
          <option value="resolved">Resolved</option>
        </SelectField>
        <SelectField
          label="Error"
          value={errorType ?? ''}
          onChange={({ target }) => address.set({ errorType: target.value })}
        >
          <option value="">Any</option>
          {errorTypes.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </SelectField>
        {errorType && (
          <Button kind="quiet" icon="close" onClick={() => address.set({ errorType: undefined })}>
            Clear
          </Button>
        )}
      </search>
      {isError && data && <StaleNote error={error} since={dataUpdatedAt} />}
      {data === undefined ? (
        <Card>
          {isError ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading label="Loading incidents" />}
        </Card>
      ) : data.incidents.length === 0 ? (
        <Card>
          <None status={status} isFiltered={errorType !== undefined} />
        </Card>
      ) : (
        <>
          {groupIncidents(data.incidents).map((group) => (
            <Group key={group.key} group={group} isOpen={status === 'open'} onResolve={() => setResolving(group)} />
          ))}
          {data.total > data.incidents.length && (
            <p className={styles.more}>
              Showing the newest {data.incidents.length} of {data.total.toLocaleString('en')}. Resolve some, or choose
              an error, to see others.
            </p>
          )}
        </>
      )}
      {resolving && <ResolveAllDialog group={resolving} onClose={() => setResolving(undefined)} />}
    </Page>
  );
}

function None({ status, isFiltered }: { status: string; isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState title="No incident matches" icon="search">
        No incident with this error is {status}.
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

async function fetchNewest(
  projectID: string,
  filter: { status: 'open' | 'resolved'; errorType: ErrorType | undefined },
  signal: AbortSignal,
): Promise<{ incidents: Incident[]; total: number }> {
  const incidents: Incident[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await unwrap(
      api.GET('/projects/{projectID}/bpmn/incidents', {
        params: { path: { projectID }, query: { ...filter, page, pageSize } },
        signal,
      }),
    );
    incidents.push(...data);
    if (page >= Math.min(mostPages, pagination.totalPages)) return { incidents, total: pagination.total };
  }
}
