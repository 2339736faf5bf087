/**
 * Inclusive gateways: BPMN 2.0.2 section 13.4.3. Tokens leave along every flow whose condition is true. A join waits
 * while more tokens can arrive.
 */
import { activate, leave } from '../behaviors/lifecycle/activation.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { arrivedFlows, isTokenExpected } from '../behaviors/flow/joins.js';
import { flowsThatHold } from '../behaviors/flow/outgoing-flows.js';
import type { NodeBase } from '../model/graph.js';
import { record } from '../run.js';
import type { ElementBehavior } from './element.js';

export interface InclusiveGatewayNode extends NodeBase {
  kind: 'inclusiveGateway';
  defaultFlow?: string;
}

export const inclusiveGateway: ElementBehavior<InclusiveGatewayNode> = {
  compile: () => ({}),

  arrive(run, node, scope) {
    if (node.incoming.length <= 1) return activate(run, node.id, scope, { token: true });
    record(run, { kind: 'TOKEN_ARRIVED' });
  },

  fireJoin(run, node, scope) {
    const joined = arrivedFlows(run, node, scope);
    if (joined.length === 0 || isTokenExpected(run, node, scope, joined)) return false;
    activate(run, node.id, scope, { joined });
    return true;
  },

  enter(run, element, node) {
    const flows = flowsThatHold(run, element, node);
    if (!flows.ok) return fail(run, element, flows.failure);
    leave(run, element, flows.value);
  },
};
