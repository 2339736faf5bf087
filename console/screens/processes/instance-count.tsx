import { Link } from 'react-router';
import { useProject } from '../../frame/project/project.js';

/** The API counts the instances of a process or version up to this number. */
const MAX_COUNTED = 10_000;

/** The count, with a plus sign when there may be more. */
export function countedText(count: number): string {
  return `${count.toLocaleString('en')}${count === MAX_COUNTED ? '+' : ''}`;
}

/** How many instances, with a link to the list of them. */
export function InstanceCount({
  count,
  text = count.toLocaleString('en'),
  filter,
}: {
  count: number;
  text?: string;
  filter: { readonly [Name in 'processId' | 'definitionID' | 'status' | 'activeNodeID']?: string };
}) {
  const { id: projectID } = useProject();
  if (count === 0) return text;
  return <Link to={`/projects/${encodeURIComponent(projectID)}/instances?${new URLSearchParams(filter)}`}>{text}</Link>;
}
