/** The form of a user task. Its version is fixed when the task is created, or once a version exists. */
import { firstRow, type Queryable } from '../sql/database.js';
import type { UserTaskKey } from '../work/user-tasks/tasks.js';
import { boundForm, isEmbedded } from './bound-form.js';
import { embeddedForm, findFormVersion, formsOfDefinition, type Form } from './forms.js';

interface TaskForm {
  embeddedID: string | null;
  definitionID: string;
  formVersionID: string | null;
  /** Whether the task waits for a version of its form. */
  isMissing: boolean;
}

/** Undefined if the task has no form, or no version of it is deployed yet. */
export async function findTaskForm(database: Queryable, key: UserTaskKey): Promise<Form | undefined> {
  const task = await readTask(database, key);
  if (!task) return undefined;
  if (task.embeddedID !== null) {
    const forms = await formsOfDefinition(database, key.projectID, task.definitionID);
    return forms && embeddedForm(forms, task.embeddedID);
  }
  if (task.isMissing) await fixVersion(database, key);
  const formVersionID = task.isMissing ? (await readTask(database, key))?.formVersionID : task.formVersionID;
  return formVersionID ? findFormVersion(database, formVersionID) : undefined;
}

const ofTask = 't.project_id = $1 AND t.workflow_id = $2 AND t.number = $3';

/** A bundle never changes: what was not in it when the task was created never will be. */
const isMissing = `t.form_id IS NOT NULL AND t.form_version_id IS NULL AND t.status = 'CREATED'
  AND coalesce(t.form_binding ->> 'kind', 'latest') <> 'deployment'`;

function readTask(database: Queryable, { projectID, workflowID, number }: UserTaskKey): Promise<TaskForm | undefined> {
  return firstRow(
    database,
    `SELECT CASE WHEN ${isEmbedded('t.form_key')} THEN split_part(t.form_key, ':', 3) END AS "embeddedID",
       coalesce(t.form_definition_id, i.definition_id) AS "definitionID", t.form_version_id AS "formVersionID",
       ${isMissing} AS "isMissing"
     FROM user_tasks t JOIN instances i ON i.workflow_id = t.workflow_id WHERE ${ofTask}`,
    [projectID, workflowID, number],
  );
}

/** The first of several requests fixes it. */
async function fixVersion(database: Queryable, { projectID, workflowID, number }: UserTaskKey): Promise<void> {
  const form = boundForm({
    projectID: 't.project_id',
    formID: 't.form_id',
    binding: 't.form_binding',
    definitionID: 'NULL::uuid',
  });
  await database.query(
    `UPDATE user_tasks t SET form_version_id = ${form} WHERE ${ofTask} AND ${isMissing} AND ${form} IS NOT NULL`,
    [projectID, workflowID, number],
  );
}
