/** Checks submitted variables against a form, as form-js checks them before it submits. Pure. */
import type { VariableLookup } from '@perdure/feel/evaluate.js';
import { valueProblems, type Limits } from './check-value.js';
import { isExpression, type LimitName } from './expressions.js';
import { isObject } from '@perdure/lib/model-files/json.js';
import type { Component, FormSchema } from './read-form.js';
import { dataOf, scopeOf, stepsOf, type Item } from './scope.js';
import { Submission, WorkSpent, type FormIssue } from './submission.js';

export type { FormIssue } from './submission.js';

/** Fields with a value that a person can set. */
const FIELDS = new Set([
  'checkbox',
  'checklist',
  'datetime',
  'filepicker',
  'number',
  'radio',
  'select',
  'taglist',
  'textarea',
  'textfield',
]);

interface Submitted {
  variables: Record<string, unknown>;
  /** Variables visible at the task, which conditions and limits can read in addition. */
  visible: Record<string, unknown>;
  /** Epoch milliseconds: the value of `now()` in conditions. */
  now: number;
}

/** Surroundings of a component: the form itself or an item of a list. */
interface Place {
  path: readonly (string | number)[];
  value: unknown;
  /** Variables of its expressions. */
  scope: VariableLookup;
  item: Item;
}

/** Every issue, in the order of the fields; empty if the form accepts the variables. */
export function validateForm(form: FormSchema, { variables, visible, now }: Submitted): FormIssue[] {
  const submission = new Submission(now);
  const data = dataOf(form.components, variables, visible);
  const item = { self: data, parent: null, indexes: [] };
  const place: Place = { path: ['variables'], value: variables, scope: scopeOf(data, item), item };
  try {
    checkAll(form.components, place, { submission, data });
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
    submission.report(['variables'], `cannot be checked, because the form and its values have ${error.message}`);
  }
  return submission.issues;
}

interface Checking {
  submission: Submission;
  data: Record<string, unknown>;
}

function checkAll(components: readonly Component[], place: Place, checking: Checking): void {
  for (const component of components) {
    checking.submission.countCheck();
    if (isHidden(component, place, checking)) continue;
    if (component.type === 'dynamiclist') checkList(component, place, checking);
    else if (Array.isArray(component['components']))
      checkAll(component['components'] as Component[], inside(component, place), checking);
    else if (FIELDS.has(component.type) && component['disabled'] !== true) checkField(component, place, checking);
  }
}

function isHidden({ conditional }: Component, { scope }: Place, { submission }: Checking): boolean {
  const hide = isObject(conditional) ? conditional['hide'] : undefined;
  if (!isExpression(hide)) return false;
  // form-js evaluates conditions as unary tests of null, so one that evaluates to null is true.
  const hidden = submission.evaluate(hide, scope);
  return hidden === true || hidden === null;
}

/** The `path` of a group puts its fields into a nested object. */
function inside({ path }: Component, place: Place): Place {
  const steps = stepsOf(path);
  return { ...place, path: [...place.path, ...steps], value: at(place.value, steps) };
}

function checkList(list: Component, place: Place, checking: Checking): void {
  const { path, value } = inside(list, place);
  if (value === undefined || value === null) return;
  if (!Array.isArray(value)) return checking.submission.report(path, 'must be a list');
  const components = Array.isArray(list['components']) ? (list['components'] as Component[]) : [];
  for (const [index, self] of value.entries()) {
    checking.submission.countCheck();
    const here = [...path, index];
    if (!isObject(self)) {
      checking.submission.report(here, 'must be an object');
      continue;
    }
    const item = { self, parent: place.item.self, indexes: [...place.item.indexes, index + 1] };
    checkAll(components, { path: here, value: self, scope: scopeOf(checking.data, item), item }, checking);
  }
}

function checkField(field: Component, place: Place, { submission }: Checking): void {
  const steps = stepsOf(field['key']);
  if (steps.length === 0) return;
  const limits = limitsOf(field, place, submission);
  for (const problem of valueProblems(field, at(place.value, steps), limits, submission))
    submission.report([...place.path, ...steps], problem);
}

function limitsOf({ validate }: Component, { scope }: Place, submission: Submission): Limits {
  if (!isObject(validate)) return { required: false };
  const number = (name: LimitName) => {
    const given = validate[name];
    const value = isExpression(given) ? submission.evaluate(given, scope) : given;
    const limit = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof limit === 'number' && Number.isFinite(limit) ? { [name]: limit } : {};
  };
  const { required, pattern } = validate;
  return {
    required: required === true,
    ...number('min'),
    ...number('max'),
    ...number('minLength'),
    ...number('maxLength'),
    ...(typeof pattern === 'string' && pattern !== '' && { pattern }),
  };
}

function at(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (found, step) => (isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined),
    value,
  );
}
