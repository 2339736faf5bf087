/** The forms of a project, with the nodes that show them. */
import { rows, type Queryable } from '../sql/database.js';
import { Filter, listPage, type Page, type PageRequest } from '../sql/page.js';

export interface ListedForm {
  formID: string;
  version: number;
  versionTag: string | null;
  deploymentID: string;
  createdAt: Date;
  /** In the newest version of each process, whatever version of the form the node is bound to. */
  usedBy: readonly FormUse[];
}

export interface FormUse {
  processID: string;
  nodeID: string;
}

const columns = `f.form_id AS "formID", f.version, f.version_tag AS "versionTag", f.deployment_id AS "deploymentID", f.created_at AS "createdAt"`;
const isNewest =
  'NOT EXISTS (SELECT FROM forms n WHERE n.project_id = f.project_id AND n.form_id = f.form_id AND n.version > f.version)';

/** The newest version of each form, by form id. */
export async function listForms(database: Queryable, projectID: string, page: PageRequest): Promise<Page<ListedForm>> {
  const filter = new Filter().where('f.project_id = ?', projectID).whereTrue(isNewest);
  const found = await listPage<Omit<ListedForm, 'usedBy'>>(
    database,
    { columns, table: 'forms f', filter, orderBy: 'f.form_id' },
    page,
  );
  const uses = await usesOf(
    database,
    projectID,
    found.data.map(({ formID }) => formID),
  );
  return { ...found, data: found.data.map((form) => ({ ...form, usedBy: uses.get(form.formID) ?? [] })) };
}

/** By form id: user tasks, and start events with a form. */
async function usesOf(
  database: Queryable,
  projectID: string,
  formIDs: readonly string[],
): Promise<ReadonlyMap<string, FormUse[]>> {
  const uses = new Map<string, FormUse[]>();
  if (formIDs.length === 0) return uses;
  const found = await rows<FormUse & { formID: string }>(
    database,
    `SELECT u.form_id AS "formID", d.process_id AS "processID", u.node_id AS "nodeID"
     FROM form_uses u JOIN definitions d ON d.id = u.definition_id
     WHERE u.project_id = $1 AND u.form_id = ANY ($2::text[]) AND NOT EXISTS (
       SELECT FROM definitions n WHERE n.project_id = d.project_id AND n.process_id = d.process_id AND n.version > d.version)
     ORDER BY d.process_id, u.node_id COLLATE "C"`,
    [projectID, formIDs],
  );
  for (const { formID, ...use } of found) uses.set(formID, [...(uses.get(formID) ?? []), use]);
  return uses;
}
