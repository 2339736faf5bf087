import type { Schemas } from '../api/client.js';

export type ProjectRole = Schemas['ProjectOfCaller']['role'];

/** Each includes those before it. */
export const roles: readonly ProjectRole[] = ['viewer', 'executor', 'editor', 'admin'];

/** Whether a role that is held gives the rights of another. Only for what is shown: the API decides. */
export function includesRole(held: ProjectRole, required: ProjectRole): boolean {
  return roles.indexOf(held) >= roles.indexOf(required);
}
