/**
 * Projects and their rows. A token can name a project that has no row yet. The first request by an admin or editor
 * creates the row; until then, viewers see an empty project.
 */
import type { z } from 'zod';
import { beingDeleted } from '../../../../store/projects/lock.js';
import { ensureProject, findProject, readProject } from '../../../../store/projects/projects.js';
import type { Project } from '../../../../store/projects/projects.js';
import type { Caller } from '../../../access/caller.js';
import { refusalProblem } from '../../../commands/refusal.js';
import type { ApiContext } from '../../../context.js';
import { notFound, type Problem } from '../../../contract/problem.js';
import { includesRole } from '../../../contract/roles.js';
import { optionalTime, time } from '../../../contract/wire.js';
import type { project } from './schemas.js';

export function toProject({ id, name, createdAt, updatedAt }: Project): z.output<typeof project> {
  return { id, name, createdAt: time(createdAt), updatedAt: optionalTime(updatedAt) };
}

/** The project for a caller with a role in it, or undefined when neither a row nor the token names it, or it has been deleted. */
export async function openProject(
  { store }: ApiContext,
  caller: Caller,
  projectID: string,
): Promise<Project | undefined> {
  const found = await readProject(store, projectID);
  if (found === 'deleted') return undefined;
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

/** The problem of an operation that would put the first thing into the project: see `opensProject`. */
export async function problemOfOpening(
  context: ApiContext,
  caller: Caller,
  projectID: string,
): Promise<Problem<'NOT_FOUND' | 'CONFLICT'> | undefined> {
  const opened = await openProject(context, caller, projectID);
  if (opened !== undefined) return undefined;
  const isDeleted = (await readProject(context.store, projectID)) === 'deleted';
  return isDeleted ? refusalProblem(beingDeleted(projectID)) : notFound(`no project ${projectID}`);
}
