/**
 * The roles of the contract.
 *
 * Project roles form a strict hierarchy: admin includes editor, editor includes executor, executor includes viewer. An
 * organization admin administers the organization but is not an admin of its projects. A system admin is implicitly an
 * admin of every project.
 */
export const projectRoles = ['viewer', 'executor', 'editor', 'admin'] as const;
export type ProjectRole = (typeof projectRoles)[number];

export type OrganisationRole = 'user' | 'admin' | 'system-admin';

/** The roles that an operation can require: the values of `x-required-role`. */
export const requiredRoles = ['public', 'authenticated', 'org-admin', 'system-admin', ...projectRoles] as const;
export type RequiredRole = (typeof requiredRoles)[number];

export function isProjectRole(word: unknown): word is ProjectRole {
  return projectRoles.some((role) => role === word);
}

/** Whether one project role includes the rights of another. */
export function includesRole(held: ProjectRole, required: ProjectRole): boolean {
  return projectRoles.indexOf(held) >= projectRoles.indexOf(required);
}
