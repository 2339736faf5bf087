/** The addresses of files in the modeler. */
import type { FileKind } from './kinds.js';

/** The addresses of blank files have these instead of an id. With `~` and any word, there can be several. */
export const NEW = 'new';
export const NEW_DECISIONS = 'new-decisions';
export const NEW_FORM = 'new-form';

/** A file that the modeler opens. Drafts and deployed BPMN files are resources; others are opened as copies. */
export type Source =
  | { from: 'blank'; kind: FileKind }
  | { from: 'decisions'; definitionID: string }
  | { from: 'form'; formID: string; version: number }
  | { from: 'resource'; resourceID: string };

const blanks: Readonly<Record<string, FileKind>> = { [NEW]: 'BPMN', [NEW_DECISIONS]: 'DMN', [NEW_FORM]: 'FORM' };

/** @param id as `modelerOf` takes it */
export function sourceOf(id: string): Source {
  const kind = blanks[id.split('~', 1)[0]!];
  if (kind !== undefined) return { from: 'blank', kind };
  const [, definitionID] = /^decisions:(.+)$/s.exec(id) ?? [];
  if (definitionID !== undefined) return { from: 'decisions', definitionID };
  const [, version, formID] = /^form:([1-9]\d{0,9}):(.+)$/s.exec(id) ?? [];
  if (formID !== undefined) return { from: 'form', formID, version: Number(version) };
  return { from: 'resource', resourceID: id };
}

/** For another blank file, next to those that are not saved yet. */
export function newFileOf(kind: FileKind): string {
  const blank = Object.keys(blanks).find((id) => blanks[id] === kind)!;
  return `${blank}~${Math.random().toString(36).slice(2, 8)}`;
}

/** For a copy of a version of decisions. */
export const ofDecisions = (definitionID: string) => `decisions:${definitionID}`;

/** For a copy of a version of a form. */
export const ofForm = (formID: string, version: number) => `form:${version}:${formID}`;

/**
 * Where a file is edited. A deployed one is edited as a copy.
 * @param id of a resource, `NEW` and its like for a blank file, or that of a copy
 */
export function modelerOf(projectID: string, id: string): string {
  return `/projects/${encodeURIComponent(projectID)}/modeler/${encodeURIComponent(id)}`;
}

/** Where a revision of a file is compared with another one. */
export function comparisonOf(projectID: string, resourceID: string): string {
  return `/projects/${encodeURIComponent(projectID)}/compare/${encodeURIComponent(resourceID)}`;
}
