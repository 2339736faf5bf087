/**
 * Projects and their rows. Tokens name projects before anybody has made one here: such a project gets its row when
 * the first admin or editor uses it, and is an empty project for its viewers until then.
 */
import type { z } from 'zod';
import { ensureProject, findProject } from '../../../store/projects.js';
import type { Project } from '../../../store/projects.js';
import type { Caller } from '../../access/caller.js';
import type { ApiContext } from '../../context.js';
import { includesRole } from '../../roles.js';
import { optionalTime, time } from '../../wire.js';
import type { project } from './schemas.js';

export function toProject({ id, name, createdAt, updatedAt }: Project): z.output<typeof project> {
  return { id, name, createdAt: time(createdAt), updatedAt: optionalTime(updatedAt) };
}

/** The project for a caller who has a role in it; undefined when neither a row nor the token knows it. */
export async function openProject({ store }: ApiContext, caller: Caller, projectID: string): Promise<Project | undefined> {
  const found = await findProject(store, projectID);
  const role = caller.projects.get(projectID);
  if (found !== undefined || role === undefined) return found;
  // It has no time of creation yet; whoever looks now is told now.
  if (!includesRole(role, 'editor')) return { id: projectID, name: projectID, createdAt: new Date(), updatedAt: null };
  await ensureProject(store, projectID);
  return findProject(store, projectID);
}
