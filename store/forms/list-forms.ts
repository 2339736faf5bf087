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

/** By form id: user tasks, and start events with a form. Only graphs that name a form are read as JSON. */
async function usesOf(
  database: Queryable,
  projectID: string,
  formIDs: readonly string[],
): Promise<ReadonlyMap<string, FormUse[]>> {
  const uses = new Map<string, FormUse[]>();
  if (formIDs.length === 0) return uses;
  const found = await rows<FormUse & { formID: string }>(
    database,
    `WITH newest AS MATERIALIZED (
       SELECT DISTINCT ON (d.process_id) d.process_id, d.graph_sha256, d.forms #>> '{start,formID}' AS start_form
       FROM definitions d WHERE d.project_id = $1 ORDER BY d.process_id, d.version DESC),
     named AS MATERIALIZED (
       SELECT n.process_id, n.start_form, g.graph::json AS graph FROM newest n JOIN graphs g ON g.sha256 = n.graph_sha256
       WHERE n.start_form = ANY ($2::text[]) OR g.graph LIKE '%"formID":%')
     SELECT * FROM (
       SELECT n.process_id AS "processID", node ->> 'id' AS "nodeID", node #>> '{formID,literal}' AS "formID"
       FROM named n CROSS JOIN json_array_elements(n.graph -> 'nodes') node WHERE node ->> 'kind' = 'userTask'
       UNION ALL
       SELECT n.process_id, coalesce(n.graph #>> '{nodes,0,start}', n.process_id), n.start_form FROM named n) used
     WHERE used."formID" = ANY ($2::text[]) ORDER BY "processID" COLLATE "C", "nodeID" COLLATE "C"`,
    [projectID, formIDs],
  );
  for (const { formID, ...use } of found) uses.set(formID, [...(uses.get(formID) ?? []), use]);
  return uses;
}
