/** Hooks: addresses at which other systems publish messages. */
import { firstRow, rows, type Database, type Queryable } from '../sql/database.js';
import { beingDeleted, lockProject } from '../projects/lock.js';
import { Filter, listPage, type Page, type PageRequest } from '../sql/page.js';
import { refused, type Refusal } from '../sql/refusal.js';

/** How a delivery is authenticated. `secret` is the name of a secret. */
export type HookAuth =
  | {
      readonly type: 'HMAC';
      readonly secret: string;
      readonly header: string;
      readonly prefix?: string | undefined;
      readonly encoding: 'hex' | 'base64';
    }
  | { readonly type: 'STRIPE' | 'STANDARD'; readonly secret: string }
  | { readonly type: 'HEADER'; readonly secret: string; readonly header: string };

/** The user-defined part of a hook. The expressions are FEEL. */
export interface HookContent {
  name: string;
  auth: HookAuth;
  messageName: string;
  correlationKeys?: string | undefined;
  variables?: string | undefined;
  idempotencyKey?: string | undefined;
  ttl?: string | undefined;
  enabled: boolean;
}

export interface Hook {
  hookID: string;
  projectID: string;
  name: string;
  auth: HookAuth;
  messageName: string;
  correlationKeys: string | null;
  variables: string | null;
  idempotencyKey: string | null;
  ttl: string | null;
  enabled: boolean;
  revision: number;
  createdBy: string;
  createdAt: Date;
  updatedBy: string | null;
  updatedAt: Date | null;
}

/** Maximum hooks of one project. */
export const MAX_HOOKS = 100;

const columns = `
  h.id AS "hookID", h.project_id AS "projectID", h.name, h.auth, h.message_name AS "messageName", h.correlation_keys AS "correlationKeys",
  h.variables, h.idempotency_key AS "idempotencyKey", h.ttl, h.enabled, h.revision, h.created_by AS "createdBy", h.created_at AS "createdAt",
  h.updated_by AS "updatedBy", h.updated_at AS "updatedAt"`;

const selectHook = `SELECT ${columns} FROM hooks h`;

/** Refused at the limit. The project has a row (see `ensureProject`). */
export async function createHook(
  database: Database,
  projectID: string,
  content: HookContent,
  createdBy: string,
): Promise<Hook | Refusal<'CONFLICT'>> {
  return database.transaction(async (transaction) => {
    // One at a time, so that each sees the hooks of those before it.
    if (!(await lockProject(transaction, projectID))) return beingDeleted(projectID);
    const created = await firstRow<Hook>(
      transaction,
      `INSERT INTO hooks AS h (project_id, name, auth, message_name, correlation_keys, variables, idempotency_key, ttl, enabled, created_by)
       SELECT $1, $2, $3::json, $4, $5, $6, $7, $8, $9, $10
       WHERE (SELECT count(*) FROM hooks WHERE project_id = $1) < ${MAX_HOOKS} RETURNING ${columns}`,
      [projectID, ...valuesOf(content), createdBy],
    );
    return created ?? refused('CONFLICT', `The project already has ${MAX_HOOKS} hooks. Delete one that is not used`);
  });
}

/** In the order of creation. */
export async function listHooks(database: Queryable, projectID: string, page: PageRequest): Promise<Page<Hook>> {
  const filter = new Filter().where('h.project_id = ?', projectID);
  return listPage<Hook>(database, { columns, table: 'hooks h', filter, orderBy: 'h.created_at, h.id' }, page);
}

export async function findHook(database: Queryable, projectID: string, hookID: string): Promise<Hook | undefined> {
  return firstRow<Hook>(database, `${selectHook} WHERE h.project_id = $1 AND h.id = $2`, [projectID, hookID]);
}

/** As `findHook`, and keeps it as it is until the end of the transaction. */
export async function lockHook(transaction: Queryable, projectID: string, hookID: string): Promise<Hook | undefined> {
  return firstRow<Hook>(transaction, `${selectHook} WHERE h.project_id = $1 AND h.id = $2 FOR UPDATE`, [
    projectID,
    hookID,
  ]);
}

/** Those that exist, in any order. */
export async function findHooks(database: Queryable, hookIDs: readonly string[]): Promise<Hook[]> {
  return rows<Hook>(database, `${selectHook} WHERE h.id = ANY ($1::uuid[])`, [hookIDs]);
}

/** Undefined if there is no such hook. */
export async function updateHook(
  database: Queryable,
  projectID: string,
  hookID: string,
  content: HookContent,
  updatedBy: string,
): Promise<Hook | undefined> {
  return firstRow<Hook>(
    database,
    `UPDATE hooks h SET name = $3, auth = $4::json, message_name = $5, correlation_keys = $6, variables = $7, idempotency_key = $8, ttl = $9,
       enabled = $10, revision = revision + 1, updated_by = $11, updated_at = now()
     WHERE h.project_id = $1 AND h.id = $2 RETURNING ${columns}`,
    [projectID, hookID, ...valuesOf(content), updatedBy],
  );
}

/** @returns the deleted hook, or undefined if there is no such hook */
export async function deleteHook(database: Queryable, projectID: string, hookID: string): Promise<Hook | undefined> {
  return firstRow<Hook>(database, `DELETE FROM hooks h WHERE h.project_id = $1 AND h.id = $2 RETURNING ${columns}`, [
    projectID,
    hookID,
  ]);
}

function valuesOf(content: HookContent): unknown[] {
  const { name, auth, messageName, correlationKeys, variables, idempotencyKey, ttl, enabled } = content;
  return [
    name,
    JSON.stringify(auth),
    messageName,
    correlationKeys ?? null,
    variables ?? null,
    idempotencyKey ?? null,
    ttl ?? null,
    enabled,
  ];
}
