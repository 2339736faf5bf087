import { z } from 'zod';
import { listProjects } from '../../../store/projects/projects.js';
import type { Project } from '../../../store/projects/projects.js';
import type { ProjectRole } from '../../contract/roles.js';
import { defineOperation } from '../../commands/define-operation.js';
import { openProject, toProject } from './shared/project.js';
import { projectOfCaller } from './shared/schemas.js';

export const listAllProjects = defineOperation({
  operationID: 'ListProjects',
  method: 'GET',
  path: '/projects',
  role: 'authenticated',
  summary: "List the caller's projects",
  description: 'Lists the projects in which the caller has a role.',
  request: {},
  responses: { 200: { description: 'All projects of the caller, by name', schema: z.array(projectOfCaller) } },
  problems: [],
}).handle(async ({ caller, context }) => {
  const known = await listProjects(context.store, caller.systemAdmin ? 'all' : [...caller.projects.keys()]);
  const ids = new Set(known.map(({ id }) => id));
  const unknown = [...caller.projects.keys()].filter((id) => !ids.has(id));
  const opened = await Promise.all(unknown.map((id) => openProject(context, caller, id)));
  const all = [...known, ...opened.flatMap((found) => found ?? [])];
  const sorted = all.sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
  return { status: 200, body: sorted.flatMap((one) => ofCaller(one, caller.projectRole(one.id))) };
});

function ofCaller(found: Project, role: ProjectRole | undefined): z.output<typeof projectOfCaller>[] {
  return role === undefined ? [] : [{ ...toProject(found), role }];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
