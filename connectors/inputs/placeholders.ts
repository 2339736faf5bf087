/**
 * `{{secrets.NAME}}` in the input mappings of a deployed model.
 *
 * The engine evaluates a mapping with the text as it is, so no secret is ever in a variable. Here the mapping is evaluated
 * again with a random placeholder instead of each name. A placeholder replaces only names that the *model* wrote:
 * the same text from a variable stays text.
 */
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import type { Expression, Mapping } from '@perdure/engine/model/graph.js';
import { compile, Evaluation, toJson } from '@perdure/feel/evaluate.js';
import { TaskError } from '../results/task-error.js';
import { createToken, replaceTokens } from './tokens.js';

/** As many as fit into a request of 1 MiB. Each mapping counts those below its target, because several can have the same one. */
const MAX_VALUES = 500_000;

const REFERENCE = /\{\{\s*secrets\.([A-Za-z_][\w-]{0,99})\s*\}\}/g;

/** A text of the model that names a secret. */
export interface Placeholder {
  readonly token: string;
  readonly secretName: string;
  /** As written in the model. */
  readonly reference: string;
}

export interface Template {
  /** The variables, with placeholders in the inputs. */
  readonly inputs: Variables;
  readonly placeholders: readonly Placeholder[];
}

/**
 * @param sent the inputs that can name secrets
 * @param variables the variables of the job, including its inputs
 * @throws TaskError `SECRET_REFUSED` if a placeholder cannot be distinguished from the text of a variable, or that is too much work
 */
export function templateOf(
  sent: readonly string[],
  mappings: readonly Mapping[],
  variables: Variables,
  now: number,
): Template {
  const placeholders = new Placeholders();
  // The connectors evaluate on their event loop, so all mappings of a job share one budget.
  const evaluation = new Evaluation({ now, mode: 'strict' });
  let inputs = variables;
  for (const { source, target } of mappings) {
    if (!sent.includes(target[0]!)) continue;
    const marked = placeholders.markSource(source);
    if (marked === undefined) continue;
    const place = target.join('.');
    const again = evaluateAgain(marked, variables, evaluation, place);
    inputs = update(inputs, target, (present) => merge(present, again, placeholders, place)) as Variables;
  }
  return { inputs, placeholders: placeholders.all };
}

class Placeholders {
  readonly all: Placeholder[] = [];
  readonly #byReference = new Map<string, Placeholder>();
  readonly #byToken = new Map<string, Placeholder>();
  #values = 0;

  /** The source with placeholders; undefined if it names no secret. */
  markSource(source: Expression): Expression | undefined {
    const before = JSON.stringify(source);
    const marked = mapStrings(source as unknown as Json, (text) => this.#mark(text)) as unknown as Expression;
    return JSON.stringify(marked) === before ? undefined : marked;
  }

  /** The text that the engine evaluated. */
  restore(text: string): string {
    return replaceTokens(text, (token) => this.#byToken.get(token)?.reference);
  }

  isNamedIn(text: string): boolean {
    return (text.match(REFERENCE) ?? []).some((reference) => this.#byReference.has(reference));
  }

  countValue(place: string): void {
    this.#values += 1;
    if (this.#values > MAX_VALUES)
      throw refused(
        place,
        `The inputs that name secrets have more than ${MAX_VALUES} values. Map the text that names a secret alone.`,
      );
  }

  #mark(text: string): string {
    return text.replace(REFERENCE, (reference, secretName: string) => {
      const known = this.#byReference.get(reference);
      if (known) return known.token;
      const added = { token: createToken(), secretName, reference };
      this.all.push(added);
      this.#byReference.set(reference, added);
      this.#byToken.set(added.token, added);
      return added.token;
    });
  }
}

function evaluateAgain(source: Expression, variables: Variables, evaluation: Evaluation, place: string): Json {
  if ('literal' in source) return source.literal;
  const result = evaluation.evaluate(compile(source.feel), variables);
  if (result.ok) return toJson(result.value) as Json;
  if (result.error.code !== 'BUDGET') return null;
  throw refused(place, `${result.error.message} All inputs that name secrets share this limit.`);
}

function refused(place: string, reason: string): TaskError {
  return new TaskError('SECRET_REFUSED', `The input ${place} cannot be evaluated again: ${reason}`);
}

/** The current value, with placeholders where the second evaluation has the same text. */
function merge(present: Json | undefined, again: Json, placeholders: Placeholders, place: string): Json {
  placeholders.countValue(place);
  if (typeof present === 'string') {
    if (typeof again === 'string' && placeholders.restore(again) === present) return again;
    if (!placeholders.isNamedIn(present)) return present;
    throw new TaskError(
      'SECRET_REFUSED',
      `The input ${place} cannot be evaluated again with the same result. Map the text that names a secret alone, for example to headers.Authorization.`,
    );
  }
  if (Array.isArray(present)) {
    const items = Array.isArray(again) ? again : [];
    return present.map((item, index) => merge(item, items[index] ?? null, placeholders, place));
  }
  if (present === null || typeof present !== 'object') return present ?? null;
  const members = again !== null && typeof again === 'object' && !Array.isArray(again) ? again : {};
  return Object.fromEntries(
    Object.entries(present).map(([name, item]) => [
      name,
      merge(item, Object.hasOwn(members, name) ? members[name]! : null, placeholders, place),
    ]),
  );
}

function update(value: Json, [name, ...rest]: readonly string[], change: (present: Json | undefined) => Json): Json {
  const members = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  const present = Object.hasOwn(members, name!) ? members[name!] : undefined;
  if (present === undefined) return value;
  return { ...members, [name!]: rest.length === 0 ? change(present) : update(present, rest, change) };
}

/** All strings that are values, of any JSON. */
export function mapStrings(json: Json, change: (text: string) => string): Json {
  if (typeof json === 'string') return change(json);
  if (Array.isArray(json)) return json.map((item) => mapStrings(item, change));
  if (json === null || typeof json !== 'object') return json;
  return Object.fromEntries(Object.entries(json).map(([name, item]) => [name, mapStrings(item, change)]));
}
