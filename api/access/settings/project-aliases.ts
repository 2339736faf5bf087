/**
 * The fixed uuids of the development projects, for clients that require project ids to be uuids. Rows, rights, and logs
 * use the name.
 */
export const developmentProjectAliases: Readonly<Record<string, string>> = {
  '00000000-0000-4000-8000-000000000001': 'demo',
  '00000000-0000-4000-8000-000000000002': 'other',
};

/** The canonical id of a project. The comparison is exact: an alias in another spelling is another project. */
export function canonicalProjectID(projectID: string, aliases: ReadonlyMap<string, string>): string {
  return aliases.get(projectID) ?? projectID;
}
