/** Equivalents of the names that JUEL reads, which depend on the place of an expression in its model. */

/** The FEEL equivalent of a name; undefined if none is certain. */
export type Names = (name: string) => string | undefined;

/** Outside of loops every name is that of a variable. */
export const asVariable: Names = (name) => name;

/** Objects that the other engines provide in every expression. */
const PROVIDED: ReadonlySet<string> = new Set([
  'authenticatedUserId',
  'connector',
  'execution',
  'externalTask',
  'task',
  'variableContainer',
]);

/** The same without the objects that the other engines provide: here they would be variables that do not exist. */
export function withoutProvided(names: Names): Names {
  return (name) => (PROVIDED.has(name) ? undefined : names(name));
}

/** The `loopCounter` of other engines starts at 0. */
const FROM_ZERO = '(loopCounter - 1)';
const COUNTERS: ReadonlySet<string> = new Set(['nrOfInstances', 'nrOfActiveInstances', 'nrOfCompletedInstances']);

/** Inside each instance of a multi-instance activity. */
export const insideLoop: Names = (name) => {
  if (name === 'loopCounter') return FROM_ZERO;
  return COUNTERS.has(name) ? undefined : name;
};

/**
 * In the completion condition of a multi-instance activity. The engines differ in what they count for a sequential one:
 * here the instance that has just completed is no longer active.
 */
export function inCompletionCondition(isSequential: boolean): Names {
  return (name) => {
    if (name === 'loopCounter') return isSequential ? undefined : FROM_ZERO;
    if (isSequential && name === 'nrOfActiveInstances') return undefined;
    return COUNTERS.has(name) ? name.replace('nrOf', 'numberOf') : name;
  };
}
