/** Reads a form-js file. It is stored as it came; only what the host relies on is checked. */
import { utf8Length } from '@perdure/lib/model-files/utf8.js';

import { tooLong } from './expressions.js';
import { isObject } from './json-object.js';

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

/** A place in the file, counted from 1. */
interface FormProblem {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

type FormReading = { ok: true; form: FormSchema } | { ok: false; problems: FormProblem[] };

const MAX_FORM_BYTES = 1024 * 1024;
const DEEPEST = 50;
/** Postgres and the console walk values recursively. */
const MAX_VALUE_DEPTH = 200;
const MAX_COMPONENTS = 5_000;
const MAX_PROBLEMS = 100;
const MAX_NAME_LENGTH = 255;

/**
 * Reads a form. Never throws because of its content.
 * @param isEmbedded in a BPMN file, which refers to it by the id of its element, so the form itself needs none
 */
export function readForm(text: string, { isEmbedded = false } = {}): FormReading {
  const bytes = utf8Length(text);
  if (bytes > MAX_FORM_BYTES)
    return refused([{ message: `A form must have at most ${MAX_FORM_BYTES} bytes, but has ${bytes}. Split it.` }]);
  if (isTooDeep(text))
    return refused([{ message: `Values in a form must be nested at most ${MAX_VALUE_DEPTH} levels deep` }]);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return refused([{ message: 'The form is not valid JSON', ...placeOf(error, text) }]);
  }
  if (!isObject(given)) return refused([{ message: 'A form must be a JSON object' }]);
  const problems = [...(isEmbedded ? [] : headProblems(given)), ...componentProblems(given)];
  return problems.length > 0
    ? refused(problems.slice(0, MAX_PROBLEMS))
    : { ok: true, form: given as unknown as FormSchema };
}

function refused(problems: FormProblem[]): FormReading {
  return { ok: false, problems };
}

function headProblems({ id, versionTag }: Record<string, unknown>): FormProblem[] {
  const problems: FormProblem[] = [];
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
function componentProblems({ id, components }: Record<string, unknown>): FormProblem[] {
  if (!Array.isArray(components)) return [{ message: 'A form needs a list of components' }];
  const form = isName(id) ? `form ${JSON.stringify(id)}` : 'the form';
  const problems: FormProblem[] = [];
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

function problemOf(component: unknown, where: string): FormProblem[] {
  if (!isObject(component)) return [{ message: 'A component of a form must be an object' }];
  const { id, key, type, components } = component;
  const name = typeof id === 'string' ? ` ${JSON.stringify(id.slice(0, 100))}` : '';
  if (typeof type !== 'string') return [{ message: `Component${name} needs a type` }];
  if (key !== undefined && typeof key !== 'string') return [{ message: `The key of component${name} must be a text` }];
  if (components !== undefined && !Array.isArray(components))
    return [{ message: `The components of component${name} must be a list` }];
  return tooLong(component).map((problem) => ({ message: `${problem} Component${name} is at ${where}.` }));
}

/** Postgres cannot store some of them. */
const CONTROL = /[\u0000-\u001f\ud800-\udfff]/u;

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= MAX_NAME_LENGTH && !CONTROL.test(value);
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > MAX_VALUE_DEPTH) return true;
  }
  return false;
}

/** V8 names the position of most errors. */
function placeOf(error: unknown, text: string): { line?: number; column?: number } {
  const position = /position (\d+)/.exec((error as Error).message)?.[1];
  if (position === undefined) return {};
  const before = text.slice(0, Number(position)).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
