/** The frame of every screen of a project: navigation, project switcher, signed-in user. */
import { Suspense, useEffect, useRef } from 'react';
import { matchPath, NavLink, Outlet, useLocation, useParams } from 'react-router';
import { signOut } from '../access/session.js';
import { useSession } from '../access/use-session.js';
import { Button, IconButton } from '../../components/basics/button.js';
import { Icon } from '../../components/basics/icon.js';
import { Mark } from '../../components/basics/mark.js';
import { Notice } from '../../components/feedback/notice.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import { DemoWorkerStatus } from '../../features/example/worker-status.js';
import { ProjectEvents } from '../events/project-events.js';
import { OfferedActions } from '../palette/offered-actions.js';
import type { OfferedAction } from '../palette/offered-actions.js';
import { OpenPalette } from '../palette/open-palette.js';
import { ProjectProvider, useMay, useProjects } from '../project/project.js';
import type { Project } from '../project/project.js';
import { screens } from '../../screens/index.js';
import { navigationGroups } from '../../screens/screen.js';
import type { NavigationGroup, Screen } from '../../screens/screen.js';
import { ProjectSwitcher } from './project-switcher.js';
import styles from './shell.module.css';
import { useTheme } from './theme.js';
import type { Theme } from './theme.js';

export function Shell() {
  const { projectID } = useParams();
  const projects = useProjects();
  const session = useSession();
  if (projects.isPending) return <Notice title="Opening your projects" busy />;
  if (projects.isError)
    return (
      <main className={styles.alone}>
        <ErrorState error={projects.error} retry={() => void projects.refetch()} />
      </main>
    );
  const project = projects.data.find(({ id }) => id === projectID);
  if (project !== undefined) return <ProjectShell key={project.id} project={project} projects={projects.data} />;
  const name = session.kind === 'signed-in' ? session.name : 'You';
  if (projects.data.length === 0) {
    return (
      <Notice title="No project yet" action={<SignOutButton />}>
        {name} is signed in and has no role in any project. Ask an administrator of a project for a role, then sign in
        again.
      </Notice>
    );
  }
  return (
    <Notice title="No access to this project" action={<SignOutButton />}>
      Project <code>{projectID}</code> does not exist, or {name} has no role in it. Your projects:{' '}
      {projects.data.map(({ id, name: title }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={`/console/projects/${encodeURIComponent(id)}/dashboard`}>{title}</a>
        </span>
      ))}
      .
    </Notice>
  );
}

function ProjectShell({ project, projects }: { project: Project; projects: readonly Project[] }) {
  const offered = useRef<readonly OfferedAction[]>([]);
  return (
    <ProjectProvider project={project}>
      <div className={styles.shell}>
        <a className={styles.skip} href="#content">
          Skip to content
        </a>
        <aside className={styles.side}>
          <div className={styles.brand}>
            <Mark size={22} /> Perdure
          </div>
          <ProjectSwitcher project={project} projects={projects} />
          <OpenPalette offered={offered} />
          <nav className={styles.navigation} aria-label="Screens">
            {navigationGroups.map((group) => (
              <Group key={group} group={group} />
            ))}
          </nav>
          <DemoWorkerStatus />
          <Person role={project.role} />
        </aside>
        <main id="content" className={styles.content} tabIndex={-1}>
          <ProjectEvents key={project.id}>
            <OfferedActions value={offered}>
              <Suspense fallback={<Loading />}>
                <Outlet />
              </Suspense>
            </OfferedActions>
          </ProjectEvents>
        </main>
      </div>
    </ProjectProvider>
  );
}

function Group({ group }: { group: NavigationGroup }) {
  const entries = screens.filter(({ navigation }) => navigation?.group === group);
  const may = {
    viewer: useMay('viewer'),
    executor: useMay('executor'),
    editor: useMay('editor'),
    admin: useMay('admin'),
  };
  const visible = entries.filter(({ role }) => may[role]);
  if (visible.length === 0) return null;
  return (
    <section aria-label={group}>
      <h2 className={styles.group}>{group}</h2>
      <ul>
        {visible.map((screen) => (
          <li key={screen.path}>
            <Entry screen={screen} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Entry({ screen: { path, navigation } }: { screen: Screen }) {
  const { projectID = '' } = useParams();
  const { pathname } = useLocation();
  const link = useRef<HTMLAnchorElement>(null);
  const covers = navigation?.covers ?? [];
  const isShown = [path, ...covers].some((one) => matchPath(`/projects/:projectID/${one}/*`, pathname) !== null);
  // In a narrow window the entries are a row that scrolls.
  useEffect(() => {
    if (isShown) link.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isShown]);
  if (navigation === undefined) return null;
  return (
    <NavLink
      ref={link}
      className={`${styles.entry} ${isShown ? styles.active : ''}`}
      to={`/projects/${encodeURIComponent(projectID)}/${path}`}
    >
      <Icon name={navigation.icon} />
      {navigation.label}
    </NavLink>
  );
}

const themeIcons = { system: 'system', light: 'sun', dark: 'moon' } as const;
const themeWords: Readonly<Record<Theme, string>> = { system: 'same as system', light: 'light', dark: 'dark' };

function Person({ role }: { role: string }) {
  const session = useSession();
  const { theme, next, choose } = useTheme();
  return (
    <footer className={styles.person}>
      <div className={styles.name}>
        <strong>{'name' in session ? session.name : ''}</strong>
        <span>{role}</span>
      </div>
      <IconButton
        icon={themeIcons[theme]}
        label={`Colors: ${themeWords[theme]}. Change to ${themeWords[next]}`}
        onClick={() => choose(next)}
      />
      <IconButton icon="signOut" label="Sign out" onClick={() => void signOut()} />
    </footer>
  );
}

function SignOutButton() {
  return (
    <Button icon="signOut" onClick={() => void signOut()}>
      Sign out
    </Button>
  );
}
