/** Forms of a process: what shows them reads them. The interpreter only passes on which form a task has. */
import type { ChildBinding } from '../contract/facts.js';

/** A form that is deployed by itself, or the key of one embedded in the BPMN file. */
export type FormLink = { formID: string; binding: ChildBinding } | { embedded: string };

export interface FormsOfProcess {
  /** The form of the none start event. */
  start?: FormLink;
  /** form-js JSON by the id of its `userTaskForm` element. */
  embedded?: { [id: string]: string };
}

const EMBEDDED = 'camunda-forms:bpmn:';

/** The id of the embedded form that a form key names; undefined if the key means another form. */
export function embeddedFormID(formKey: string): string | undefined {
  return formKey.startsWith(EMBEDDED) ? formKey.slice(EMBEDDED.length) : undefined;
}
