/**
 * Reads the variables of a section from an environment, each once.
 *
 * An empty variable counts as unset, because container tools pass unset variables as empty ones.
 */
import type { AnyVariables, Environment, Section, ValuesOf, Variable } from './variable.js';

interface Reading<Values> {
  /** The valid values; complete if there are no problems. */
  readonly values: Partial<Values>;
  /** One sentence per mistake. */
  readonly problems: readonly string[];
}

export function readSection<Variables extends AnyVariables>(
  { variables }: Section<Variables>,
  environment: Environment,
): Reading<ValuesOf<Variables>> {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, declared] of Object.entries(variables)) {
    const given = environment[name] || declared.default;
    if (given === undefined) {
      if (declared.isRequired) problems.push(`${name} is not set; it must be ${declared.kind.expected}`);
      continue;
    }
    const result = declared.kind.schema.safeParse(given);
    if (result.success) values[name] = result.data;
    else problems.push(describeMistake(name, declared, given));
  }
  return { values: values as Partial<ValuesOf<Variables>>, problems };
}

/** The one form of a message about a wrong value. */
export function describeMistake(
  name: string,
  { kind, isSecret }: Pick<Variable<unknown>, 'kind' | 'isSecret'>,
  given: string,
): string {
  const found = isSecret
    ? 'is not (value hidden because it is secret)'
    : `is ${JSON.stringify(withoutCredentials(given))}`;
  return `${name} must be ${kind.expected}, but ${found}`;
}

/** A URL in the wrong variable can carry a password. */
function withoutCredentials(given: string): string {
  return given.replaceAll(/\/\/[^\s/]*@/g, '//***@');
}
