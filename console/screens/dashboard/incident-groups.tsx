import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Card } from '../../components/basics/card.js';
import { EmptyState, ErrorState, Loading, StaleNote } from '../../components/feedback/states.js';
import { Table, type Column } from '../../components/tables/table.js';
import { api, unwrap, type Schemas } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';
import styles from './dashboard.module.css';
import { incidentsLike } from './lists.js';

type Group = Schemas['BpmnIncidentGroup'];

const refreshEveryMs = 60_000;
const maxGroups = 5;

const columns: readonly Column<Group>[] = [
  {
    title: 'Cause',
    cell: (group) => (
      <span className={styles.cause}>
        <Link to={`../${incidentsLike(group)}`}>
          {group.errorType}
          {group.errorCode !== undefined && ` ${group.errorCode}`} at {group.nodeID}
        </Link>
        <span className={styles.message}>{group.message}</span>
      </span>
    ),
  },
  { title: 'Process', width: '30%', cell: ({ processID, processName }) => processName ?? processID },
  { title: 'Open', width: '5rem', isNumber: true, cell: ({ count }) => count.toLocaleString('en') },
];

/** The causes of the most open incidents. */
export function IncidentGroups() {
  const { id: projectID } = useProject();
  const { data, error, isError, dataUpdatedAt, refetch } = useQuery({
    queryKey: [projectID, 'incidents', 'largest groups'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/incidents/groups', {
          params: { path: { projectID }, query: { status: 'open', page: 1, pageSize: maxGroups } },
          signal,
        }),
      ),
    refetchInterval: refreshEveryMs,
  });
  return (
    <Card title="Largest groups of open incidents">
      {isError && data && <StaleNote error={error} since={dataUpdatedAt} />}
      {data === undefined ? (
        isError ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <Loading lines={4} label="Loading the groups of incidents" />
        )
      ) : data.data.length === 0 ? (
        <EmptyState title="No open incidents" icon="check">
          Instances that stop at a failure are grouped here by their cause, so that one repair resolves many.
        </EmptyState>
      ) : (
        <div className={styles.compact}>
          <Table label="Largest groups" columns={columns} rows={data.data} rowKey={({ groupID }) => groupID} />
        </div>
      )}
    </Card>
  );
}
