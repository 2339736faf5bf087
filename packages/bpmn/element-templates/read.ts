/**
 * Reads a file of element templates: one template or a list, as the public JSON schema of Camunda 8 has them. Modelers use
 * them, and processes do not. So only what a modeler cannot do without is an error.
 */
import { isName, isObject, MAX_NAME_LENGTH, readJsonFile } from '@perdure/lib/model-files/json.js';
import { utf8Length } from '@perdure/lib/model-files/utf8.js';
import { MAX_PROPERTIES, propertyProblems, type TemplateProblem } from './properties.js';

/** One template. Several in a file can have the same id if their versions differ. */
export interface ElementTemplate {
  readonly id: string;
  readonly version?: number;
  readonly name: string;
  /** Types of BPMN elements, such as `bpmn:ServiceTask`. */
  readonly appliesTo: readonly string[];
  /** JSON of the whole template. */
  readonly text: string;
}

export interface TemplateReading {
  /** Empty if a problem is an error. */
  readonly templates: readonly ElementTemplate[];
  readonly problems: readonly TemplateProblem[];
}

const MAX_TEMPLATES = 200;
/** Of one template, without spaces. Icons are part of it. */
const MAX_TEMPLATE_BYTES = 256 * 1024;
const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_PROBLEMS = 100;
const MAX_TYPES = 100;
const MAX_VERSION = 2_147_483_647;

/** Never throws because of the content. */
export function readElementTemplates(text: string): TemplateReading {
  const read = readJsonFile(text, { noun: 'file of element templates', maxBytes: MAX_FILE_BYTES });
  if (!read.ok) return { templates: [], problems: [{ severity: 'error', ...read.problem }] };
  const given: readonly unknown[] = Array.isArray(read.value) ? read.value : [read.value];
  if (given.length === 0) return refused('The file has no element template. Add one, or remove the file.');
  if (given.length > MAX_TEMPLATES)
    return refused(`A file must have at most ${MAX_TEMPLATES} element templates, but has ${given.length}. Split it.`);
  const problems: TemplateProblem[] = [];
  const templates: ElementTemplate[] = [];
  for (const [index, one] of given.entries()) {
    const found = problemsOf(one, index);
    problems.push(...found);
    if (problems.length >= MAX_PROBLEMS) break;
    if (!found.some(({ severity }) => severity === 'error'))
      templates.push(toTemplate(one as Omit<ElementTemplate, 'text'>));
  }
  problems.push(...repeated(templates));
  const isRefused = problems.some(({ severity }) => severity === 'error');
  return { templates: isRefused ? [] : templates, problems: problems.slice(0, MAX_PROBLEMS) };
}

function refused(message: string): TemplateReading {
  return { templates: [], problems: [error(message)] };
}

function error(message: string): TemplateProblem {
  return { severity: 'error', message };
}

function toTemplate(given: Omit<ElementTemplate, 'text'>): ElementTemplate {
  const { id, version, name, appliesTo } = given;
  return { id, ...(version !== undefined && { version }), name, appliesTo, text: JSON.stringify(given) };
}

function problemsOf(given: unknown, index: number): TemplateProblem[] {
  if (!isObject(given)) return [error(`Element template ${index + 1} must be a JSON object`)];
  const { id, name, version, appliesTo, properties } = given;
  const which = isName(id) ? `Element template ${JSON.stringify(id)}` : `Element template ${index + 1}`;
  const problems: TemplateProblem[] = [];
  const text = `a text of 1 to ${MAX_NAME_LENGTH} characters`;
  if (!isName(id)) problems.push(error(`${which} needs an id: ${text}`));
  if (!isName(name)) problems.push(error(`${which} needs a name: ${text}`));
  if (version !== undefined && !isVersion(version))
    problems.push(error(`The version of ${lower(which)} must be a whole number from 0 to ${MAX_VERSION}`));
  if (!isListOfTypes(appliesTo))
    problems.push(error(`${which} needs appliesTo: 1 to ${MAX_TYPES} types of elements such as "bpmn:ServiceTask"`));
  if (!Array.isArray(properties)) problems.push(error(`${which} needs a list of properties`));
  else if (properties.length > MAX_PROPERTIES)
    problems.push(error(`${which} must have at most ${MAX_PROPERTIES} properties, but has ${properties.length}`));
  else problems.push(...propertyProblems(properties, lower(which)));
  const bytes = utf8Length(JSON.stringify(given));
  if (bytes > MAX_TEMPLATE_BYTES)
    problems.push(
      error(`${which} must have at most ${MAX_TEMPLATE_BYTES} bytes, but has ${bytes}. Use smaller icons.`),
    );
  return problems;
}

function lower(which: string): string {
  return `e${which.slice(1)}`;
}

function isVersion(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_VERSION;
}

function isListOfTypes(value: unknown): value is string[] {
  const isType = (one: unknown) => isName(one) && /^\w+:\w+$/.test(one);
  return Array.isArray(value) && value.length >= 1 && value.length <= MAX_TYPES && value.every(isType);
}

/** An element names its template by id and version, so no two may have both in common. */
function repeated(templates: readonly ElementTemplate[]): TemplateProblem[] {
  const seen = new Set<string>();
  return templates.flatMap(({ id, version }) => {
    const key = `${version ?? ''} ${id}`;
    if (seen.size < seen.add(key).size) return [];
    const said = version === undefined ? 'without a version' : `with version ${version}`;
    return [error(`Two element templates ${said} have the id ${JSON.stringify(id)}. Remove one of them.`)];
  });
}
