/** Element templates of a project. A deployment replaces all with the ids that it contains. */
import type { ElementTemplate } from '../definitions/bundle.js';
import { firstRow, rows, type Queryable, type Transaction } from '../sql/database.js';
import { Filter, listPage, type Page, type PageRequest } from '../sql/page.js';
import { refused, type Refusal } from '../sql/refusal.js';

/** Of one project: modelers read all of them. */
const MAX_TEMPLATES = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;

export interface StoredTemplate {
  templateID: string;
  version: number | null;
  deploymentID: string;
  createdAt: Date;
  /** JSON. */
  template: string;
}

const columns = `t.template_id AS "templateID", t.version, t.deployment_id AS "deploymentID", t.created_at AS "createdAt",
  t.template::text AS template`;

/** By id; of one id the newest version first. */
export function listElementTemplates(
  database: Queryable,
  projectID: string,
  page: PageRequest,
): Promise<Page<StoredTemplate>> {
  return listPage(
    database,
    {
      columns,
      table: 'element_templates t',
      filter: new Filter().where('t.project_id = ?', projectID),
      orderBy: 't.template_id, coalesce(t.version, -1) DESC',
    },
    page,
  );
}

/** JSON of the templates with one of the ids, by id. */
export async function templatesByID(
  transaction: Transaction,
  projectID: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (ids.length === 0) return found;
  for (const { id, template } of await rows<{ id: string; template: string }>(
    transaction,
    'SELECT template_id AS id, template::text AS template FROM element_templates WHERE project_id = $1 AND template_id = ANY($2::text[])',
    [projectID, ids],
  ))
    found.set(id, [...(found.get(id) ?? []), template]);
  return found;
}

/** The refusal of templates with which the project would have too many. Its lock keeps others from being added. */
export async function refusalOfTemplates(
  transaction: Transaction,
  projectID: string,
  templates: readonly ElementTemplate[],
): Promise<Refusal<'CONFLICT'> | undefined> {
  if (templates.length === 0) return undefined;
  const others = (await firstRow<{ count: number; bytes: number }>(
    transaction,
    `SELECT count(*)::integer AS count, coalesce(sum(octet_length(template::text)), 0)::integer AS bytes
     FROM element_templates WHERE project_id = $1 AND template_id <> ALL($2::text[])`,
    [projectID, templates.map(({ id }) => id)],
  ))!;
  const count = others.count + templates.length;
  const bytes = templates.reduce((sum, { text }) => sum + Buffer.byteLength(text), others.bytes);
  if (count <= MAX_TEMPLATES && bytes <= MAX_BYTES) return undefined;
  return refused(
    'CONFLICT',
    `Project ${projectID} would have ${count} element templates with ${bytes} bytes, but may have ${MAX_TEMPLATES} with ${MAX_BYTES}. ` +
      'Deploy fewer templates, or replace large ones with smaller ones.',
  );
}

export async function replaceTemplates(
  transaction: Transaction,
  {
    projectID,
    deploymentID,
    templates,
  }: { projectID: string; deploymentID: string; templates: readonly ElementTemplate[] },
): Promise<void> {
  await transaction.query('DELETE FROM element_templates WHERE project_id = $1 AND template_id = ANY($2::text[])', [
    projectID,
    templates.map(({ id }) => id),
  ]);
  await transaction.query(
    `INSERT INTO element_templates (project_id, deployment_id, template_id, version, template)
     SELECT $1, $2, each.id, each.version, each.template::json
     FROM unnest($3::text[], $4::integer[], $5::text[]) AS each(id, version, template)`,
    [
      projectID,
      deploymentID,
      templates.map(({ id }) => id),
      templates.map(({ version }) => version ?? null),
      templates.map(({ text }) => text),
    ],
  );
}
