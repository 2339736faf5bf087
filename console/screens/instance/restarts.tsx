/** The newest restart of an ended instance. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Identifier } from '../../components/values/identifier.js';
import { unwrap, api } from '../../frame/api/client.js';
import { useInstance } from './use-instance.js';

export function NewestRestart() {
  const { projectID, instance } = useInstance();
  const { data } = useQuery({
    queryKey: [projectID, 'instances', 'restarts', instance.workflowID],
    enabled: instance.status !== 'RUNNING' && instance.parentWorkflowID === undefined,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/instances', {
          params: { path: { projectID }, query: { restartedFrom: instance.workflowID, pageSize: 1 } },
          signal,
        }),
      ),
  });
  const newest = data?.data[0];
  if (newest === undefined) return '–';
  const { total } = data!.pagination;
  return (
    <>
      <Identifier
        value={newest.workflowID}
        wrap={(text) => (
          <Link to={`/projects/${encodeURIComponent(projectID)}/instances/${encodeURIComponent(newest.workflowID)}`}>
            {text}
          </Link>
        )}
      />
      {total > 1 && ` and ${total - 1} more`}
    </>
  );
}
