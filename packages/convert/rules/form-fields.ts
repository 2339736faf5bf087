/** Form fields in the BPMN file (`formData`, `formProperty`) become a form of form-js, embedded in the same file. */
import type { Context, Rule } from '../context.js';
import { isBpmn } from '../names.js';
import { holdsJuel } from '@perdure/juel/text.js';
import { appendZeebe, engineChildren, engineExtensions, remove, setText, zeebeExtension } from '../xml/edit.js';
import type { Element } from '../xml/document.js';

/** A component of form-js; see its JSON schema, version 16. */
interface Component {
  type: string;
  key: string;
  label: string;
  [property: string]: unknown;
}

const SCHEMA_VERSION = 16;

export const formFields: Rule = (element, context) => {
  if (!isBpmn(element, 'userTask', 'startEvent')) return;
  const groups = engineExtensions(element, 'formData');
  const properties = engineExtensions(element, 'formProperty');
  const fields = [...groups.flatMap((group) => engineChildren(group, 'formField')), ...properties];
  const process = processAround(element);
  if (fields.length > 0 && process) {
    const components = fields.map((field) => component(field, context));
    const id = context.newID(`userTaskForm_${element.getAttribute('id') ?? 'form'}`);
    const form = { type: 'default', id, components, schemaVersion: SCHEMA_VERSION };
    setText(appendZeebe(extensionsOf(process), 'userTaskForm', { id }), JSON.stringify(form));
    zeebeExtension(element, 'formDefinition').setAttribute('formKey', `camunda-forms:bpmn:${id}`);
    context.find('converted', element, `Its ${fields.length} form fields became the embedded form ${id}.`);
  }
  for (const converted of [...groups, ...properties]) remove(converted);
};

function processAround(element: Element): Element | undefined {
  for (let around = element.parentElement; around; around = around.parentElement)
    if (isBpmn(around, 'process')) return around;
  return undefined;
}

/** The extension elements of a process; an element is added to create them, and removed again. */
function extensionsOf(process: Element): Element {
  const properties = zeebeExtension(process, 'properties');
  const extensions = properties.parentElement!;
  if (!properties.firstChild) remove(properties);
  return extensions.parentNode ? extensions : zeebeExtension(process, 'properties').parentElement!;
}

/** By the type of a field; other types are those of Java classes. */
const TYPES: { readonly [type: string]: Partial<Component> & { type: string } } = {
  string: { type: 'textfield' },
  long: { type: 'number', decimalDigits: 0 },
  integer: { type: 'number', decimalDigits: 0 },
  double: { type: 'number' },
  boolean: { type: 'checkbox' },
  date: { type: 'datetime', subtype: 'date' },
  enum: { type: 'select' },
};

function component(field: Element, context: Context): Component {
  const id = field.getAttribute('variable') ?? field.getAttribute('id') ?? '';
  const type = field.getAttribute('type') ?? 'string';
  const known = TYPES[type];
  if (!known)
    context.find(
      'review',
      field,
      `The form field ${id} has the type ${type}, for which there is no component; it became a text field.`,
    );
  const validate = validation(field);
  const initial =
    field.getAttribute('defaultValue') ?? field.getAttribute('default') ?? field.getAttribute('expression');
  if (initial && holdsJuel(initial))
    context.find(
      'review',
      field,
      `The default value of the form field ${id} is an expression and was left out. Set the variable before the task.`,
    );
  return {
    ...(known ?? { type: 'textfield' }),
    key: id,
    label: field.getAttribute('label') ?? field.getAttribute('name') ?? id,
    ...(known?.type === 'select' && { values: options(field) }),
    ...(initial && !holdsJuel(initial) && { defaultValue: typed(initial, type) }),
    ...(isReadOnly(field) && { readonly: true }),
    ...(Object.keys(validate).length > 0 && { validate }),
  };
}

function typed(text: string, type: string): unknown {
  if (type === 'boolean') return text === 'true';
  return ['long', 'integer', 'double'].includes(type) ? Number(text) : text;
}

function options(field: Element): { label: string; value: string }[] {
  return engineChildren(field, 'value').map((value) => {
    const id = value.getAttribute('id') ?? '';
    return { label: value.getAttribute('name') ?? id, value: id };
  });
}

function isReadOnly(field: Element): boolean {
  return field.getAttribute('writable') === 'false' || constraint(field, 'readonly') !== undefined;
}

/** Rules of form-js by the name of the constraint. */
const RULES: readonly (readonly [constraint: string, rule: string])[] = [
  ['min', 'min'],
  ['max', 'max'],
  ['minlength', 'minLength'],
  ['maxlength', 'maxLength'],
];

function validation(field: Element): { [rule: string]: number | boolean } {
  const rules: { [rule: string]: number | boolean } = {};
  if (field.getAttribute('required') === 'true' || constraint(field, 'required') !== undefined)
    rules['required'] = true;
  for (const [name, rule] of RULES) {
    const limit = constraint(field, name)?.getAttribute('config');
    if (limit) rules[rule] = Number(limit);
  }
  return rules;
}

function constraint(field: Element, name: string): Element | undefined {
  const [group] = engineChildren(field, 'validation');
  return group && engineChildren(group, 'constraint').find((each) => each.getAttribute('name') === name);
}
