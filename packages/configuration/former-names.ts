/** Former names of environment variables, accepted with a warning for one release. */
import type { Environment, Section } from './variable.js';

/**
 * The environment under the current names. If a variable is set under both names, the current name wins.
 * @param warn receives one sentence per former name that is set
 */
export function withCurrentNames(
  environment: Environment,
  sections: readonly Section[],
  warn: (sentence: string) => void,
): Environment {
  const renamed = { ...environment };
  for (const [former, current] of formerNames(sections)) {
    const value = environment[former];
    if (!value) continue;
    renamed[current] ||= value;
    warn(`${former} is deprecated. Set ${current} instead.`);
  }
  return renamed;
}

/** Former name and current name. */
export function formerNames(sections: readonly Section[]): [string, string][] {
  return sections.flatMap(({ variables }) =>
    Object.entries(variables).flatMap(([name, { formerName }]): [string, string][] =>
      formerName === undefined ? [] : [[formerName, name]],
    ),
  );
}
