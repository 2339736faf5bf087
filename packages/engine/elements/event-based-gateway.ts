/**
 * Event-based gateways: BPMN 2.0.2 section 13.4.4. The first event after the gateway that occurs decides. An
 * instantiating gateway starts an instance with that event; a parallel one then also waits for each of the others
 * (section 10.6.6).
 */
import { begin, enterNode, passOn } from '../behaviors/lifecycle/activation.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { subscribeToMessage } from '../behaviors/waiting/messages.js';
import type { Result } from '../failure.js';
import type { Node, NodeBase } from '../model/graph.js';
import type { Variables } from '../contract/json.js';
import { isActive, nodeOf, type Run } from '../run.js';
import type { ElementInstance } from '../state/state.js';
import { listen } from '../behaviors/waiting/trigger-dispatch.js';
import type { ElementBehavior } from './element.js';

export interface EventBasedGatewayNode extends NodeBase {
  kind: 'eventBasedGateway';
  instantiate?: true;
  /** Whether every event after it has to occur; only with `instantiate`. */
  parallel?: true;
}

export const eventBasedGateway: ElementBehavior<EventBasedGatewayNode> = {
  compile(source, compiler) {
    const instantiate = source.flag('instantiate', false);
    const parallel = source.attribute('eventGatewayType') === 'Parallel';
    if (parallel && !instantiate)
      compiler.problem(
        'error',
        source,
        'A parallel event-based gateway (eventGatewayType) must be instantiating (instantiate="true")',
      );
    return { ...(instantiate && { instantiate }), ...(parallel && { parallel }) };
  },

  enter(run, element, node) {
    for (const flow of node.outgoing) {
      const listening = listenFor(run, element, run.model.node(run.model.flow(flow).target));
      if (!listening.ok) return fail(run, element, listening.failure);
    }
  },

  resume: (run, element, node, wait, payload) => passOn(run, element, flowTo(run, node, wait.node), payload),
};

/** Starts the instance with `event`, one of the events after `gateway`, which has occurred. */
export function beginBehindGateway(
  run: Run,
  scope: ElementInstance,
  gateway: EventBasedGatewayNode,
  event: string,
  payload?: Variables,
): void {
  const element = enterNode(run, gateway.id, scope);
  const targets = gateway.parallel ? gateway.outgoing.map((flow) => run.model.flow(flow).target) : [];
  // The others are entered first, so that the scope does not end with the first event; their waits may depend on its
  // variables.
  const others = targets.filter((target) => target !== event).map((target) => enterNode(run, target, scope));
  passOn(run, element, flowTo(run, gateway, event), payload);
  for (const other of others) if (isActive(run, other)) begin(run, other);
}

function listenFor(run: Run, element: ElementInstance, target: Node): Result<void> {
  if (target.kind === 'receiveTask') return subscribeToMessage(run, element, target.id, target.message);
  if (target.kind === 'intermediateCatchEvent') return listen(run, element, target, target.triggers);
  throw new Error(
    `${nodeOf(run, element).id} leads to ${target.kind} ${target.id}, which is not an event; compilation should have rejected it`,
  );
}

function flowTo(run: Run, node: EventBasedGatewayNode, target: string): string {
  return node.outgoing.find((flow) => run.model.flow(flow).target === target)!;
}
