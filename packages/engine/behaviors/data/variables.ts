/** Setting variables. Results go to the nearest scope that has the name, otherwise to the process. */
import { setMember, type Variables } from '../../contract/json.js';
import { behaviorOf } from '../../registry.js';
import { nodeOf, record, scopeOf, type Run } from '../../run.js';
import { blockerOf } from '../../state/scopes.js';
import { ROOT, type ElementInstance } from '../../state/state.js';

/**
 * The scope for variables that an operator sets at an element: an activity has its own scope; events and gateways use
 * the enclosing one.
 */
export function variableScopeOf(run: Run, element: ElementInstance): ElementInstance {
  return behaviorOf(run, nodeOf(run, element)).isActivity ? element : (scopeOf(run, element) ?? element);
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
  if (scope.itemReaders) keepLoopItems(run, scope, names);
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
  keepLoopItems(run, scope, names);
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
    const target = blockerOf(run.state, from, name) ?? run.state.elements[ROOT]!;
    const part = byScope.get(target);
    if (part) setMember(part, name, value);
    else byScope.set(target, { [name]: value });
  }
  return byScope;
}

/** Called before variables `names` of `scope` change: loops that read their items there keep the current items. */
function keepLoopItems(run: Run, scope: ElementInstance, names: readonly string[]): void {
  for (const id of scope.itemReaders ?? []) {
    const source = run.state.elements[id]!.loop!.source!;
    if (names.includes(source.path[0]!)) record(run, { kind: 'LOOP_ITEMS_KEPT', element: id });
  }
}
