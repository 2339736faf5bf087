/** Listening of boundary events: BPMN 2.0.2 section 13.5.3. They listen while their host is active. */
import type { BoundaryEventNode } from '../../elements/boundary-event.js';
import type { Result } from '../../failure.js';
import type { Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import { listen } from './trigger-dispatch.js';

/** Starts listening for every boundary event of `host` that waits for an external event. */
export function listenAtBoundary(run: Run, host: ElementInstance, boundary: readonly string[]): Result<void> {
  for (const id of boundary) {
    const node = run.model.node(id) as BoundaryEventNode;
    const listening = listen(run, host, node, node.triggers);
    if (!listening.ok) return listening;
  }
  return { ok: true, value: undefined };
}
