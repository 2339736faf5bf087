import { NavLink } from 'react-router';
import { useProject } from '../project/project.js';
import { includesRole } from '../project/roles.js';
import type { ProjectRole } from '../project/roles.js';
import styles from './section-links.module.css';

interface SectionLink {
  /** Below `/projects/{projectID}/`. */
  readonly path: string;
  readonly label: string;
  readonly role: ProjectRole;
}

/** Links between screens that share an entry of the navigation. Draws nothing if the user may see only one of them. */
export function SectionLinks({ label, links }: { label: string; links: readonly SectionLink[] }) {
  const { id: projectID, role: held } = useProject();
  const visible = links.filter(({ role }) => includesRole(held, role));
  if (visible.length < 2) return null;
  return (
    <nav className={styles.links} aria-label={label}>
      {visible.map(({ path, label: text }) => (
        <NavLink
          key={path}
          className={({ isActive }) => `${styles.link} ${isActive ? styles.active : ''}`}
          to={`/projects/${encodeURIComponent(projectID)}/${path}`}
        >
          {text}
        </NavLink>
      ))}
    </nav>
  );
}
