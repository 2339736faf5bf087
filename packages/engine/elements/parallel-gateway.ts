/**
 * Parallel gateways: BPMN 2.0.2 section 13.4.1. Takes one token from each incoming flow and emits one on each outgoing
 * flow.
 */
import { activate, leave } from '../behaviors/lifecycle/activation.js';
import type { NodeBase } from '../model/graph.js';
import { record } from '../run.js';
import type { ElementBehavior } from './element.js';

export interface ParallelGatewayNode extends NodeBase {
  kind: 'parallelGateway';
}

export const parallelGateway: ElementBehavior<ParallelGatewayNode> = {
  compile: () => ({}),

  arrive(run, node, scope) {
    if (node.incoming.length <= 1) return activate(run, node.id, scope, { token: true });
    record(run, { kind: 'TOKEN_ARRIVED' });
    const here = run.state.arrived.filter((token) => token.scope === scope.id);
    if (node.incoming.every((flow) => here.some((token) => token.flow === flow))) {
      activate(run, node.id, scope, { joined: node.incoming });
    }
  },

  enter: (run, element, node) => leave(run, element, node.outgoing),
};
