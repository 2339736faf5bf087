import type { Schemas } from '../api/client.js';

export type ProjectRole = Schemas['ProjectOfCaller']['role'];

/** In ascending order: each role includes those before it. */
export const roles: readonly ProjectRole[] = ['viewer', 'executor', 'editor', 'admin'];

/** Whether a role includes another. Decides only what is shown; the API enforces roles. */
export function includesRole(held: ProjectRole, required: ProjectRole): boolean {
  return roles.indexOf(held) >= roles.indexOf(required);
}
