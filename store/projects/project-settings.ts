/** Settings chosen by the admins of a project: its name and its retention times. Null: the host's default applies. */
import { firstRow, type Queryable } from '../sql/database.js';

export interface ProjectSettings {
  name: string;
  description: string | null;
  /** Time to live of messages and signals whose publisher does not set one, in milliseconds. */
  messageTtl: number | null;
  signalTtl: number | null;
  /** How long ended instances are kept, in milliseconds. */
  historyRetention: number | null;
  /** How long audit entries are kept, in milliseconds. */
  auditRetention: number | null;
  /** How long events are kept, in milliseconds; null: the project has no feed. */
  eventRetention: number | null;
  /** Whether submitted variables are checked against the forms of tasks and starts. */
  validateForms: boolean;
  /** Turns of agents have costs by these prices, those of the past too. At most one per model. */
  agentPrices: readonly AgentPrice[];
}

/** The price of a language model, in units of the currency per million tokens. */
export interface AgentPrice {
  readonly model: string;
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** ISO 4217. */
  readonly currency: string;
}

const columnOf: Readonly<Record<keyof ProjectSettings, string>> = {
  name: 'name',
  description: 'description',
  messageTtl: 'message_ttl_ms',
  signalTtl: 'signal_ttl_ms',
  historyRetention: 'history_retention_ms',
  auditRetention: 'audit_retention_ms',
  eventRetention: 'event_retention_ms',
  validateForms: 'validate_forms',
  agentPrices: 'agent_prices',
};

// As numbers: the driver returns bigint as text, and 100 years of milliseconds are exact in a float.
const columns = `
  name, description, message_ttl_ms::float8 AS "messageTtl", signal_ttl_ms::float8 AS "signalTtl",
  history_retention_ms::float8 AS "historyRetention", audit_retention_ms::float8 AS "auditRetention",
  event_retention_ms::float8 AS "eventRetention", validate_forms AS "validateForms", agent_prices AS "agentPrices"`;

export async function findProjectSettings(
  database: Queryable,
  projectID: string,
): Promise<ProjectSettings | undefined> {
  return firstRow<ProjectSettings>(database, `SELECT ${columns} FROM projects WHERE id = $1 AND deleted_at IS NULL`, [
    projectID,
  ]);
}

/** As `findProjectSettings`, and keeps them as they are until the end of the transaction. */
export async function lockProjectSettings(
  transaction: Queryable,
  projectID: string,
): Promise<ProjectSettings | undefined> {
  return firstRow<ProjectSettings>(
    transaction,
    `SELECT ${columns} FROM projects WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
    [projectID],
  );
}

/**
 * Changes the given settings and keeps the rest.
 * @returns all settings afterward; undefined if the project does not exist
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
    `UPDATE projects SET ${assignments.join(', ')}, updated_at = now() WHERE id = $1 AND deleted_at IS NULL RETURNING ${columns}`,
    [projectID, ...given.map(([, value]) => (Array.isArray(value) ? JSON.stringify(value) : value))],
  );
}
