import type { Variables } from '@perdure/engine/contract/json.js';

/** `fromEntries` defines members, so that a variable called `__proto__` is handled like any other. */
export function pickVariables(variables: Variables, names: readonly string[]): Variables {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(variables, name)).map((name) => [name, variables[name]!]),
  );
}
