import { findProject } from '../../store/projects/projects.js';
import { notFound } from '../contract/problem.js';
import { includesRole } from '../contract/roles.js';
import type { Call } from './call.js';
import { withTestProject } from './test-project.js';

/** 404 without the right. Reads only the claims of the token. */
export function authorize(call: Call) {
  const lacking = lackingRight(call);
  return lacking === undefined ? undefined : notFound(lacking);
}

/** The right that the caller lacks for the operation, or undefined. */
function lackingRight({ operation: { role }, caller, params }: Call): string | undefined {
  if (caller === undefined || role === 'public' || role === 'authenticated') return undefined;
  if (role === 'org-admin') {
    return caller.organisationRoles.has('admin') || caller.systemAdmin
      ? undefined
      : 'the caller is not an organization admin';
  }
  if (role === 'system-admin') return caller.systemAdmin ? undefined : 'the caller is not a system admin';
  const held = caller.projectRole(params['projectID'] as string);
  if (held === undefined) return 'the caller is not a member of the project';
  return includesRole(held, role) ? undefined : `the caller is ${held}, the operation needs ${role}`;
}

/**
 * 404 if a system admin names a project that does not exist. A system admin has a role in every existing project, so
 * only its row decides. Any other caller's token has named the project, which is 404 once it has been deleted.
 */
export async function requireProject(call: Call) {
  const { caller, params, query, body } = call;
  const { projectID } = params;
  if (projectID === undefined) return undefined;
  if (caller?.systemAdmin === true && !caller.projects.has(projectID)) {
    const project = await findProject(call.store, projectID);
    if (project === undefined) return notFound(`no project ${projectID}`);
  } else if (!call.operation.opensProject && (await call.host.context.deletedProjects.has(projectID))) {
    return notFound(`project ${projectID} has been deleted`);
  }
  call.params = withTestProject(params, query, body);
  return undefined;
}
