/** Reads a form-js file. It is stored as it came; only what the host relies on is checked. */
import { isName, isObject, MAX_NAME_LENGTH, readJsonFile, type FileProblem } from '@perdure/lib/model-files/json.js';
import { tooLong } from './expressions.js';

/** A component of a form: a field, a container, or a decoration. Its other members are read where they matter. */
export interface Component {
  readonly type: string;
  readonly [member: string]: unknown;
}

export interface FormSchema {
  readonly id: string;
  readonly versionTag?: string;
  readonly components: readonly Component[];
}

type FormReading = { ok: true; form: FormSchema } | { ok: false; problems: FileProblem[] };

const MAX_FORM_BYTES = 1024 * 1024;
const DEEPEST = 50;
const MAX_COMPONENTS = 5_000;
const MAX_PROBLEMS = 100;

/**
 * Reads a form. Never throws because of its content.
 * @param isEmbedded in a BPMN file, which refers to it by the id of its element, so the form itself needs none
 */
export function readForm(text: string, { isEmbedded = false } = {}): FormReading {
  const read = readJsonFile(text, { noun: 'form', maxBytes: MAX_FORM_BYTES });
  if (!read.ok) return refused([read.problem]);
  const given = read.value;
  if (!isObject(given)) return refused([{ message: 'A form must be a JSON object' }]);
  const problems = [...(isEmbedded ? [] : headProblems(given)), ...componentProblems(given)];
  return problems.length > 0
    ? refused(problems.slice(0, MAX_PROBLEMS))
    : { ok: true, form: given as unknown as FormSchema };
}

function refused(problems: FileProblem[]): FormReading {
  return { ok: false, problems };
}

function headProblems({ id, versionTag }: Record<string, unknown>): FileProblem[] {
  const problems: FileProblem[] = [];
  if (!isName(id)) problems.push({ message: `A form needs an id: a text of 1 to ${MAX_NAME_LENGTH} characters` });
  if (versionTag !== undefined && !isName(versionTag))
    problems.push({ message: `The versionTag of a form must be a text of 1 to ${MAX_NAME_LENGTH} characters` });
  return problems;
}

/** A component, and where the form has it: a JSON pointer. */
interface Placed {
  component: unknown;
  path: string;
}

/** Walks level by level: a deep form must not exhaust the stack. */
function componentProblems({ id, components }: Record<string, unknown>): FileProblem[] {
  if (!Array.isArray(components)) return [{ message: 'A form needs a list of components' }];
  const form = isName(id) ? `form ${JSON.stringify(id)}` : 'the form';
  const problems: FileProblem[] = [];
  let level = placed(components, '');
  let count = 0;
  for (let depth = 1; level.length > 0; depth++) {
    count += level.length;
    if (depth > DEEPEST) return [...problems, { message: `Components must be nested at most ${DEEPEST} levels deep` }];
    if (count > MAX_COMPONENTS)
      return [...problems, { message: `A form must have at most ${MAX_COMPONENTS} components. Split it.` }];
    problems.push(...level.flatMap(({ component, path }) => problemOf(component, `${path} of ${form}`)));
    level = level.flatMap(({ component, path }) =>
      isObject(component) && Array.isArray(component['components']) ? placed(component['components'], path) : [],
    );
  }
  return problems;
}

function placed(components: readonly unknown[], path: string): Placed[] {
  return components.map((component, index) => ({ component, path: `${path}/components/${index}` }));
}

function problemOf(component: unknown, where: string): FileProblem[] {
  if (!isObject(component)) return [{ message: 'A component of a form must be an object' }];
  const { id, key, type, components } = component;
  const name = typeof id === 'string' ? ` ${JSON.stringify(id.slice(0, 100))}` : '';
  if (typeof type !== 'string') return [{ message: `Component${name} needs a type` }];
  if (key !== undefined && typeof key !== 'string') return [{ message: `The key of component${name} must be a text` }];
  if (components !== undefined && !Array.isArray(components))
    return [{ message: `The components of component${name} must be a list` }];
  return tooLong(component).map((problem) => ({ message: `${problem} Component${name} is at ${where}.` }));
}
