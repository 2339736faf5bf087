import { z } from 'zod';
import { listProjects } from '../../../store/projects.js';
import { defineOperation } from '../../operation.js';
import { openProject, toProject } from './project.js';
import { project } from './schemas.js';

export const listAllProjects = defineOperation({
  operationID: 'ListProjects',
  method: 'GET',
  path: '/projects',
  role: 'authenticated',
  summary: 'The projects in which the caller has a role.',
  request: {},
  responses: { 200: { description: 'All of them, by name.', schema: z.array(project) } },
  problems: [],
}).handle(async ({ caller, context }) => {
  const known = await listProjects(context.store, caller.systemAdmin ? 'all' : [...caller.projects.keys()]);
  const ids = new Set(known.map(({ id }) => id));
  const unknown = [...caller.projects.keys()].filter((id) => !ids.has(id));
  const opened = await Promise.all(unknown.map((id) => openProject(context, caller, id)));
  const all = [...known, ...opened.flatMap((found) => found ?? [])];
  return { status: 200, body: all.sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id)).map(toProject) };
});

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
