/**
 * The rights words of the contract.
 *
 * Project roles form a strict hierarchy: admin includes editor, editor includes executor, executor includes viewer.
 * An organisation admin administers the organisation and is not thereby admin of a project; a system admin is
 * implicitly admin of every project.
 */
export const projectRoles = ['viewer', 'executor', 'editor', 'admin'] as const;
export type ProjectRole = (typeof projectRoles)[number];

export type OrganisationRole = 'user' | 'admin' | 'system-admin';

/** What an operation may ask of its caller: the values of `x-required-role`. */
export const requiredRoles = ['public', 'authenticated', 'org-admin', ...projectRoles] as const;
export type RequiredRole = (typeof requiredRoles)[number];

export function isProjectRole(word: unknown): word is ProjectRole {
  return projectRoles.some((role) => role === word);
}

/** Whether holding one project role gives the rights of another. */
export function includesRole(held: ProjectRole, required: ProjectRole): boolean {
  return projectRoles.indexOf(held) >= projectRoles.indexOf(required);
}
