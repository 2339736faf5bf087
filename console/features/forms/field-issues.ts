/** Shows the issues that the host found in submitted variables at the fields of the form. */
import type { Form } from '@bpmn-io/form-js-viewer';
import { ApiProblem } from '../../frame/api/client.js';

/** A field of the drawn form. A field of a list exists once per item. */
interface FieldInstance {
  id: string;
  /** The path of its value in the data of the form. */
  valuePath: readonly (string | number)[];
  /** The indexes of the items around it, by the ids of their lists. */
  indexes?: Readonly<Record<string, number>>;
}

/** Messages by the id of a field, below the indexes of the items around it. */
interface Errors {
  [step: string]: string[] | Errors;
}

/** Marks the fields of the issues. form-js removes a mark when its field changes or the form is submitted. */
export function showIssues(form: Form, error: unknown): void {
  const issues = error instanceof ApiProblem ? error.issuesWithPath : [];
  if (issues.length === 0) return;
  const errors: Errors = {};
  for (const field of form.get<{ getAllKeyed(): FieldInstance[] }>('formFieldInstanceRegistry').getAllKeyed()) {
    const path = pointerTo(field);
    const messages = issues.filter((issue) => issue.path === path).map(({ message }) => asSentence(message));
    if (messages.length > 0) setAt(errors, [field.id, ...Object.values(field.indexes ?? {}).map(String)], messages);
  }
  // form-js 2.0 has no public way to set errors; its own commands use this one.
  form._setState({ errors });
}

function pointerTo({ valuePath }: FieldInstance): string {
  return ['', 'variables', ...valuePath]
    .map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))
    .join('/');
}

/** Messages of the host start with the path of the value. */
function asSentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}

function setAt(errors: Errors, [first, ...others]: readonly string[], messages: string[]): void {
  if (others.length === 0) errors[first!] = messages;
  else setAt((errors[first!] ??= {}) as Errors, others, messages);
}
