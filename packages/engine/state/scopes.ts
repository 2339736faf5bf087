/** Reading variables. An element instance sees its own and those of every enclosing scope; the innermost wins. */
import type { Json, Variables } from '../contract/json.js';
import { ROOT, type ElementInstance, type State } from './state.js';

/** Looks up names through the enclosing scopes of an element instance without copying them. */
interface VariableScope {
  has(name: string): boolean;
  get(name: string): Json | undefined;
}

export function variableScope(state: State, element: ElementInstance, extra?: Variables): VariableScope {
  const find = (name: string): Json | undefined => {
    if (extra && Object.hasOwn(extra, name)) return extra[name];
    for (let scope: ElementInstance | undefined = element; scope; scope = state.elements[scope.scope]) {
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
export function blockerOf(state: State, element: ElementInstance, name: string): ElementInstance | undefined {
  for (let scope: ElementInstance | undefined = element; scope; scope = state.elements[scope.scope]) {
    if (scope.variables && Object.hasOwn(scope.variables, name)) return scope;
  }
  return undefined;
}

/** Variables that `element` sees in addition to the process's own, merged; undefined if none exist. */
export function localVariables(state: State, element: ElementInstance): Variables | undefined {
  let merged: Variables | undefined;
  for (
    let scope: ElementInstance | undefined = element;
    scope && scope.id !== ROOT;
    scope = state.elements[scope.scope]
  ) {
    if (scope.variables) merged = { ...scope.variables, ...merged };
  }
  return merged;
}

/** The names of everything that an expression in `element` can see, the results collected by loops included. */
export function visibleNames(state: State, element: ElementInstance): Set<string> {
  const names = new Set<string>();
  for (let scope: ElementInstance | undefined = element; scope; scope = state.elements[scope.scope]) {
    for (const name of Object.keys(scope.variables ?? {})) names.add(name);
    if (scope.loop?.output) names.add(scope.loop.output.name);
  }
  return names;
}

/** All variables that `element` sees. */
export function visibleVariables(state: State, element: ElementInstance): Variables {
  return { ...state.elements[ROOT]?.variables, ...localVariables(state, element) };
}
