/**
 * Projects and their rows. A token can name a project that has no row yet. The first request by an admin or editor
 * creates the row; until then, viewers see an empty project.
 */
import type { z } from 'zod';
import { ensureProject, findProject } from '../../../../store/projects/projects.js';
import type { Project } from '../../../../store/projects/projects.js';
import type { Caller } from '../../../access/caller.js';
import type { ApiContext } from '../../../context.js';
import { includesRole } from '../../../contract/roles.js';
import { optionalTime, time } from '../../../contract/wire.js';
import type { project } from './schemas.js';

export function toProject({ id, name, createdAt, updatedAt }: Project): z.output<typeof project> {
  return { id, name, createdAt: time(createdAt), updatedAt: optionalTime(updatedAt) };
}

/** The project for a caller with a role in it, or undefined when neither a row nor the token names it. */
export async function openProject(
  { store }: ApiContext,
  caller: Caller,
  projectID: string,
): Promise<Project | undefined> {
  const found = await findProject(store, projectID);
  const role = caller.projects.get(projectID);
  if (found !== undefined || role === undefined) return found;
  // A project without a row has no creation time yet, so it reports the time of the request.
  if (!includesRole(role, 'editor')) return { id: projectID, name: projectID, createdAt: new Date(), updatedAt: null };
  await ensureProject(store, projectID, {
    actor: caller.subject,
    actorType: caller.isServiceAccount ? 'SERVICE' : 'PERSON',
    via: 'REST',
    operation: 'CreateProject',
    details: { name: projectID, namedBy: 'token' },
  });
  return findProject(store, projectID);
}
