/** The project of the page, and the user's permissions in it. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { ReactNode } from 'react';
import { unwrap, api } from '../api/client.js';
import type { Schemas } from '../api/client.js';
import { includesRole } from './roles.js';
import type { ProjectRole } from './roles.js';

export type Project = Schemas['ProjectOfCaller'];

const Context = createContext<Project | undefined>(undefined);

export function ProjectProvider({ project, children }: { project: Project; children: ReactNode }) {
  return <Context value={project}>{children}</Context>;
}

/** The context of all pages of a project. */
export function useProject(): Project {
  const project = useContext(Context);
  if (project === undefined) throw new Error('useProject: expected to be below a ProjectProvider, found none.');
  return project;
}

/** Whether the user has at least this role in the project. */
export function useMay(role: ProjectRole): boolean {
  return includesRole(useProject().role, role);
}

/** Shows its content to users with the role; the API would refuse others. */
export function Allowed({ role, children }: { role: ProjectRole; children: ReactNode }) {
  return useMay(role) ? children : null;
}

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => unwrap(api.GET('/projects', { signal })),
  staleTime: 60_000,
});

export function useProjects() {
  return useQuery(projectsQuery);
}
