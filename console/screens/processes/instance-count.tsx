import { Link } from 'react-router';
import { useProject } from '../../project/project.js';
import type { InstanceFilter } from '../instances/list-query.js';

/** How many instances, with a link to the list of them. */
export function InstanceCount({ count, filter }: { count: number; filter: Pick<InstanceFilter, 'processId' | 'definitionID' | 'status' | 'activeNodeID'> }) {
  const { id: projectID } = useProject();
  const text = count.toLocaleString('en');
  if (count === 0) return text;
  return <Link to={`/projects/${encodeURIComponent(projectID)}/instances?${new URLSearchParams(filter)}`}>{text}</Link>;
}
