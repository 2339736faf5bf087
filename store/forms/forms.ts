/** Deployed forms by id, and the form that starts a process. */
import type { FormsOfProcess } from '@perdure/engine/model/forms.js';
import { ordinaryProject } from '../projects/tests.js';
import { firstRow, type Queryable } from '../sql/database.js';
import { boundForm } from './bound-form.js';

/** A form to show. One that is embedded in a BPMN file has only its schema. */
export interface Form {
  formID?: string;
  version?: number;
  versionTag?: string | null;
  deploymentID?: string;
  /** form-js JSON. */
  schema: string;
}

const columns = `f.form_id AS "formID", f.version, f.version_tag AS "versionTag", f.deployment_id AS "deploymentID", f.schema::text AS schema`;

/** A version of a form (default: the newest). */
export function findForm(
  database: Queryable,
  projectID: string,
  formID: string,
  version?: number,
): Promise<Form | undefined> {
  return firstRow(
    database,
    `SELECT ${columns} FROM forms f WHERE f.project_id = $1 AND f.form_id = $2 AND ($3::int IS NULL OR f.version = $3)
     ORDER BY f.version DESC LIMIT 1`,
    [projectID, formID, version ?? null],
  );
}

export function findFormVersion(database: Queryable, id: string): Promise<Form | undefined> {
  return firstRow(database, `SELECT ${columns} FROM forms f WHERE f.id = $1`, [id]);
}

/** The form of the none start event; undefined without one, or while it is not deployed. */
export async function findStartForm(
  database: Queryable,
  projectID: string,
  definitionID: string,
): Promise<Form | undefined> {
  const forms = await formsOfDefinition(database, projectID, definitionID);
  const start = forms?.start;
  if (start === undefined) return undefined;
  if ('embedded' in start) return embeddedForm(forms!, start.embedded);
  const place = { projectID: '$1', formID: '$2', binding: '$3::json', definitionID: '$4::uuid' };
  return firstRow(database, `SELECT ${columns} FROM forms f WHERE f.id = ${boundForm(place)}`, [
    projectID,
    start.formID,
    JSON.stringify(start.binding),
    definitionID,
  ]);
}

export async function formsOfDefinition(
  database: Queryable,
  projectID: string,
  definitionID: string,
): Promise<FormsOfProcess | undefined> {
  const row = await firstRow<{ forms: FormsOfProcess | null }>(
    database,
    `SELECT forms FROM definitions WHERE ${ordinaryProject('project_id')} = ${ordinaryProject('$1')} AND id = $2`,
    [projectID, definitionID],
  );
  return row?.forms ?? undefined;
}

export function embeddedForm({ embedded = {} }: FormsOfProcess, id: string): Form | undefined {
  return Object.hasOwn(embedded, id) ? { schema: embedded[id]! } : undefined;
}

/** Whether the project wants submitted variables to be checked. */
export async function validatesForms(database: Queryable, projectID: string): Promise<boolean> {
  const row = await firstRow<{ validates: boolean }>(
    database,
    'SELECT validate_forms AS validates FROM projects WHERE id = $1',
    [projectID],
  );
  return row?.validates === true;
}
