/** Which outgoing flows of an inclusive or complex gateway are taken: BPMN 2.0.2 sections 13.4.3 and 13.4.5. */
import { failed, type Result } from '../failure.js';
import { truth } from '../feel.js';
import type { Node } from '../graph.js';
import type { Variables } from '../json.js';
import type { Run } from '../run.js';
import type { ElementInstance } from '../state.js';

/**
 * Every flow whose condition holds, a flow without a condition included; the default flow when there is none.
 * @param extra names that conditions see besides the variables
 */
export function flowsThatHold(run: Run, element: ElementInstance, node: Node & { defaultFlow?: string }, extra?: Variables): Result<string[]> {
  const flows: string[] = [];
  for (const id of node.outgoing) {
    if (id === node.defaultFlow) continue;
    const { condition } = run.model.flow(id);
    const holds: Result<boolean> = condition ? truth(run, element, condition, `condition of sequence flow ${id}`, extra) : { ok: true, value: true };
    if (!holds.ok) return holds;
    if (holds.value) flows.push(id);
  }
  if (flows.length > 0 || node.outgoing.length === 0) return { ok: true, value: flows };
  if (node.defaultFlow !== undefined) return { ok: true, value: [node.defaultFlow] };
  return failed({ errorType: 'GatewayNoMatch', message: `No condition of the sequence flows leaving ${node.id} holds and it has no default flow` });
}
