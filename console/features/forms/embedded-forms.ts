/** How the form keys of forms in the same file begin. */
export const embeddedFormKey = 'camunda-forms:bpmn:';

/** The forms inside a BPMN file, by the form key that user tasks name them with (`camunda-forms:bpmn:<id>`). Text that is not JSON is skipped. */
export function readEmbeddedForms(xml: string): ReadonlyMap<string, object> {
  const document = new DOMParser().parseFromString(xml, 'application/xml');
  const forms = new Map<string, object>();
  for (const element of document.getElementsByTagNameNS('http://camunda.org/schema/zeebe/1.0', 'userTaskForm')) {
    const schema = parse(element.textContent);
    if (schema !== undefined) forms.set(`${embeddedFormKey}${element.id}`, schema);
  }
  return forms;
}

function parse(text: string | null): object | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
