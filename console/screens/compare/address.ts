/** Where a revision of a file is compared with another one. */
export function comparisonOf(projectID: string, resourceID: string): string {
  return `/projects/${encodeURIComponent(projectID)}/compare/${encodeURIComponent(resourceID)}`;
}
