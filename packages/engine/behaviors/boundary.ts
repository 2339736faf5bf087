/**
 * Boundary events: BPMN 2.0.2 section 13.5.3. They listen while their host is active. An interrupting one ends the
 * host.
 */
import type { BoundaryEventNode } from '../elements/boundary-event.js';
import type { Result } from '../failure.js';
import type { Variables } from '../contract/json.js';
import { scopeOf, type Run } from '../run.js';
import type { ElementInstance } from '../state/state.js';
import { listen } from '../triggers/index.js';
import { activate, cancel } from './activation.js';
import { listenAgain } from './listening-again.js';

/** Starts listening for every boundary event of `host` that waits for an external event. */
export function listenAtBoundary(run: Run, host: ElementInstance, boundary: readonly string[]): Result<void> {
  for (const id of boundary) {
    const node = run.model.node(id) as BoundaryEventNode;
    const listening = listen(run, host, node, node.triggers);
    if (!listening.ok) return listening;
  }
  return { ok: true, value: undefined };
}

/**
 * Handles an event that occurred: an interrupting boundary event ends its host, then the boundary event itself is
 * entered.
 */
export function fireBoundary(
  run: Run,
  host: ElementInstance,
  node: BoundaryEventNode,
  payload?: Variables,
  as?: 'ELEMENT_FAILED',
): void {
  const scope = scopeOf(run, host)!;
  if (node.interrupting) cancel(run, host, `interrupted by boundary event ${node.id}`, as);
  else if (node.parallelMultiple) listenAgain(run, host, node);
  activate(run, node.id, scope, { ...(payload && { payload }) });
}
