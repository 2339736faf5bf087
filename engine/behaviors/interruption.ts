/**
 * Interrupting a scope: everything directly inside it ends, and the scope forgets what it was still to do inside. The
 * scope itself stays; only what interrupted it is left, and the scope ends with that.
 */
import { behaviorOf } from '../elements/index.js';
import { resetKey, startedGateways } from '../memory.js';
import { nodeOf, record, type Run } from '../run.js';
import type { ElementInstance } from '../state.js';
import { cancelInside } from './activation.js';

/** @param except the element instance inside `scope` that interrupts it */
export function interrupt(run: Run, scope: ElementInstance, reason: string, except?: ElementInstance): void {
  cancelInside(run, scope, reason, except);
  const started = startedGateways(scope.memory);
  // A complex gateway that has started would reset, and send tokens out once more.
  if (started.length > 0) record(run, { kind: 'MEMORY_SET', element: scope.id, memory: Object.fromEntries(started.map(({ node }) => [resetKey(node), null])) });
  const node = nodeOf(run, scope);
  behaviorOf(node).interrupted?.(run, scope, node);
}
