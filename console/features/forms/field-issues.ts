/** Issues that the host found in submitted variables, at the fields of their form. */
import type { Form } from '@bpmn-io/form-js-viewer';
import { ApiProblem } from '../../frame/api/client.js';

/** A field as it is drawn: one of a list once per item. */
interface FieldInstance {
  id: string;
  /** Where its value is in the data of the form. */
  valuePath: readonly (string | number)[];
  /** The positions in the lists around it. */
  indexes?: Readonly<Record<string, number>>;
}

/** Messages by the id of a field, below the positions in the lists around it. */
interface Errors {
  [step: string]: string[] | Errors;
}

/** Marks the fields that the issues are about. form-js takes a mark away when its field changes or the form is submitted. */
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

/** The messages of the host follow the path of a value. */
function asSentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}

function setAt(errors: Errors, [first, ...others]: readonly string[], messages: string[]): void {
  if (others.length === 0) errors[first!] = messages;
  else setAt((errors[first!] ??= {}) as Errors, others, messages);
}
