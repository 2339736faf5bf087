import { Link } from 'react-router';

/** A number that leads to the list of what it counts. @param to relative to the project */
export function CountLink({ count, to }: { count: number; to: string }) {
  const text = count.toLocaleString('en');
  return count === 0 ? text : <Link to={`../${to}`}>{text}</Link>;
}
