/** The history of the instance before the task, and since. */
import { unwrap, api } from '../../../frame/api/client.js';
import type { Schemas } from '../../../frame/api/client.js';
import { StatusBadge } from '../../../components/values/badge.js';
import { Card } from '../../../components/basics/card.js';
import { Pager } from '../../../components/tables/pager.js';
import { ErrorState, Loading } from '../../../components/feedback/states.js';
import { Time } from '../../../components/values/time.js';
import { useProject } from '../../../frame/project/project.js';
import styles from './task.module.css';
import { refreshEveryMs } from './task-query.js';
import { useNewestPage } from './use-newest-page.js';

const pageSize = 20;

interface InstanceHistoryProps {
  workflowID: string;
  /** Names of nodes by their ids. */
  names: ReadonlyMap<string, string>;
}

export function InstanceHistory({ workflowID, names }: InstanceHistoryProps) {
  const { id: projectID } = useProject();
  const { data, error, isError, refetch, setPage } = useNewestPage(
    [projectID, 'instance', workflowID, 'newest history'],
    (page, signal) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/history', {
          params: { path: { projectID, workflowID }, query: { page, pageSize } },
          signal,
        }),
      ),
    refreshEveryMs,
  );
  return (
    <Card title="History of the instance">
      {data === undefined &&
        (isError ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading label="Loading the history" />)}
      {data && (
        <ol className={styles.entries}>
          {data.data.map((entry) => (
            <Entry key={`${entry.scopeID} ${entry.nodeID} ${entry.startTime}`} entry={entry} names={names} />
          ))}
        </ol>
      )}
      {data && data.pagination.total > pageSize && (
        <Pager noun="activations" pagination={data.pagination} onPage={setPage} />
      )}
    </Card>
  );
}

function Entry({
  entry: { nodeID, status, actor, clientID, startTime },
  names,
}: {
  entry: Schemas['BpmnActivityState'];
  names: ReadonlyMap<string, string>;
}) {
  return (
    <li>
      <span className={styles.what}>{names.get(nodeID) ?? nodeID}</span>
      <StatusBadge status={status} />
      <span className={styles.note}>
        {(clientID ?? actor) !== undefined && `${clientID ?? actor}, `}
        <Time value={startTime} />
      </span>
    </li>
  );
}
