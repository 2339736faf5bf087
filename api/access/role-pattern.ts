/** Words such as `project-demo-admin`, in which a provider that knows plain words alone says who has which role in which project. */
import { projectRoles } from '../roles.js';
import type { ProjectRole } from '../roles.js';
import { identifier } from '../schemas.js';

/** Both placeholders once, with something between them: without it `superadmin` would name the project `super`. */
export function isRolePattern(pattern: string): boolean {
  return /^(?:[^{}]*\{project\}[^{}]+\{role\}[^{}]*|[^{}]*\{role\}[^{}]+\{project\}[^{}]*)$/.test(pattern);
}

/** The word for a role in a project. */
export function writeRoleWord(pattern: string, projectID: string, role: ProjectRole): string {
  return pattern.replace('{role}', role).replace('{project}', projectID);
}

/** The project and the role that the word names; undefined when it is any other word. Compared exactly, as a whole. */
export function readRoleWord(pattern: string, word: string): { readonly id: string; readonly role: ProjectRole } | undefined {
  for (const role of projectRoles) {
    const [before = '', after = ''] = pattern.replace('{role}', role).split('{project}');
    if (word.length <= before.length + after.length || !word.startsWith(before) || !word.endsWith(after)) continue;
    const id = word.slice(before.length, word.length - after.length);
    if (identifier.safeParse(id).success) return { id, role };
  }
  return undefined;
}
