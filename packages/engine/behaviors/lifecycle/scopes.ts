/** Shared by the process and every sub-process: they start at their start event and end when nothing is left inside. */
import type { Result } from '../../failure.js';
import { value } from '../../feel.js';
import type { Node, ScopeBase } from '../../model/graph.js';
import { setMember, type Variables } from '../../contract/json.js';
import type { Model } from '../../model/model.js';
import type { Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import { activate, enterNode } from './activation.js';
import { roomAt } from './capacity.js';
import { listenInScope } from '../waiting/event-sub-processes.js';
import { fail } from './failures.js';
import { setLocal } from '../data/variables.js';

/**
 * Sets data objects, starts event sub-processes, then enters the start event. Without a start event, all initial
 * elements are created before the first one starts, so that the scope cannot end in between.
 */
export function enterScope(run: Run, scope: ElementInstance, node: Node & ScopeBase): void {
  const opened = openScope(run, scope, node);
  if (!opened.ok) return fail(run, scope, opened.failure);
  if (node.start !== undefined) return activate(run, node.start, scope);
  for (const start of beginnings(run.model, node)) enterNode(run, start, scope, { placed: true });
}

/** Everything except the start itself. */
export function openScope(run: Run, scope: ElementInstance, node: Node & ScopeBase): Result<void> {
  const declared = declareData(run, scope, node);
  return declared.ok ? listenInScope(run, scope) : declared;
}

/** Values passed to the process take precedence over those of its data objects. */
function declareData(run: Run, scope: ElementInstance, { data = [] }: ScopeBase): Result<void> {
  const variables: Variables = {};
  for (const object of data) {
    if (scope.variables && Object.hasOwn(scope.variables, object.name)) continue;
    const given = value(run, scope, object.value, `value of data object ${object.name}`);
    if (!given.ok) return given;
    setMember(variables, object.name, given.value);
  }
  const room = roomAt(run, scope, variables);
  if (room.ok) setLocal(run, scope, variables);
  return room;
}

/**
 * Initial nodes of a scope that is not started by an event. Without a start event these are all nodes without an
 * incoming sequence flow: BPMN 2.0.2 sections 10.5.2 and 13.2. Empty for a process that only events start.
 */
export function beginnings(model: Model, node: Node & ScopeBase): string[] {
  if (node.start !== undefined) return [node.start];
  return model
    .inside(node.id)
    .filter((inside) => inside.incoming.length === 0 && beginsByItself(inside))
    .map(({ id }) => id);
}

function beginsByItself(node: Node): boolean {
  if (node.kind === 'boundaryEvent' || node.kind === 'eventSubProcess' || node.kind === 'startEvent') return false;
  if ('forCompensation' in node && node.forCompensation) return false;
  return !('triggers' in node && node.triggers.some(({ kind }) => kind === 'link'));
}
