/**
 * Interrupting a scope: everything directly inside it ends, and its pending work is discarded. The scope itself stays;
 * only the interrupting element is left in it, and the scope ends when that does. Its own incident and its retry are
 * pending work too: a retry would start the scope again, next to the interrupting element.
 */
import { resetKey, startedGateways } from '../../state/element-data.js';
import { behaviorOf } from '../../registry.js';
import { nodeOf, record, type Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import { cancelInside } from './cancellation.js';
import { isHalting } from './halt.js';

/** @param except the interrupting element instance inside `scope` */
export function interrupt(run: Run, scope: ElementInstance, reason: string, except?: ElementInstance): void {
  cancelInside(run, scope, reason, except);
  dropWork(run, scope);
}

/** Discards the pending work of `scope`, so that nothing starts in it by itself. */
export function dropWork(run: Run, scope: ElementInstance): void {
  const started = startedGateways(scope.data);
  // A complex gateway that has started would otherwise reset and emit tokens again.
  if (started.length > 0)
    record(run, {
      kind: 'ELEMENT_DATA_SET',
      element: scope.id,
      data: Object.fromEntries(started.map(({ node }) => [resetKey(node), null])),
    });
  dropRetry(run, scope);
  const node = nodeOf(run, scope);
  if (!scope.loop) behaviorOf(run, node).interrupted?.(run, scope, node);
}

function dropRetry(run: Run, scope: ElementInstance): void {
  withdrawIncident(run, scope);
  if (scope.placed) record(run, { kind: 'ELEMENT_CONTINUED', element: scope.id });
}

/** Withdraws the incident at which the scope itself waits, unless it halts the whole instance. */
export function withdrawIncident(run: Run, { incident }: ElementInstance): void {
  if (incident !== undefined && !isHalting(run.state, incident)) record(run, { kind: 'INCIDENT_WITHDRAWN', incident });
}
