import { useLocation, useNavigate } from 'react-router';
import type { Project } from '../project/project.js';
import styles from './project-switcher.module.css';

const storageKey = 'perdure.project';

/** The initial project of the console: the last one used, if it is still available. */
export function firstProject(projects: readonly Project[]): Project | undefined {
  const last = window.localStorage.getItem(storageKey);
  return projects.find(({ id }) => id === last) ?? projects[0];
}

export function ProjectSwitcher({ project, projects }: { project: Project; projects: readonly Project[] }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  window.localStorage.setItem(storageKey, project.id);
  return (
    <label className={styles.switcher}>
      <span>Project</span>
      <select
        value={project.id}
        onChange={({ target }) =>
          void navigate(`/projects/${encodeURIComponent(target.value)}/${screenOf(pathname) ?? 'dashboard'}`)
        }
      >
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The address of the screen without parts of one project: ids, filters, pages. */
function screenOf(pathname: string): string | undefined {
  return /^\/projects\/[^/]+\/([^/]+)/.exec(pathname)?.[1];
}
