/**
 * Variable scopes. An element instance sees its own variables and those of every scope around it; the nearest
 * wins. Results go to the nearest scope that has the name, else to the process.
 */
import type { Variables } from '../json.js';
import { record, scopeOf, type Run } from '../run.js';
import { ROOT, type ElementInstance } from '../state.js';

/** Looks names up through the scopes around an element instance without copying them. */
export interface VariableScope {
  has(name: string): boolean;
  get(name: string): unknown;
}

export function variableScope(run: Run, element: ElementInstance, extra?: Variables): VariableScope {
  const holder = (name: string): Variables | undefined => {
    if (extra && Object.hasOwn(extra, name)) return extra;
    for (let scope: ElementInstance | undefined = element; scope; scope = scopeOf(run, scope)) {
      if (scope.variables && Object.hasOwn(scope.variables, name)) return scope.variables;
    }
    return undefined;
  };
  return {
    has: (name) => holder(name) !== undefined,
    get: (name) => holder(name)?.[name],
  };
}

/** Variables that `element` sees beyond the process's own, merged; undefined when there are none. */
export function localVariables(run: Run, element: ElementInstance): Variables | undefined {
  let merged: Variables | undefined;
  for (let scope: ElementInstance | undefined = element; scope && scope.id !== ROOT; scope = scopeOf(run, scope)) {
    if (scope.variables) merged = { ...scope.variables, ...merged };
  }
  return merged;
}

/** Every variable that `element` sees. */
export function visibleVariables(run: Run, element: ElementInstance): Variables {
  return { ...run.state.elements[ROOT]?.variables, ...localVariables(run, element) };
}

/** Sets `variables` at `scope` itself. */
export function setLocal(run: Run, scope: ElementInstance, variables: Variables, role?: 'INPUT' | 'OUTPUT', by?: number): void {
  if (Object.keys(variables).length === 0 && role !== 'INPUT') return;
  record(run, { kind: 'VARIABLES_SET', scope: scope.id, variables, ...(role && { role }), ...(by !== undefined && { by }) });
}

/**
 * Gives each result to the nearest scope from `from` outwards that has the name, else to the process.
 * @param by the element instance whose result it is
 */
export function propagate(run: Run, from: ElementInstance, variables: Variables, by: number): void {
  const byScope = new Map<ElementInstance, Variables>();
  for (const [name, value] of Object.entries(variables)) {
    const target = nearestHolder(run, from, name);
    const part = byScope.get(target);
    if (part) part[name] = value;
    else byScope.set(target, { [name]: value });
  }
  for (const [scope, part] of byScope) setLocal(run, scope, part, 'OUTPUT', by);
}

function nearestHolder(run: Run, from: ElementInstance, name: string): ElementInstance {
  for (let scope: ElementInstance | undefined = from; scope; scope = scopeOf(run, scope)) {
    if (scope.id === ROOT || (scope.variables && Object.hasOwn(scope.variables, name))) return scope;
  }
  return run.state.elements[ROOT]!;
}
