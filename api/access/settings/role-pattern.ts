/**
 * Words such as `project-demo-admin`, with which a provider that only supports plain words assigns roles in projects.
 */
import { projectRoles } from '../../contract/roles.js';
import type { ProjectRole } from '../../contract/roles.js';
import { identifier } from '../../contract/schemas.js';

/** Completes "must be ...". */
export const rolePatternExpected =
  'a pattern with {project} and {role} once each and text between them, such as project-{project}-{role}';

/** Each placeholder once, with text between them: without it, `superadmin` would name the project `super`. */
export function isRolePattern(pattern: string): boolean {
  return /^(?:[^{}]*\{project\}[^{}]+\{role\}[^{}]*|[^{}]*\{role\}[^{}]+\{project\}[^{}]*)$/.test(pattern);
}

/** The word for a role in a project. */
export function writeRoleWord(pattern: string, projectID: string, role: ProjectRole): string {
  return pattern.replace('{role}', role).replace('{project}', projectID);
}

/** The project and the role that a word names; undefined for any other word. Compared exactly and as a whole. */
export function readRoleWord(
  pattern: string,
  word: string,
): { readonly id: string; readonly role: ProjectRole } | undefined {
  for (const role of projectRoles) {
    const [before = '', after = ''] = pattern.replace('{role}', role).split('{project}');
    if (word.length <= before.length + after.length || !word.startsWith(before) || !word.endsWith(after)) continue;
    const id = word.slice(before.length, word.length - after.length);
    if (identifier.safeParse(id).success) return { id, role };
  }
  return undefined;
}
