/** Entries that need no request: recent places, screens, actions, and other projects. */
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { IconName } from '../../components/basics/icon.js';
import { signOut } from '../access/session.js';
import { useProject, useProjects } from '../project/project.js';
import { includesRole } from '../project/roles.js';
import type { ProjectRole } from '../project/roles.js';
import { screens } from '../../screens/index.js';
import type { Entry } from './entry.js';
import { matches } from './matching.js';
import type { OfferedAction } from './offered-actions.js';
import { readPlaces } from './recent-places.js';
import { usePlacesKey } from './use-recent-place.js';

interface Destination {
  readonly path: string;
  readonly role: ProjectRole;
  readonly label: string;
  readonly icon: IconName;
}

/** Screens that share an entry of the navigation with another one. */
const covered: readonly Destination[] = [
  { path: 'event-subscriptions', role: 'admin', label: 'Event subscriptions', icon: 'integrations' },
  { path: 'secrets', role: 'editor', label: 'Secrets', icon: 'key' },
];

const destinations: readonly Destination[] = [
  ...screens.flatMap(({ path, role, navigation }) => (navigation ? [{ path, role, ...navigation }] : [])),
  ...covered,
];

const maxProjects = 20;

/** @param ofPage the actions of the page below the palette */
export function useLocalEntries(query: string, ofPage: readonly OfferedAction[]): readonly Entry[] {
  const { id: projectID, role } = useProject();
  const projects = useProjects();
  const navigate = useNavigate();
  const key = usePlacesKey();
  const [recent] = useState(() => readPlaces(key === undefined ? null : window.localStorage.getItem(key)));
  const goTo = (path: string, project = projectID) => void navigate(`/projects/${encodeURIComponent(project)}/${path}`);
  const all: readonly Entry[] = [
    ...recent.map<Entry>(({ path, name, about }) => ({
      key: path,
      group: 'Recent',
      icon: iconOf(path),
      label: name,
      hint: about,
      run: () => goTo(path),
    })),
    ...destinations
      .filter((screen) => includesRole(role, screen.role))
      .map<Entry>(({ path, label, icon }) => ({
        key: `screen ${path}`,
        group: 'Screens',
        icon,
        label,
        run: () => goTo(path),
      })),
    ...[...ofPage, ...actionsOf(role, goTo)].map<Entry>((action) => ({
      ...action,
      key: `action ${action.label}`,
      group: 'Actions',
    })),
    ...(projects.data ?? [])
      .filter(({ id }) => id !== projectID)
      .map<Entry>(({ id, name }) => ({
        key: `project ${id}`,
        group: 'Projects',
        icon: 'arrowRight',
        label: name,
        hint: id === name ? undefined : id,
        run: () => goTo('dashboard', id),
      })),
  ];
  const found = all.filter((entry) => query === '' || matches(query, wordsOf(entry)));
  const others = found.filter(({ group }) => group === 'Projects').slice(0, maxProjects);
  return [...found.filter(({ group }) => group !== 'Projects'), ...(query === '' ? [] : others)];
}

/** The path of a screen is a second name: Integrations begin with hooks. */
function wordsOf({ key, label, hint = '' }: Entry): string {
  return `${label} ${hint} ${key}`;
}

function actionsOf(role: ProjectRole, goTo: (path: string) => void): readonly OfferedAction[] {
  const deploy: OfferedAction = { label: 'Deploy files', icon: 'deploy', run: () => goTo('deploy') };
  const leave: OfferedAction = { label: 'Sign out', icon: 'signOut', run: () => void signOut() };
  return includesRole(role, 'editor') ? [deploy, leave] : [leave];
}

function iconOf(path: string): IconName {
  return destinations.find((screen) => path.startsWith(`${screen.path}/`))?.icon ?? 'arrowRight';
}
