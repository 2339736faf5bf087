/**
 * Variable scopes. An element instance sees its own variables and those of every enclosing scope; the innermost wins.
 * Results go to the nearest scope that has the name, otherwise to the process.
 */
import { behaviorOf } from '../elements/index.js';
import { setMember, type Json, type Variables } from '../contract/json.js';
import { nodeOf, record, scopeOf, type Run } from '../run.js';
import { ROOT, type ElementInstance } from '../state/state.js';
import { keepLentItems } from './loops.js';

/** Looks up names through the enclosing scopes of an element instance without copying them. */
export interface VariableScope {
  has(name: string): boolean;
  get(name: string): unknown;
}

export function variableScope(run: Run, element: ElementInstance, extra?: Variables): VariableScope {
  const find = (name: string): Json | undefined => {
    if (extra && Object.hasOwn(extra, name)) return extra[name];
    for (let scope: ElementInstance | undefined = element; scope; scope = scopeOf(run, scope)) {
      if (scope.variables && Object.hasOwn(scope.variables, name)) return scope.variables[name];
      if (scope.loop?.output?.name === name) return scope.loop.output.values;
    }
    return undefined;
  };
  return {
    has: (name) => find(name) !== undefined,
    get: find,
  };
}

/** The nearest scope, from `element` outward, that has a variable of this name. */
export function blockerOf(run: Run, element: ElementInstance, name: string): ElementInstance | undefined {
  for (let scope: ElementInstance | undefined = element; scope; scope = scopeOf(run, scope)) {
    if (scope.variables && Object.hasOwn(scope.variables, name)) return scope;
  }
  return undefined;
}

/** Variables that `element` sees in addition to the process's own, merged; undefined if none exist. */
export function localVariables(run: Run, element: ElementInstance): Variables | undefined {
  let merged: Variables | undefined;
  for (let scope: ElementInstance | undefined = element; scope && scope.id !== ROOT; scope = scopeOf(run, scope)) {
    if (scope.variables) merged = { ...scope.variables, ...merged };
  }
  return merged;
}

/** All variables that `element` sees. */
export function visibleVariables(run: Run, element: ElementInstance): Variables {
  return { ...run.state.elements[ROOT]?.variables, ...localVariables(run, element) };
}

/**
 * The scope for variables that an operator sets at an element: an activity has its own scope; events and gateways use
 * the enclosing one.
 */
export function variableScopeOf(run: Run, element: ElementInstance): ElementInstance {
  return behaviorOf(nodeOf(run, element)).isActivity ? element : (scopeOf(run, element) ?? element);
}

/** Sets `variables` at `scope` itself. */
export function setLocal(
  run: Run,
  scope: ElementInstance,
  variables: Variables,
  role?: 'INPUT' | 'OUTPUT',
  by?: number,
): void {
  const names = Object.keys(variables);
  if (names.length === 0 && role !== 'INPUT') return;
  if (scope.lends) keepLentItems(run, scope, names);
  record(run, {
    kind: 'VARIABLES_SET',
    scope: scope.id,
    variables,
    ...(role && { role }),
    ...(by !== undefined && { by }),
  });
}

/** Removes the variables of these names from `scope`. */
export function clearVariables(run: Run, scope: ElementInstance, names: string[]): void {
  keepLentItems(run, scope, names);
  record(run, { kind: 'VARIABLES_CLEARED', scope: scope.id, names });
}

/**
 * Propagates each result to the nearest scope, from `from` outward, that has the name, otherwise to the process.
 * @param by the element instance that produced the results
 */
export function propagate(run: Run, from: ElementInstance, variables: Variables, by: number): void {
  for (const [scope, part] of targetsOf(run, from, variables)) setLocal(run, scope, part, 'OUTPUT', by);
}

/** The destination scope of each of `variables` when they are propagated from `from`. */
export function targetsOf(run: Run, from: ElementInstance, variables: Variables): Map<ElementInstance, Variables> {
  const byScope = new Map<ElementInstance, Variables>();
  for (const [name, value] of Object.entries(variables)) {
    const target = blockerOf(run, from, name) ?? run.state.elements[ROOT]!;
    const part = byScope.get(target);
    if (part) setMember(part, name, value);
    else byScope.set(target, { [name]: value });
  }
  return byScope;
}
