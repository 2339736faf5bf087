/** Checks submitted variables against a form, in projects with the setting `validateForms`. */
import { readForm } from '@perdure/forms/read-form.js';
import { validateForm } from '@perdure/forms/validate.js';
import { findStartForm, validatesForms, type Form } from '../../../../store/forms/forms.js';
import { findTaskForm } from '../../../../store/forms/task-form.js';
import type { Queryable } from '../../../../store/sql/database.js';
import type { ApiContext } from '../../../context.js';
import { problem, type Problem } from '../../../contract/problem.js';
import type { FoundTask } from '../../user-tasks/shared/user-task.js';

type Variables = Record<string, unknown>;

/** The problem for variables that the form of the task refuses. */
export async function checkTaskForm(
  { store }: ApiContext,
  { key, task }: FoundTask,
  variables: Variables = {},
): Promise<Problem<'BAD_REQUEST'> | undefined> {
  // A task that has ended keeps its answer.
  if (task.status !== 'CREATED' || (task.formID === null && task.formKey === null)) return undefined;
  if (!(await validatesForms(store, key.projectID))) return undefined;
  return check(await findTaskForm(store, key), variables, task.variables);
}

/** The problem for variables that the start form of the process refuses, in a project that checks them. */
export async function checkStartForm(
  database: Queryable,
  { projectID, definitionID }: { projectID: string; definitionID: string },
  variables: Variables = {},
): Promise<Problem<'BAD_REQUEST'> | undefined> {
  return check(await findStartForm(database, projectID, definitionID), variables, {});
}

function check(form: Form | undefined, variables: Variables, visible: Variables): Problem<'BAD_REQUEST'> | undefined {
  const reading = form && readForm(form.schema, { isEmbedded: form.formID === undefined });
  if (!reading?.ok) return undefined;
  const issues = validateForm(reading.form, { variables, visible, now: Date.now() });
  if (issues.length === 0) return undefined;
  const [first] = issues;
  return problem('BAD_REQUEST', `The form refuses the variables: ${first!.path}: ${first!.message}`, {
    details: { issues },
  });
}
