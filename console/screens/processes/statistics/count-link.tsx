import { Link } from 'react-router';

/** A number that links to the list of the counted items. */
export function CountLink({
  count,
  list,
  filter,
}: {
  count: number;
  list: 'instances' | 'incidents' | 'jobs';
  filter: Readonly<Record<string, string>>;
}) {
  const text = count.toLocaleString('en');
  return count === 0 ? text : <Link to={`../${list}?${new URLSearchParams(filter)}`}>{text}</Link>;
}
