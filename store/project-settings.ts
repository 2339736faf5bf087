/** What the admins of a project choose: its name, and how long things are kept in it. Null: the default of the host holds. */
import { firstRow, type Queryable } from './database.js';

export interface ProjectSettings {
  name: string;
  description: string | null;
  /** How long messages and signals are kept whose publisher does not say, in milliseconds. */
  messageTtl: number | null;
  signalTtl: number | null;
  /** How long ended instances are kept, in milliseconds. */
  historyRetention: number | null;
}

const columnOf: Readonly<Record<keyof ProjectSettings, string>> = {
  name: 'name',
  description: 'description',
  messageTtl: 'message_ttl_ms',
  signalTtl: 'signal_ttl_ms',
  historyRetention: 'history_retention_ms',
};

// As numbers: the driver gives bigint as text, and 100 years of milliseconds are exact in a float.
const columns =
  'name, description, message_ttl_ms::float8 AS "messageTtl", signal_ttl_ms::float8 AS "signalTtl", history_retention_ms::float8 AS "historyRetention"';

export async function findProjectSettings(database: Queryable, projectID: string): Promise<ProjectSettings | undefined> {
  return firstRow<ProjectSettings>(database, `SELECT ${columns} FROM projects WHERE id = $1`, [projectID]);
}

/**
 * Changes what is given and leaves the rest.
 * @returns all settings afterwards; undefined when there is no such project
 */
export async function changeProjectSettings(
  database: Queryable,
  projectID: string,
  changes: { readonly [Setting in keyof ProjectSettings]?: ProjectSettings[Setting] | undefined },
): Promise<ProjectSettings | undefined> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  if (given.length === 0) return findProjectSettings(database, projectID);
  const assignments = given.map(([setting], index) => `${columnOf[setting as keyof ProjectSettings]} = $${index + 2}`);
  return firstRow<ProjectSettings>(
    database,
    `UPDATE projects SET ${assignments.join(', ')}, updated_at = now() WHERE id = $1 RETURNING ${columns}`,
    [projectID, ...given.map(([, value]) => value)],
  );
}
