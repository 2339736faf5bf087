/**
 * Exclusive gateways: BPMN 2.0.2 section 13.4.2. The first flow whose condition is true, otherwise the default flow.
 */
import { leave } from '../behaviors/lifecycle/activation.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { truth } from '../feel.js';
import type { NodeBase } from '../model/graph.js';
import type { ElementBehavior } from './element.js';

export interface ExclusiveGatewayNode extends NodeBase {
  kind: 'exclusiveGateway';
  defaultFlow?: string;
}

export const exclusiveGateway: ElementBehavior<ExclusiveGatewayNode> = {
  compile: () => ({}),

  enter(run, element, node) {
    for (const id of node.outgoing) {
      if (id === node.defaultFlow) continue;
      const { condition } = run.model.flow(id);
      if (!condition) return leave(run, element, [id]);
      const holds = truth(run, element, condition, `condition of sequence flow ${id}`);
      if (!holds.ok) return fail(run, element, holds.failure);
      if (holds.value) return leave(run, element, [id]);
    }
    if (node.defaultFlow !== undefined) return leave(run, element, [node.defaultFlow]);
    if (node.outgoing.length === 0) return leave(run, element, []);
    fail(run, element, {
      errorType: 'GatewayNoMatch',
      message: `No condition on a sequence flow leaving exclusive gateway ${node.id} is true, and there is no default flow`,
    });
  },
};
