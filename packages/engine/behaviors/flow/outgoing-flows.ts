/** Outgoing flows that an inclusive or complex gateway takes: BPMN 2.0.2 sections 13.4.3 and 13.4.5. */
import { failed, type Result } from '../../failure.js';
import { truth } from '../../feel.js';
import type { Node } from '../../model/graph.js';
import type { Variables } from '../../contract/json.js';
import type { Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';

/**
 * Every flow whose condition is true or that has no condition; the default flow if none qualifies.
 * @param extra names that conditions see in addition to the variables
 */
export function flowsThatHold(
  run: Run,
  element: ElementInstance,
  node: Node & { defaultFlow?: string },
  extra?: Variables,
): Result<string[]> {
  const flows: string[] = [];
  for (const id of node.outgoing) {
    if (id === node.defaultFlow) continue;
    const { condition } = run.model.flow(id);
    const holds: Result<boolean> = condition
      ? truth(run, element, condition, `condition of sequence flow ${id}`, extra)
      : { ok: true, value: true };
    if (!holds.ok) return holds;
    if (holds.value) flows.push(id);
  }
  if (flows.length > 0 || node.outgoing.length === 0) return { ok: true, value: flows };
  if (node.defaultFlow !== undefined) return { ok: true, value: [node.defaultFlow] };
  return failed({
    errorType: 'GatewayNoMatch',
    message: `No condition on a sequence flow leaving ${node.id} is true, and there is no default flow`,
  });
}
