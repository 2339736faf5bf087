/** The address of a blank file has this instead of an id. */
export const NEW = 'new';

/**
 * Where a file is edited. A deployed one is edited as a copy.
 * @param resourceID `NEW` for a blank file
 */
export function modelerOf(projectID: string, resourceID: string): string {
  return `/projects/${encodeURIComponent(projectID)}/modeler/${encodeURIComponent(resourceID)}`;
}

/** Where a revision of a file is compared with another one. */
export function comparisonOf(projectID: string, resourceID: string): string {
  return `/projects/${encodeURIComponent(projectID)}/compare/${encodeURIComponent(resourceID)}`;
}
